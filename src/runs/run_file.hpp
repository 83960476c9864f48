#pragma once

#include <string>

#include "base/result.hpp"
#include "base/tasks/header.hpp"
#include "runs/run_words.hpp"

namespace salvo::runs {

// What a run is, in the file run.jsonl of its folder: two lines, the header of its journals and what was said.
struct RunFile {
  journal::RunHeader header{};
  RunWords words{};
  std::string stood_in{};  // the folder from which the names of its files are meant
};

// Throws std::runtime_error if the disk refuses. Names are meant from the folder in which this process stands.
void write_run_file(const std::string& folder, const journal::RunHeader& header, const RunWords& words);

// The same as text, for a process that is told of it by this one and finds its files as seen from `folder`.
std::string run_text(const std::string& folder, const journal::RunHeader& header, const RunWords& words);
Result<RunFile> read_run_text(const std::string& folder, const std::string& text);

// Of a run whose results are replaced.
void remove_run_file(const std::string& folder);

// Issues: there is no run in this folder, or none that others can join.
Result<RunFile> read_run_file(const std::string& folder);

}  // namespace salvo::runs
