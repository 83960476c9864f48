#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "formats/file_source.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

struct ReadOptions {
  // A table that takes the place of the one that the section `data` names, and is read as that section says. Its path
  // is not relative to the problem file.
  std::optional<std::string> data{};
  // Where files come from, if not from the disk; the path of the problem file is one of the names that it knows.
  FileSource* source = nullptr;
};

// Reads a problem file (YAML), our own or that of a PEtab problem, and the files it names, or returns every Issue found
// in them.
Result<model::Problem> read_problem(const std::string& path, const ReadOptions& options = {});

// This reads the text of such a file. Issues name it by `name`, and data files are looked for in the folder of that.
Result<model::Problem> read_problem_text(std::string text, const std::string& name = "problem.yaml");

// The problem with the section `design` of another file (one whose only section it is, or that is nothing else), or of
// a text, which may be JSON; in place of its own.
Result<model::Problem> read_design_file(model::Problem problem, const std::string& path);
Result<model::Problem> read_design_text(model::Problem problem, std::string text, const std::string& name);

}  // namespace salvo::formats
