#pragma once

#include "base/run_context.hpp"
#include "solve/method/nodes.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// Bock's generalised Gauss-Newton method ([Bock87]): linearise residuals and gaps, solve the constrained least-squares
// problem by structured elimination, and take the full step where the linearisation holds along it; elsewhere a step
// that asks for small gaps only (docs/mathematics.md, section 8).
SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context);
// From a start that may have been linearised already, by the request of the run; if not, at_start is empty.
SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context, nlp::Blocks at_start);
// Goes on from where another run was stopped.
SolveResult gauss_newton(const nlp::Problem& problem, State from, const SolveOptions& options,
                         const RunContext& context);

const Table<Nodes>& gauss_newton_table();

}  // namespace salvo::solve
