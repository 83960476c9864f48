#pragma once

#include <string>

#include "base/result.hpp"
#include "formats/written.hpp"
#include "model/problem.hpp"

namespace salvo::formats::petab {

// A problem in PEtab 2: `stem`.yaml, its tables, and its equations as an SBML model. Every initial value that is
// estimated has a guess. What would be another problem in PEtab is refused, with an Issue for each feature.
Result<Written> write_problem(const model::Problem& problem, const std::string& stem);

}  // namespace salvo::formats::petab
