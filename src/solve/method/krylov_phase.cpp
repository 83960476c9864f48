#include "solve/method/krylov_phase.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/accept/damping.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {

Proposal KrylovPhase::propose(LagrangianWorkspace& work, const State& state) {
  const LagrangianRules& rules = work.options.rules.lagrangian;
  // While gaps are open, nodes can follow the data as closely as they like; a sigma would follow to zero.
  const std::vector<bool> fixed = work.is_joined() ? std::vector<bool>{} : work.layout.noise_only;
  const double reduction = work.is_joined() ? std::pow(rules.reduction, 3) : rules.reduction;
  KrylovStep step = krylov_step(work.penalised(state), state.point, fixed, reduction, work.context);
  const double length = largest(step.delta, work.sizes);
  return {.delta = std::move(step.delta),
          .predicted = step.predicted,
          .length = length,
          .is_last = length <= work.options.tolerance};
}

Verdict KrylovPhase::judge(LagrangianWorkspace& work, const State& state, const Proposal& proposal,
                           const Trial& trial) {
  const Rules& rules = work.options.rules;
  // Below this the objective changes by the errors of the integration, and a step is not judged by it.
  const double noise =
      work.is_joined() ? rules.descent.noise * (1 + std::abs(work.lagrange_function(work.blocks, state))) : 0;
  const bool is_noise =
      trial.evaluation.ok && work.is_joined() && proposal.predicted <= noise && trial.decrease >= -noise;
  Verdict verdict{.rule = "line search", .gain = trial.decrease / proposal.predicted};
  verdict.is_good = (trial.evaluation.ok && proposal.is_last) || is_noise;
  verdict.accepted = is_acceptable(verdict.gain, rules.trust) || verdict.is_good;
  verdict.brings_little = trial.decrease < rules.penalty.little_progress * work.half_squares_before(state);
  const bool is_final = state.counters.attempts + 1 >= most_attempts || proposal.length < rules.trust.shortest_step;
  if (!verdict.accepted && is_final) verdict.ending = Ending{Ended::no_step};
  return verdict;
}

void KrylovPhase::learn(LagrangianWorkspace& work, State& state, const Proposal& proposal, const Trial&,
                        const Verdict& verdict) {
  const Rules& rules = work.options.rules;
  Counters& counters = state.counters;
  if (!verdict.is_good) state.damping = damping_after(state.damping, verdict.gain, rules);
  ++counters.attempts;
  if (!verdict.accepted) return;
  // A step that had to be shortened first says nothing about what is to be had with this penalty.
  const bool at_once = counters.attempts == 1;
  counters.little_steps = verdict.brings_little ? counters.little_steps + (at_once ? 1 : 0) : 0;
  if (counters.little_steps >= rules.lagrangian.little_steps) {
    counters.little_steps = 0;
    work.update_multipliers(state);
    if (state.gap > rules.lagrangian.reduction * state.gap_at_update)
      state.penalty = std::min(rules.penalty.growth * state.penalty, rules.penalty.highest);
    state.gap_at_update = state.gap;
  }
  state.multiplier = largest(state.multipliers);
  state.length_before = std::exchange(state.length, proposal.length);
  state.took_full_step = false;
  counters.attempts = 0;
  work.sizes = work.problem.sizes(state.point);
}

std::optional<Ending> KrylovPhase::ends(const LagrangianWorkspace& work, const State& state, const Proposal& proposal) {
  if (proposal.is_last && state.gap <= work.options.rules.gaps.closed) return Ending{Ended::tolerance};
  return std::nullopt;
}

}  // namespace salvo::solve
