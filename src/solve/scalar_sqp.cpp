#include "solve/scalar_sqp.hpp"
namespace salvo::solve {
SolveResult scalar_sqp(const nlp::Problem&, nlp::Point, double, const SolveOptions&, const RunContext&) { return {}; }
}
