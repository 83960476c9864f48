#include "solve/method/scalar_sqp.hpp"

#include <utility>

#include "solve/method/line_phase.hpp"
#include "solve/method/loop.hpp"
#include "solve/method/start_phase.hpp"

namespace salvo::solve {

const Table<ScalarWorkspace>& scalar_table() {
  static constexpr Phase<ScalarWorkspace> phases[] = {
      row<ScalarWorkspace, StartPhase<ScalarWorkspace, PhaseName::line>>(), row<ScalarWorkspace, LinePhase>()};
  static constexpr Table<ScalarWorkspace> table{phases};
  return table;
}

SolveResult scalar_sqp(const nlp::Problem& problem, nlp::Point start, double objective_scale,
                       const SolveOptions& options, const RunContext& context) {
  State state{.point = std::move(start), .request = options.request};
  return scalar_sqp(problem, std::move(state), objective_scale, options, context);
}

SolveResult scalar_sqp(const nlp::Problem& problem, State from, double objective_scale, const SolveOptions& options,
                       const RunContext& context) {
  ScalarWorkspace work({problem, options, context}, objective_scale);
  return run(scalar_table(), work, std::move(from));
}

}  // namespace salvo::solve
