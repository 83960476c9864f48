#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/line.hpp"
#include "options/arguments.hpp"

namespace salvo::runs {

using options::Word;

// What was said of a run: enough for another process to do the same.
struct RunWords {
  std::string command{};       // fit, study or profile
  std::string command_line{};  // for a shell; empty if the library was called
  std::string problem{};       // its file; empty: it stands in none
  Word data{};
  options::FitWords fit{};
  options::ProfileWords profile{};
  std::vector<std::string> truth{};
  Word replicates{};
};

// As a line of a file, and back; nothing where it is none.
journal::Line line_of(const RunWords& words);
std::optional<RunWords> words_of(const journal::Line& line);

// "p1=0.5,x1=0.4", to the last bit.
std::string exactly(const std::map<std::string, double>& values);

}  // namespace salvo::runs
