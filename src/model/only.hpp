#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// Leaves the measurements of these experiments alone. The other experiments stay, so that all that is estimated keeps
// its name: what their data alone have told is then not identifiable. An Issue for each name that no experiment has,
// and for experiments without measurements.
Issues keep_only(Problem& problem, const std::vector<std::string>& experiments);

}  // namespace salvo::model
