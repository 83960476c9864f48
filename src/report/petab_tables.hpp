#pragma once

#include <string>

#include "model/problem.hpp"
#include "results/fit_result.hpp"

// The answer to a PEtab problem in PEtab's own tables, for the tools of others.
namespace salvo::report {

// The parameter table with the estimates as nominal values.
std::string petab_parameters(const model::PetabOrigin& petab, const FitResult& result);

// The measurement table with a column `simulation` in place of `measurement`.
std::string petab_simulations(const model::PetabOrigin& petab, const FitResult& result);

}  // namespace salvo::report
