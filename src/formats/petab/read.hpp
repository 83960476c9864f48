#pragma once

#include "base/result.hpp"
#include "formats/file_source.hpp"
#include "formats/yaml/node.hpp"
#include "model/problem.hpp"

namespace salvo::formats::petab {

// Reads the problem that a PEtab file describes, with all its tables and its model, or returns every Issue found.
Result<model::Problem> read_problem(const TextFile& file, const yaml::Node& root, FileSource& source);

}  // namespace salvo::formats::petab
