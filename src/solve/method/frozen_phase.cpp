#include <algorithm>
#include <utility>

#include "solve/method/nodes_phases.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

bool is_within_bounds(const nlp::Layout& layout, const nlp::Point& q, const std::vector<double>& delta) {
  for (std::size_t i = 0; i < delta.size(); ++i)
    if (q[i] + delta[i] < layout.lower[i] || q[i] + delta[i] > layout.upper[i]) return false;
  return true;
}

// Back to full steps: from a new linearisation, unless the old one is that of the point.
PhaseName after_frozen(const State& state) {
  return state.is_rough || state.counters.attempts > 0 ? PhaseName::renewal : PhaseName::full;
}

}  // namespace

Proposal FrozenPhase::propose(Nodes& work, const State& state) {
  const LinearStep& linear = work.linear_step(state);
  Proposal proposal{.delta = state.pending.empty() ? linear.step.delta : state.pending};
  if (!is_within_bounds(work.layout, state.point, proposal.delta)) return leaving_to(after_frozen(state));
  proposal.length = largest(proposal.delta, linear.sizes);
  proposal.is_last = proposal.length <= work.options.tolerance;
  proposal.asks = proposal.is_last ? Asks::values : Asks::gradient;
  return proposal;
}

// Steps stand while each of them shrinks. A first step that is known roughly leaves to the next what is wrong with it.
Verdict FrozenPhase::judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial) {
  if (!trial.evaluation.ok) return {};
  if (proposal.is_last) {
    if (!is_closed(work.trial_blocks, work.options)) return {};
    return {.accepted = true, .rule = "frozen", .ending = Ending{Ended::tolerance}};
  }
  const std::vector<double>& sizes = work.last_step().sizes;
  const double most = (state.is_rough ? 1 : work.options.rules.trust.contraction) * norm(proposal.delta, sizes);
  if (norm(work.next_step, sizes) > most) return {};
  return {.accepted = true, .rule = "frozen"};
}

void FrozenPhase::learn(Nodes& work, State& state, const Proposal& proposal, const Trial&, const Verdict& verdict) {
  if (!verdict.accepted) {
    state.phase = after_frozen(state);
    state.is_rough = false;
    state.counters.trials = 1;
    state.counters.attempts = 0;
    return;
  }
  state.is_rough = false;
  state.length_before = std::exchange(state.length, proposal.length);
  ++state.counters.attempts;
  if (!proposal.is_last) {
    std::swap(state.pending, work.next_step);
    std::swap(state.multipliers, work.next_multipliers);
  }
  state.multiplier = largest(state.multipliers);
}

}  // namespace salvo::solve
