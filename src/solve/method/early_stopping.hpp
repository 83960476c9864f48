#pragma once

#include "solve/result.hpp"

namespace salvo::solve {

// Keeps the best point that the judge of a run has seen, and says when better ones are no longer to be expected.
class EarlyStopping {
 public:
  explicit EarlyStopping(const SolveOptions& options) : options_(options) {}

  // After an iteration.
  void look_at(const State& state) {
    if (!options_.judge) return;
    Judged judged = options_.judge(state.point);
    // While gaps are wide, trajectories say little about the answer, and nothing is final.
    if (judged.score < last_mentioned_ - options_.rules.early_stopping.improvement) {
      last_mentioned_ = judged.score;
      waited_ = 0;
    } else if (state.gap <= options_.rules.gaps.nearly_joined) {
      ++waited_;
    }
    if (!(judged.score < best_.score)) return;
    best_ = std::move(judged);
    best_iteration_ = state.counters.iterations;
  }
  bool is_over() const { return waited_ >= options_.rules.gauss_newton.patience; }

  // Puts the best point in the place of the last.
  SolveResult best_of(SolveResult result) {
    if (!best_iteration_) return result;
    result.best_iteration = best_iteration_;
    result.q = std::move(best_.q);
    result.objective = best_.objective;
    result.gap = best_.gap;
    return result;
  }

 private:
  const SolveOptions& options_;
  Judged best_{};
  std::optional<int> best_iteration_{};
  double last_mentioned_ = std::numeric_limits<double>::infinity();
  int waited_ = 0;
};

}  // namespace salvo::solve
