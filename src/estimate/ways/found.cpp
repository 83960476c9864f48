#include "estimate/ways/found.hpp"

#include "estimate/answer/proof.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/trajectory.hpp"

namespace salvo::estimate {
namespace {

// What is told of the answer that stands in `answer.run` now.
Found finished(Setup setup, Answer answer) {
  setup.solve.request.stiff = answer.run.request.stiff;
  const Choices choices = choices_of(setup);
  answer.method = choices.method;
  answer.derivatives = choices.derivatives;
  answer.integrator = choices.integrator;
  answer.grids = setup.shooting->grids();
  answer.grids_seen = std::move(setup.grids_seen);
  answer.estimates.clear();
  if (is_point_of(*setup.shooting, answer.run.q)) {
    answer.predictions = predict_all(*setup.shooting, answer.run.q, answer.run.request, setup.last_values);
    for (const Quantity& quantity : quantities(*setup.shooting))
      answer.estimates.push_back(answer.run.q[quantity.unknown]);
  }
  return {std::move(answer), std::move(setup.shooting)};
}

}  // namespace

Found found(const WayTask& task, Setup setup, solve::SolveResult run) {
  if (setup.grids_seen.empty()) setup.grids_seen.push_back(setup.shooting->grids());
  Answer answer{.way = task.planned.way->name,
                .run = std::move(run),
                .remarks = std::move(setup.remarks),
                .start = std::move(setup.beginning)};
  prove(setup, answer, task.context);
  return finished(std::move(setup), std::move(answer));
}

RunContext to_follow(const WayTask& task) {
  const Ledger& ledger = task.workspace.ledger();
  RunContext context = task.context;
  context.share = {&ledger, task.planned.until * ledger.allowed()};
  return context;
}

Found gone_on(const Workspace& workspace, Found from, const RunContext& context) {
  for (const nlp::Layout::Chain& chain : from.shooting->layout().chains)
    if (chain.links() > 0) return from;
  Setup setup{.workspace = &workspace, .shooting = std::move(from.shooting)};
  setup.laid.nodes = model::SingleInterval{};
  setup.grids_seen = std::move(from.answer.grids_seen);
  setup.solve = solve_options(workspace);
  solve::SolveResult next = descend_precisely(setup, from.answer.run.q, context,
                                              {.stiff = from.answer.run.request.stiff, .is_refused = true});
  if (!next.trace.empty()) {
    append(from.answer.run, std::move(next));
    prove(setup, from.answer, context);
  }
  return finished(std::move(setup), std::move(from.answer));
}

}  // namespace salvo::estimate
