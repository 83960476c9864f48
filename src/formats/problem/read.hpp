#pragma once

#include <string>

#include "base/result.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

// Reads a problem file (YAML), our own or that of a PEtab problem, and the files it names, or returns every Issue found
// in them.
Result<model::Problem> read_problem(const std::string& path);

// This reads the text of such a file. Issues name it by `name`, and data files are looked for in the folder of that.
Result<model::Problem> read_problem_text(std::string text, const std::string& name = "problem.yaml");

}  // namespace salvo::formats
