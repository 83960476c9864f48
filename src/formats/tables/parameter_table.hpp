#pragma once

#include <map>
#include <string>

#include "base/result.hpp"

namespace salvo::formats {

// Values by name, from a tab-separated table with the columns `parameterId` and `value`, or with the columns `id`,
// `experiment` and `estimate` that a fit writes; there an initial value of an experiment is named "experiment:id".
Result<std::map<std::string, double>> read_parameter_table(const std::string& path);

}  // namespace salvo::formats
