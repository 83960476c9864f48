#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/watch.hpp"
#include "estimate/estimate.hpp"
#include "results/fit_result.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::estimate {
struct KeptEstimation;
}

namespace salvo::fit {

// Why nothing can be fitted, in a sentence; empty if something can.
std::string why_not_fitted(const model::Problem& problem, const estimate::Options& options);

// The answer of one start or of the best of several.
struct Solution {
  estimate::Estimation estimation{};
  std::vector<StartResult> starts{};  // if there were several
};

class KeptRun;

// What `fit` and `profile` share: a problem, its options, and a watch over the time.
class Run {
 public:
  Run(const model::Problem& problem, const estimate::Options& options, const RunContext& caller);
  ~Run();

  // Why nothing can be computed; empty if nothing is in the way.
  const std::string& refusal() const { return refusal_; }
  FitResult refused() const;
  const RunContext& context() const { return context_; }

  Solution solve() const;
  // From other guesses, obeyed to the letter: the n-th estimate of this run, from 1 on.
  estimate::Estimation solve_from(const std::map<std::string, double>& guess, int n) const;
  FitResult describe(Solution solution, const uncertainty::IntervalsOutcome& intervals = {});

 private:
  // The n-th estimate of this run: what a run before this one has come to, or computed, and kept on its way.
  estimate::Estimation estimated(const estimate::Options& options, int n) const;
  estimate::Estimation computed(const estimate::Options& options, int n) const;
  estimate::Estimation restored(const estimate::Options& options, const estimate::KeptEstimation& kept) const;
  estimate::Reused reused() const { return {.compiled = compiled_, .helpers = context_.helpers}; }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const model::Problem& problem_;
  const estimate::Options options_;
  RunContext context_;
  std::string refusal_;
  std::unique_ptr<KeptRun> kept_;  // null: nobody keeps it
  Watch watch_;
  std::shared_ptr<const compile::CompiledModel> compiled_;  // null only where it is refused
};

}  // namespace salvo::fit
