#include "estimate/answer/answer.hpp"

namespace salvo::estimate {

bool is_proved(const Answer& answer) { return is_minimum(answer.standing); }

// A gap that is small for the largest value of a state may be everything where it begins.
bool is_joined(const Answer& answer) {
  const double most = is_proved(answer) ? solve::joined_gap : solve::SolveOptions{}.gap_tolerance;
  return is_known(answer) && answer.run.gap <= most;
}

bool is_known(const Answer& answer) { return !answer.run.trace.empty(); }

}  // namespace salvo::estimate
