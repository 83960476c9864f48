#pragma once

#include "base/result.hpp"
#include "options/arguments.hpp"

// Options in a JSON object become the words that they would be on a command line.
namespace salvo::c {

// A null pointer says nothing.
Result<options::FitWords> fit_words(const char* json);
Result<options::FitWords> objective_words(const char* json);
Result<options::SimulateWords> simulate_words(const char* json);

}  // namespace salvo::c
