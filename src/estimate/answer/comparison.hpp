#pragma once

#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "estimate/rules.hpp"

namespace salvo::estimate {

// What answers are compared by.
struct Merits {
  bool is_finished = true;  // neither the time nor a signal has cut it
  bool is_joined = true;    // trajectories without gaps
  bool is_resolved = true;  // the objective is not lost in errors of integration
  double objective = std::numeric_limits<double>::infinity();
  double resolution = 0;  // what of it can be known
  bool is_proved = false;
  bool is_flat = false;  // there is a direction along which nothing changes
  double motion = 0;     // of the observables between the measurements, in units of their noise
  double distance = 0;   // from the guess, on the scales of what is estimated
};

// Which of several answers is the answer, and by which rule. In the order of the rules, each leaves those that are best
// by it:
//   finished  before those that the time or a signal has cut
//   joined    joined before torn
//   resolved  known before lost in errors of integration
//   better    the lowest objective, and those that are not worse by more than can be meant
//   proved    the proved ones
//   seen      those where the data see every direction: a plateau beside a minimum loses here
//   motion    those whose trajectories need the least motion to say the same: an alias of an oscillation loses here
//   nearest   the one nearest to the guess
//   first     the one that was found first
struct Choice {
  std::size_t index = 0;
  std::string_view rule{};  // that left one alone
};
Choice choose(const std::vector<Merits>& answers, const AnswerRules& rules);

// Those that could be the answer but for proof, motion and distance.
std::vector<std::size_t> equally_good(const std::vector<Merits>& answers, const AnswerRules& rules);

// The best, then the others as a table lists them: by the first rules, and by their objectives.
std::vector<std::size_t> ranked(const std::vector<Merits>& answers, std::size_t best);

}  // namespace salvo::estimate
