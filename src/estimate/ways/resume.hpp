#pragma once

#include "estimate/ways/setup.hpp"
#include "estimate/ways/way.hpp"

namespace salvo::estimate {

// Whether a run was told to stop and can be gone on with. What early stopping has seen and how far the corner of a law
// is rounded are no part of a state: such runs are begun again.
bool can_go_on(const Setup& setup, const solve::SolveResult& run);

// The run that a way goes on with; null: it begins.
const StoppedRun* stopped_run(const WayTask& task);
// Its setup as it was when the last part of it began, or that of a run which begins.
Setup setup_of(const WayTask& task);

// A run up to where it was stopped, and from there on.
solve::SolveResult whole_of(solve::SolveResult stopped, solve::SolveResult rest);

// An answer that was read, laid on its nodes again, with all that is not written down and follows from its point.
Found found_again(const Workspace& workspace, Answer answer);

}  // namespace salvo::estimate
