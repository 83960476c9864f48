#pragma once

#include <map>
#include <string>
#include <vector>

#include "estimate/estimate.hpp"
#include "results/starts.hpp"

namespace salvo::estimate {

// Solves from every guess, in parallel, chooses among all answers, and tells how each start went, the best first.
// `compiled` is that of the problem, if the caller has it.
struct StartsResult {
  std::vector<StartResult> starts{};
  Estimation estimation{};  // its workspace has the guesses that the user knows
};
StartsResult solve_all(const model::Problem& problem, const Options& options,
                       const std::vector<std::map<std::string, double>>& guesses, const RunContext& context,
                       std::shared_ptr<const compile::CompiledModel> compiled = nullptr);

// What a start came to.
struct StartRun {
  int start = 0;
  std::map<std::string, double> guess{};
  double seconds = 0;
};
StartResult describe_start(const model::Problem& problem, const Answer& answer, const StartRun& run);

}  // namespace salvo::estimate
