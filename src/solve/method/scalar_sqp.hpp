#pragma once

#include "base/run_context.hpp"
#include "solve/method/scalar_workspace.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// The paper's method: min L(q) s.t. h_j = |G_j|^2 = 0, one adjoint per interval and iteration, SQP with BFGS and a line
// search on an l1 merit f + sum nu_j h_j, one penalty nu_j for each squared gap h_j. `objective_scale` multiplies the
// objective (docs/mathematics.md, section 7: the scale of the data, not of their weights, or the first iterations are
// ruined).
SolveResult scalar_sqp(const nlp::Problem& problem, nlp::Point start, double objective_scale,
                       const SolveOptions& options, const RunContext& context);
// Goes on from where another run was stopped.
SolveResult scalar_sqp(const nlp::Problem& problem, State from, double objective_scale, const SolveOptions& options,
                       const RunContext& context);

const Table<ScalarWorkspace>& scalar_table();

}  // namespace salvo::solve
