#pragma once

#include "estimate/answer/answer.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// Certifies an answer along unbroken trajectories, those that `evaluate` integrates, and goes on from there where it is
// no minimum: the setup then stands on one interval per experiment. An answer is a minimum if and only if its
// certificate holds.
void prove(Setup& setup, Answer& answer, const RunContext& context);

}  // namespace salvo::estimate
