#pragma once

#include <map>
#include <string>
#include <vector>

#include "estimate/options.hpp"

namespace salvo::estimate {

// Guesses for the parameters: the file's own, then points that fill the box evenly from the first on
// (base/nested_strata.hpp), uniform on each scale within finite bounds; where a bound is missing, up to ten times the
// guess; without bounds and on a linear scale a quarter of them has the other sign. A guess depends on the seed and its
// index, not on how many there are.
std::vector<std::map<std::string, double>> spread_guesses(const model::Problem& problem, int count,
                                                          const Options& options);

// The options of one of them: its guess, beneath what was said explicitly.
void set_guess_of_start(Options& options, std::map<std::string, double> guess);

}  // namespace salvo::estimate
