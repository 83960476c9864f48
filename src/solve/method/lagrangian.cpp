#include "solve/method/lagrangian.hpp"

#include <utility>

#include "solve/method/krylov_phase.hpp"
#include "solve/method/loop.hpp"
#include "solve/method/start_phase.hpp"

namespace salvo::solve {

const Table<LagrangianWorkspace>& lagrangian_table() {
  static constexpr Phase<LagrangianWorkspace> phases[] = {
      row<LagrangianWorkspace, StartPhase<LagrangianWorkspace, PhaseName::krylov>>(),
      row<LagrangianWorkspace, KrylovPhase>()};
  static constexpr Table<LagrangianWorkspace> table{phases};
  return table;
}

SolveResult lagrangian(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                       const RunContext& context) {
  State state{.point = std::move(start), .request = options.request};
  state.damping = options.rules.damping.first;
  state.penalty = options.rules.penalty.first;
  return lagrangian(problem, std::move(state), options, context);
}

SolveResult lagrangian(const nlp::Problem& problem, State from, const SolveOptions& options,
                       const RunContext& context) {
  LagrangianWorkspace work({problem, options, context});
  return run(lagrangian_table(), work, std::move(from));
}

}  // namespace salvo::solve
