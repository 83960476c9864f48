#pragma once

#include "fit/attempts.hpp"

namespace salvo::fit {

// Certifies an answer along unbroken trajectories, those that `evaluate` integrates, and goes on from there where it is
// no minimum. An answer is called converged if and only if its certificate holds.
void prove(Solved& solved, const RunContext& context);

}  // namespace salvo::fit
