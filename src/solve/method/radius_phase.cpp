#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/accept/radius.hpp"
#include "solve/method/descent_phases.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

double largest_entry(const std::vector<double>& d) {
  double most = 0;
  for (const double entry : d) most = std::max(most, std::abs(entry));
  return most;
}

// Nothing more is to be gained: the next step is as short as was asked for, or promises less than enough.
bool is_at_end(DescentWorkspace& work, const State& state, const TrustRegionStep& step) {
  const double promised =
      step.at_radius ? work.step_within(work.rules().longest_radius, state).predicted : step.predicted;
  if (promised <= work.options.enough) return true;
  return !step.at_radius && largest_entry(step.d) <= work.options.tolerance;
}

// Again only if that has led on.
bool may_ask_hessian(DescentWorkspace& work, const State& state) {
  const double worth = work.options.rules.certificate.gain;
  if (!work.options.asks_before_end || state.is_hessian_tried) return false;
  return state.hessian_asked_at - state.objective > worth &&
         work.step_by_information(work.rules().longest_radius, state).predicted > worth;
}

bool is_time_for_hessian(const DescentWorkspace& work, const State& state) {
  const int every = work.rules().patience;
  return every > 0 && (state.counters.iterations + 1) % every == 0 && !state.is_hessian_tried;
}

Proposal end_or_ask(DescentWorkspace& work, const State& state, double predicted, Ended ended) {
  Proposal proposal = may_ask_hessian(work, state) ? leaving_to(PhaseName::last_hessian) : ending_with({ended, true});
  proposal.predicted = predicted;
  return proposal;
}

// Decrease beside what the model with and without its secant term predicted.
void compare_models(const DescentWorkspace& work, const std::vector<double>& d, double decrease, SecantTerm& secant) {
  if (!secant.is_known()) return;
  secant.compare(predicted_decrease(work.model.R, {}, work.model.g, d),
                 predicted_decrease(work.model.R, secant.S(), work.model.g, d), decrease);
}

}  // namespace

Proposal RadiusPhase::propose(DescentWorkspace& work, const State& state) {
  const TrustRules& rules = work.options.rules.trust;
  const int attempts = state.counters.attempts;
  if (attempts == 0 && is_time_for_hessian(work, state)) return leaving_to(PhaseName::hessian);
  TrustRegionStep step = work.step_within(state.radius, state);
  if (attempts == 0 && (state.counters.unresolved > work.rules().most_unresolved || is_at_end(work, state, step)))
    return end_or_ask(work, state, step.predicted, Ended::tolerance);
  const double length = largest_entry(step.d);
  if (attempts >= most_attempts || length <= rules.shortest_step)
    return end_or_ask(work, state, step.predicted, Ended::no_step);
  return {.delta = std::move(step.d),
          .predicted = step.predicted,
          .length = length,
          .at_radius = step.at_radius,
          .asks = attempts == 0 && state.was_good ? Asks::derivatives : Asks::values};
}

Verdict RadiusPhase::judge(DescentWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial) {
  const double noise = work.noise(state);
  if (!trial.evaluation.ok) return {.gain = -1};
  Verdict verdict{.gain = trial.decrease / proposal.predicted};
  if (proposal.predicted <= noise && trial.decrease >= -noise)
    verdict.rule = "resolution";
  else if (verdict.gain > work.options.rules.trust.acceptable)
    verdict.rule = proposal.at_radius ? "damped" : "full";
  verdict.accepted = !verdict.rule.empty();
  verdict.is_good = verdict.gain > work.options.rules.trust.contraction || proposal.predicted <= noise;
  return verdict;
}

void RadiusPhase::learn(DescentWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                        const Verdict& verdict) {
  const Rules& rules = work.options.rules;
  state.promised = proposal.predicted;
  if (proposal.leave) {
    if (!proposal.leave->ending) state.phase = proposal.leave->to;
    return;
  }
  if (trial.evaluation.ok) compare_models(work, proposal.delta, trial.decrease, state.secant);
  state.was_good = verdict.is_good;
  if (verdict.rule == "resolution")
    ++state.counters.unresolved;
  else
    state.radius = radius_after(state.radius, verdict.gain, euclidean(proposal.delta), proposal.at_radius, rules);
  ++state.counters.attempts;
  if (!verdict.accepted) {
    const bool lacks_derivatives = !verdict.rule.empty();
    if (lacks_derivatives) state.radius = shorter_radius(state.radius, euclidean(trial.step), rules);
    return;
  }
  work.renew_model(trial.step, state);
  state.length_before = std::exchange(state.length, largest_entry(trial.step));
  state.took_full_step = !proposal.at_radius;
  state.is_hessian_tried = false;
  state.counters.attempts = 0;
}

}  // namespace salvo::solve
