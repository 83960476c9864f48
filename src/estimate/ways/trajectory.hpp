#pragma once

#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// Goes on with the run of `total`: its iterations count on.
void append(solve::SolveResult& total, solve::SolveResult next);

// One descent along unbroken trajectories with full accuracy. Noise laws with a corner are smoothed less and less. From
// where a certificate was refused, it asks for the Hessian before it ends.
struct PreciseDescent {
  bool stiff = false;
  bool is_refused = false;
};
solve::SolveResult descend_precisely(const Setup& setup, const nlp::Point& start, const RunContext& context,
                                     const PreciseDescent& known = {});

// |u| is rounded to sqrt(u^2 + eps^2): the last eps, in sigmas.
inline constexpr double last_smoothing = 1e-8;

}  // namespace salvo::estimate
