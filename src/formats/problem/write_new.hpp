#pragma once

#include <string>

#include "base/issue.hpp"

namespace salvo::formats {

// Makes the folder `name` with a commented problem file (name/name.yaml) and its data, to learn from and to change.
// Nothing that exists is touched: then, or if the disk refuses, there is an Issue.
Issues write_new_problem(const std::string& name);

}  // namespace salvo::formats
