#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// Goes on with the run of `total`: its iterations count on.
void append(solve::SolveResult& total, solve::SolveResult next);

// From the first eps to the last, where a law has a corner; else a single 0.
std::vector<double> smoothings(const model::Problem& problem, const SmoothingRules& rules, double last);

// One descent along unbroken trajectories with the accuracy of a search, and noise that suits the start: near enough to
// tell which ends are worth more.
solve::SolveResult descend_roughly(const Setup& setup, nlp::Point start, bool stiff, const RunContext& context);

// One descent along unbroken trajectories with full accuracy. Noise laws with a corner are smoothed less and less. From
// where a certificate was refused, it asks for the Hessian before it ends.
struct PreciseDescent {
  bool stiff = false;
  bool is_refused = false;
  const solve::State* stopped = nullptr;  // of another such descent, to go on from
  const solve::RunKeeper* keeper = nullptr;
};
solve::SolveResult descend_precisely(const Setup& setup, const nlp::Point& start, const RunContext& context,
                                     const PreciseDescent& known = {});

}  // namespace salvo::estimate
