#pragma once

#include "base/run_context.hpp"
#include "solve/method/descent_workspace.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// Minimises the objective of a problem without gaps, one whose trajectories are unbroken, within its bounds: a
// trust-region method whose metric is that of the parameters' own scales (docs/mathematics.md, section 17). No step is
// taken that does not lower the objective, as far as the errors of integration let it be told: the answer is never
// worse than the start.
SolveResult descend(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                    const RunContext& context);
// Goes on from where another descent was stopped.
SolveResult descend(const nlp::Problem& problem, State from, const SolveOptions& options, const RunContext& context);

const Table<DescentWorkspace>& descent_table();

}  // namespace salvo::solve
