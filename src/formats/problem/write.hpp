#pragma once

#include <string>

#include "formats/written.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

// A problem that was read from PEtab files, or from a model in SBML alone, as a problem file, `stem`.yaml, with its
// data: to be read and changed by people. That of a model says how. Formulas are written by the names that the model
// gives to their parts.
Written write_problem(const model::Problem& problem, const std::string& stem);

}  // namespace salvo::formats
