#pragma once

#include <string>

#include "base/result.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

// Reads a problem file (YAML) and the data files it names, or returns every Issue found in them.
Result<model::Problem> read_problem(const std::string& path);

}  // namespace salvo::formats
