#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/watch.hpp"
#include "estimate/estimate.hpp"
#include "results/fit_result.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::fit {

// Why nothing can be fitted, in a sentence; empty if something can.
std::string why_not_fitted(const model::Problem& problem, const estimate::Options& options);

// The answer of one start or of the best of several.
struct Solution {
  estimate::Estimation estimation{};
  std::vector<StartResult> starts{};  // if there were several
};

// What `fit` and `profile` share: a problem, its options, and a watch over the time.
class Run {
 public:
  Run(const model::Problem& problem, const estimate::Options& options, const RunContext& caller);

  // Why nothing can be computed; empty if nothing is in the way.
  const std::string& refusal() const { return refusal_; }
  FitResult refused() const;
  const RunContext& context() const { return context_; }

  Solution solve() const;
  // From other guesses, obeyed to the letter.
  estimate::Estimation solve_from(const std::map<std::string, double>& guess) const;
  FitResult describe(Solution solution, const uncertainty::IntervalsOutcome& intervals = {});

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const model::Problem& problem_;
  const estimate::Options options_;
  RunContext context_;
  std::string refusal_;
  Watch watch_;
  std::shared_ptr<const compile::CompiledModel> compiled_;  // null only where it is refused
};

}  // namespace salvo::fit
