#include "solve/method/descent.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "solve/method/descent_phases.hpp"
#include "solve/method/loop.hpp"
#include "solve/method/start_phase.hpp"

namespace salvo::solve {

const Table<DescentWorkspace>& descent_table() {
  static constexpr Phase<DescentWorkspace> phases[] = {
      row<DescentWorkspace, StartPhase<DescentWorkspace, PhaseName::radius>>(), row<DescentWorkspace, RadiusPhase>(),
      row<DescentWorkspace, HessianPhase>(), row<DescentWorkspace, LastHessianPhase>()};
  static constexpr Table<DescentWorkspace> table{phases};
  return table;
}

SolveResult descend(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                    const RunContext& context) {
  const nlp::Layout& layout = problem.layout();
  State state{.point = std::move(start), .request = options.request};
  state.radius = options.rules.descent.first_radius;
  for (std::size_t i = 0; i < state.point.size(); ++i)
    state.point[i] = std::clamp(state.point[i], layout.lower[i], layout.upper[i]);
  return descend(problem, std::move(state), options, context);
}

SolveResult descend(const nlp::Problem& problem, State from, const SolveOptions& options, const RunContext& context) {
  for (const nlp::Layout::Chain& chain : problem.layout().chains) SALVO_EXPECTS(chain.links() == 0);
  DescentWorkspace work({problem, options, context});
  return run(descent_table(), work, std::move(from));
}

}  // namespace salvo::solve
