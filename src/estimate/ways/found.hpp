#pragma once

#include "estimate/ways/setup.hpp"
#include "estimate/ways/way.hpp"

namespace salvo::estimate {

// What a run of a way has come to, proved as far as it can be.
Found found(const WayTask& task, Setup setup, solve::SolveResult run);

// Goes on from an answer along one unbroken trajectory per experiment, if that is what it is.
Found gone_on(const Workspace& workspace, Found from, const RunContext& context);
// Goes on from an answer of rougher trajectories along finer ones; proved, if at all, by these alone.
Found found_finer(const Workspace& finer, const Found& rougher, const RunContext& context);
// Again and again, while that may help.
Found gone_on_until_proved(const Workspace& workspace, Found from, const RunContext& context);

}  // namespace salvo::estimate
