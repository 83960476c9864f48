#pragma once

#include <cstdio>
#include <cstdlib>
#include "solve/result.hpp"

namespace salvo::solve {

// Keeps the best point that the judge of a run has seen, and says when better ones are no longer to be expected.
class Jury {
 public:
  explicit Jury(const SolveOptions& options) : options_(options) {}

  // After an iteration that ended at result.q.
  void hear(const SolveResult& result) {
    if (!options_.judge) return;
    Judged judged = options_.judge(result.q);
    if (std::getenv("DBG")) fprintf(stderr, "   judge %d score %.3f obj %.3f gap %.1e\n", result.iterations, judged.score, judged.objective, result.gap);
    // While gaps are wide, trajectories say little about the answer, and no verdict is final.
    waited_ = judged.score < best_.score - worth_mentioning ? 0 : waited_ + (result.gap <= nearly_joined ? 1 : 0);
    if (!(judged.score < best_.score)) return;
    best_ = std::move(judged);
    best_iteration_ = result.iterations;
  }
  bool has_heard_enough() const { return waited_ >= patience; }

  // Puts the best point in the place of the last.
  SolveResult verdict(SolveResult result) {
    if (!best_iteration_) return result;
    result.best_iteration = best_iteration_;
    result.q = std::move(best_.q);
    result.objective = best_.objective;
    result.gap = best_.gap;
    return result;
  }

 private:
  static constexpr int patience = 10;              // iterations without a better point
  static constexpr double worth_mentioning = 0.5;  // of a score: a log-likelihood, in which less is noise
  static constexpr double nearly_joined = 1e-2;    // gap

  const SolveOptions& options_;
  Judged best_{};
  std::optional<int> best_iteration_{};
  int waited_ = 0;
};

}  // namespace salvo::solve
