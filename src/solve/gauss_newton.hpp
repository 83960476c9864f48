#pragma once

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// Bock's generalised Gauss-Newton method: linearise residuals and gaps, solve the constrained least-squares problem
// by structured elimination, and damp the step by the natural level function ([Bock87], [Deuflhard04] 4.3).
SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context);

}  // namespace salvo::solve
