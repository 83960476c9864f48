#include "estimate/answer/answer.hpp"

#include <algorithm>
#include <cmath>

namespace salvo::estimate {

bool is_proved(const Answer& answer) { return is_minimum(answer.standing); }

// A gap that is small for the largest value of a state may be everything where it begins.
bool is_joined(const Answer& answer, const solve::GapRules& gaps) {
  const double most = is_proved(answer) ? gaps.joined : gaps.closed;
  return is_known(answer) && answer.run.gap <= most;
}

bool is_flat(const Answer& answer) {
  return std::any_of(answer.certificate.probes.begin(), answer.certificate.probes.end(),
                     [](const solve::Probe& probe) { return probe.verdict == solve::Probed::constant; });
}

std::vector<bool> unseen_quantities(const Answer& answer, double part) {
  std::vector<bool> unseen(answer.estimates.size(), false);
  for (const solve::Probe& probe : answer.certificate.probes)
    if (probe.verdict == solve::Probed::constant && probe.direction.size() == unseen.size())
      for (std::size_t i = 0; i < unseen.size(); ++i) unseen[i] = unseen[i] || std::abs(probe.direction[i]) > part;
  return unseen;
}

bool is_known(const Answer& answer) { return !answer.run.trace.empty(); }

}  // namespace salvo::estimate
