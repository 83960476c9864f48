#include "nlp/constraints.hpp"
#include "solve/accept/damping.hpp"
#include "solve/method/nodes_phases.hpp"
#include "solve/step/penalty_step.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

// Nothing leads on from here.
Ending end_without_step(const Nodes& work, const State& state) {
  const double joined = work.options.rules.gaps.joined;
  if (is_closed(work.blocks, work.options) && state.promised <= work.options.rules.certificate.lower)
    return {Ended::tolerance, true};
  const bool is_conflict = work.blocks.violation > joined && !work.last_step().step.conflict.empty();
  return {is_conflict ? Ended::conflict : Ended::no_step};
}

}  // namespace

Proposal PenaltyPhase::propose(Nodes& work, const State& state) {
  const std::vector<double>& sizes = work.linear_step(state).sizes;
  PenaltyStep step =
      penalty_step(work.layout, state.point, work.blocks, sizes, state.penalty, state.damping, work.options.rules);
  const double length = largest(step.delta, sizes);
  return {
      .delta = std::move(step.delta), .predicted = step.predicted, .length = length, .is_last = work.is_last(state)};
}

Verdict PenaltyPhase::judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial) {
  const Rules& rules = work.options.rules;
  const std::vector<double>& sizes = work.last_step().sizes;
  const std::vector<double> constraint_sizes = nlp::constraint_sizes(work.layout, work.blocks, sizes);
  const auto charged = [&](const nlp::Blocks& blocks) {
    return penalty_objective(work.layout, blocks, sizes, constraint_sizes, state.penalty);
  };
  const double decrease = trial.evaluation.ok ? charged(work.blocks) - charged(work.trial_blocks) : -1;
  Verdict verdict{.rule = "penalty", .gain = decrease / proposal.predicted};
  verdict.accepted = is_acceptable(verdict.gain, rules.trust);
  verdict.brings_little =
      decrease < rules.penalty.little_progress * sum_of_squares(work.layout, work.blocks, sizes, state.penalty);
  const bool is_final = state.counters.attempts + 1 >= most_attempts || proposal.length < rules.trust.shortest_step;
  if (!verdict.accepted && is_final) verdict.ending = end_without_step(work, state);
  return verdict;
}

void PenaltyPhase::learn(Nodes& work, State& state, const Proposal& proposal, const Trial&, const Verdict& verdict) {
  const PenaltyRules& rules = work.options.rules.penalty;
  state.damping = damping_after(state.damping, verdict.gain, work.options.rules);
  ++state.counters.attempts;
  if (!verdict.accepted) return;
  if (verdict.brings_little) state.penalty *= rules.growth;
  count_step(work, proposal, state);
}

}  // namespace salvo::solve
