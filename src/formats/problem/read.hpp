#pragma once

#include <string>

#include "base/result.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

// Reads a problem file (YAML), our own or that of a PEtab problem, and the files it names, or returns every Issue found
// in them.
Result<model::Problem> read_problem(const std::string& path);

}  // namespace salvo::formats
