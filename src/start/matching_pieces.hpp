#pragma once

#include <vector>

#include "start/observed_states.hpp"
#include "start/rules.hpp"

namespace salvo::start {

// How the time of one experiment is cut for integral matching: pieces between measurements, as many as the curves have
// to tell, and stops at the measurements that made no curve.
struct MatchingPieces {
  std::vector<double> stops{};                  // increasing, from the start on
  std::vector<int> ends{};                      // stops at which a piece ends
  std::vector<std::vector<int>> measured_at{};  // per stop: measurements left over
};

MatchingPieces matching_pieces(const model::Problem& problem, const ObservedStates& observed, double begin, double end,
                               const MatchingRules& rules = {});

// The standard error of a curve's increment from a to b, with an allowance for what the curve cuts off.
double increment_error(const ObservedState& state, double a, double b, const Rules& rules = {});

}  // namespace salvo::start
