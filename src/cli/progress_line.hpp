#pragma once

#include <optional>
#include <string>

#include "base/run_context.hpp"

// One line that tells where a run stands. It never has more than `width` characters, so that a terminal of any size
// shows it whole: what matters least is left out first.
namespace salvo::cli {

struct Elapsed {
  double seconds = 0;               // since the beginning
  std::optional<double> allowed{};  // seconds in all, by --max-time
};

// The bar grows while the largest gap falls from its first value to that of joined trajectories.
std::string iteration_line(const IterationDone& event, double first_gap, const Elapsed& elapsed, int width);

// `many`: what there are several of.
std::string count_line(const StartDone& event, int converged, const std::string& many, const Elapsed& elapsed,
                       int width);

// "45 s", "3 min", "2 h"
std::string duration_in_words(double seconds);

}  // namespace salvo::cli
