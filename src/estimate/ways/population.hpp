#pragma once

#include <functional>
#include <vector>

#include "base/random.hpp"
#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// The best members, the best first, of a population that evolves ([ZS09], with weights drawn as in [SP97]) while the
// data are let in from the earliest to the latest. Events that early data show are then in their places before later
// ones count; against all data at once a trajectory that is out of step is no better than one without any event.
// Scales of noise that are estimated take the value that fits the residuals.
std::vector<nlp::Point> evolve(const Setup& setup, const std::function<nlp::Point()>& draw, Random& random,
                               const Share& look, const RunContext& context);

}  // namespace salvo::estimate
