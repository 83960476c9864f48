#include "solve/method/gauss_newton.hpp"

#include <utility>

#include "solve/method/loop.hpp"
#include "solve/method/nodes_phases.hpp"
#include "solve/method/start_phase.hpp"

namespace salvo::solve {

const Table<Nodes>& gauss_newton_table() {
  static constexpr Phase<Nodes> phases[] = {row<Nodes, StartPhase<Nodes, PhaseName::full>>(),
                                            row<Nodes, FullPhase>(),
                                            row<Nodes, PartPhase>(),
                                            row<Nodes, DampedPhase>(),
                                            row<Nodes, PenaltyPhase>(),
                                            row<Nodes, RenewalPhase>(),
                                            row<Nodes, FrozenPhase>()};
  static constexpr Table<Nodes> table{phases};
  return table;
}

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context) {
  return gauss_newton(problem, std::move(start), options, context, {});
}

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context, nlp::Blocks at_start) {
  State state{.point = std::move(start), .request = options.request};
  state.request.accuracy = options.search_accuracy;
  state.is_searching = options.search_accuracy > 0;
  state.damping = state.damping_joined = options.rules.damping.first;
  state.penalty = options.rules.penalty.first;
  Nodes work({problem, options, context}, std::move(at_start));
  return run(gauss_newton_table(), work, std::move(state));
}

SolveResult gauss_newton(const nlp::Problem& problem, State from, const SolveOptions& options,
                         const RunContext& context) {
  Nodes work({problem, options, context}, {});
  return run(gauss_newton_table(), work, std::move(from));
}

}  // namespace salvo::solve
