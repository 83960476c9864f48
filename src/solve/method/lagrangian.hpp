#pragma once

#include "base/run_context.hpp"
#include "solve/method/lagrangian_workspace.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// For very many thetas: the augmented Lagrangian L + sum_j (y_j' G_j + rho/2 |D^-1 G_j|^2), minimised by steps of
// Levenberg and Marquardt whose nodes are eliminated and whose thetas come from conjugate gradients; in between the
// multipliers y take over what the gaps ask for (docs/mathematics.md, section 14). No block by theta is ever formed.
SolveResult lagrangian(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                       const RunContext& context);
// Goes on from where another run was stopped.
SolveResult lagrangian(const nlp::Problem& problem, State from, const SolveOptions& options, const RunContext& context);

const Table<LagrangianWorkspace>& lagrangian_table();

}  // namespace salvo::solve
