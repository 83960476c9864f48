#include "estimate/ways/found.hpp"

#include "estimate/answer/proof.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/trajectory.hpp"
#include "shooting/nodes.hpp"

namespace salvo::estimate {
namespace {

// A proof may take from the whole account whatever is left of the way's part of it, and a look's share on credit.
RunContext for_proof(const Workspace& workspace, const RunContext& context) {
  const Ledger& ledger = workspace.ledger();
  RunContext proving = context;
  proving.share = {&ledger,
                   std::max(ledger.allowed(), ledger.spent() + workspace.rules().account.look * ledger.allowed())};
  return proving;
}

// What is told of the answer that stands in `answer.run` now.
Found finished(Setup setup, Answer answer) {
  setup.solve.request.stiff = answer.run.request.stiff;
  const Choices choices = choices_of(setup);
  answer.method = choices.method;
  answer.derivatives = choices.derivatives;
  answer.integrator = choices.integrator;
  answer.grids = setup.shooting->grids();
  answer.grids_seen = std::move(setup.grids_seen);
  answer.linearised.reset();
  if (!answer.run.linearized.chains.empty()) answer.linearised = answer.run.state.linearised;
  answer.estimates.clear();
  if (is_point_of(*setup.shooting, answer.run.q)) {
    answer.predictions = predict_all(*setup.shooting, answer.run.q, answer.run.request, setup.last_values);
    for (const Quantity& quantity : quantities(*setup.shooting))
      answer.estimates.push_back(answer.run.q[quantity.unknown]);
  }
  return {std::move(answer), std::move(setup.shooting)};
}

// Along one unbroken trajectory for each experiment, on which the answer stands.
Found followed(const Workspace& workspace, Found from, const RunContext& context) {
  Setup setup{.workspace = &workspace, .shooting = std::move(from.shooting)};
  setup.laid.nodes = model::SingleInterval{};
  setup.grids_seen = std::move(from.answer.grids_seen);
  setup.solve = solve_options(workspace);
  solve::SolveResult next = descend_precisely(setup, from.answer.run.q, context,
                                              {.stiff = from.answer.run.request.stiff, .is_refused = true});
  if (!next.trace.empty()) {
    from.answer.stopped.reset();
    next.film.set_grid(static_cast<int>(setup.grids_seen.size()) - 1);
    append(from.answer.run, std::move(next));
    prove(setup, from.answer, for_proof(workspace, context));
  }
  return finished(std::move(setup), std::move(from.answer));
}

}  // namespace

Found found(const WayTask& task, Setup setup, solve::SolveResult run) {
  if (setup.grids_seen.empty()) setup.grids_seen.push_back(setup.shooting->grids());
  Answer answer{.way = std::string(task.planned.way->name),
                .run = std::move(run),
                .remarks = std::move(setup.remarks),
                .start = std::move(setup.beginning),
                .stopped = std::move(setup.stopped)};
  prove(setup, answer, for_proof(task.workspace, task.context));
  return finished(std::move(setup), std::move(answer));
}

Found gone_on(const Workspace& workspace, Found from, const RunContext& context) {
  for (const nlp::Layout::Chain& chain : from.shooting->layout().chains)
    if (chain.links() > 0) return from;
  return followed(workspace, std::move(from), context);
}

Found found_finer(const Workspace& finer, const Found& rougher, const RunContext& context) {
  Found from{rougher.answer, finer.unbroken()};
  Answer& answer = from.answer;
  answer.run.q = shooting::carried_over(*rougher.shooting, rougher.answer.run.q, *from.shooting);
  answer.grids_seen.push_back(from.shooting->grids());
  answer.standing = Standing::no_minimum;  // what was proved was so of other trajectories
  answer.certificate = {};
  answer.root.reset();
  answer.motion.reset();
  return followed(finer, std::move(from), context);
}

Found gone_on_until_proved(const Workspace& workspace, Found from, const RunContext& context) {
  const int most = workspace.rules().answer.continuations;
  for (int n = 0; n < most && !is_proved(from.answer) && !context.should_stop() && !context.is_spent(); ++n)
    from = gone_on(workspace, std::move(from), context);
  return from;
}

}  // namespace salvo::estimate
