#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "runs/run_words.hpp"

namespace salvo::cli {

// What `fit`, `study` and `profile` do alike: a run in a folder, from its words to what it prints. Without a folder
// nothing is kept.
int run_command(runs::RunWords words, const FitArguments& arguments, const std::optional<std::string>& folder,
                const std::string& many);

// ./STEM.fit
std::string default_folder(const std::string& problem_file);

// What is said of a run as it was typed.
runs::RunWords words_of(std::string command, const FitArguments& arguments);

}  // namespace salvo::cli
