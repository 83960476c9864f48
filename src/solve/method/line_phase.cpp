#include "solve/method/line_phase.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/accept/armijo.hpp"

namespace salvo::solve {
namespace {

// The gap no longer falls as it should, and is small already.
bool has_stopped_shrinking(const std::vector<Passed>& passed, std::size_t span, double joined_gap) {
  return passed.size() > span && passed.back().gap <= joined_gap &&
         passed.back().gap > 0.5 * passed[passed.size() - 1 - span].gap;
}

double scaled_distance(const nlp::Problem& problem, const nlp::Point& from, const nlp::Point& to) {
  const std::vector<double> sizes = problem.sizes(from);
  double most = 0;
  for (std::size_t i = 0; i < from.size(); ++i) most = std::max(most, std::abs(to[i] - from[i]) / sizes[i]);
  return most;
}

}  // namespace

Proposal LinePhase::propose(ScalarWorkspace& work, const State& state) {
  const SubproblemStep& at = work.subproblem_step(state);
  if (!at.step.delta.allFinite()) {
    Ending ending = work.end_of_road(state);
    ending.trouble = "the quadratic subproblem has no finite solution";
    return ending_with(std::move(ending));
  }
  return {.delta = {at.step.delta.data(), at.step.delta.data() + at.step.delta.size()},
          .predicted = at.g.dot(at.step.delta) - work.penalised_gaps(),
          .fraction = state.fraction};
}

Verdict LinePhase::judge(ScalarWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial) {
  const TrustRules& rules = work.options.rules.trust;
  if (trial.evaluation.ok &&
      falls_enough(work.merit(), work.merit_of_trial(), proposal.fraction * proposal.predicted, rules.acceptable))
    return {.accepted = true, .rule = "line search"};
  const bool is_shortest = !(0.5 * state.fraction > rules.shortest_step);
  if (is_shortest && state.is_curvature_fresh) return {.ending = work.end_of_road(state)};
  return {};
}

void LinePhase::learn(ScalarWorkspace& work, State& state, const Proposal& proposal, const Trial&,
                      const Verdict& verdict) {
  if (proposal.leave || (verdict.ending && !verdict.accepted)) return;
  const SubproblemStep& at = work.subproblem_step(state);
  if (!verdict.accepted) {
    state.fraction *= 0.5;
    if (state.fraction > work.options.rules.trust.shortest_step) return;
    // The curvature that was gathered leads nowhere: it begins again from here.
    state.curvature->reset();
    state.is_curvature_fresh = true;
  } else {
    work.update_curvature(state);
    state.length_before = std::exchange(state.length, scaled_distance(work.problem, at.point, state.point));
    state.is_curvature_fresh = false;
    state.took_full_step = state.fraction == 1;
    state.multiplier = at.largest_multiplier;
    state.passed.push_back({state.gap, state.objective});
  }
  state.gap_penalties = at.penalties;
  state.fraction = 1;
  work.forget_subproblem();
}

std::optional<Ending> LinePhase::ends(const ScalarWorkspace& work, const State& state, const Proposal&) {
  const Rules& rules = work.options.rules;
  // A feasible point is not yet a solution: the steps must have died down too.
  if (!(state.length <= rules.gaps.comparable)) return std::nullopt;
  if (state.gap <= work.options.rules.gaps.closed) return Ending{Ended::tolerance};
  if (has_stopped_shrinking(state.passed, rules.gauss_newton.most_idle, rules.gaps.joined))
    return work.end_of_road(state);
  return std::nullopt;
}

}  // namespace salvo::solve
