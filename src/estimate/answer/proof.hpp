#pragma once

#include "estimate/estimate.hpp"

namespace salvo::estimate {

// Certifies an answer along unbroken trajectories, those that `evaluate` integrates, and goes on from there where it is
// no minimum. An answer is called converged if and only if its certificate holds.
void prove(Solved& solved, const RunContext& context);

}  // namespace salvo::estimate
