#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "estimate/estimate.hpp"
#include "results/starts.hpp"
#include "estimate/options.hpp"

namespace salvo::estimate {

// Guesses for the parameters: the file's own, then a Latin hypercube, uniform on each scale within finite bounds; where
// a bound is missing, up to ten times the guess; without bounds and on a linear scale a quarter of them has the other
// sign.
std::vector<std::map<std::string, double>> spread_guesses(const model::Problem& problem, int count, std::uint64_t seed);

// The options of one of them: its guess, beneath what was said explicitly.
void set_guess_of_start(Options& options, std::map<std::string, double> guess);

// Another point of the region in which starts are spread; or, not within that range, near the guess where there are no
// bounds.
nlp::Point draw_point(const Setup& setup, Random& random, bool within_range);

// Solves from every guess, in parallel, and tells how each went, the best first; its answer is kept.
struct StartsResult {
  std::vector<StartResult> starts{};
  std::optional<Solved> best{};  // none: no start was finished
};
StartsResult solve_all(const model::Problem& problem, const Options& options,
                       const std::vector<std::map<std::string, double>>& guesses, const RunContext& context);

// What a start came to.
StartResult describe_start(const Solved& solved, const std::map<std::string, double>& guess, int n, double seconds);

// "18 of 20 starts converged, 7 of them to the best of 3 optima."
std::string about_starts(const std::vector<StartResult>& starts);

}  // namespace salvo::estimate
