#pragma once

#include <string>
#include <vector>

#include "base/issue.hpp"
#include "model/problem.hpp"

namespace salvo::formats::petab {

// What the problem says without which it would be another one, and PEtab cannot say.
Issues not_in_petab(const model::Problem& problem);

// What it says besides, and is left out, in words.
std::vector<std::string> left_out_in_petab(const model::Problem& problem);

// A prior that PEtab 2 knows: of the value.
bool is_prior_of_petab(const model::Estimated& estimated);

}  // namespace salvo::formats::petab
