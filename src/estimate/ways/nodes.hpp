#pragma once

#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// Runs the chosen solver. Noise laws with a corner are smoothed less and less; nodes that choose themselves are merged
// once the trajectories are nearly joined, and cut where one fails; and until then trajectories are rough.
// From where another run was stopped, if that is given.
solve::SolveResult run_solver(Setup& setup, const RunContext& context, const StoppedRun* stopped = nullptr);

}  // namespace salvo::estimate
