#include "solve/method/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/step/predicted_gain.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

// An open gap disturbs the matrices by as much as itself: what it could hide or feign is not acted upon.
double rank_tolerance(const nlp::Blocks& blocks, const GaussNewtonRules& rules) {
  return std::clamp(blocks.gap, rules.singular, rules.short_step);
}

}  // namespace

Nodes::Nodes(const Given& given, nlp::Blocks at_start)
    : Given(given),
      memory_((given.options.memories != nullptr ? *given.options.memories : own_).borrow()),
      blocks((*memory_).blocks),
      trial_blocks((*memory_).trial_blocks),
      elimination((*memory_).elimination),
      at_start_(std::move(at_start)),
      knows_start_(!at_start_.chains.empty()) {
  elimination.begin(layout);
}

nlp::Evaluation Nodes::restore(const State& state) {
  if (state.linearised.at.empty()) return {};
  return last_ = problem.linearize(state.linearised.at, state.linearised.request, blocks);
}

void Nodes::begin(State& state) { state.passed.push_back({blocks.infeasibility(), blocks.objective}); }

Trial Nodes::evaluate(const State& state, const Proposal& proposal) {
  Trial trial;
  if (state.phase == PhaseName::start && knows_start_) {
    trial.point = state.point;
    std::swap(trial_blocks, at_start_);
    knows_start_ = false;
    trial.has_derivatives = true;
  } else {
    trial.point = proposal.delta.empty() ? state.point : moved(layout, state.point, proposal.delta, proposal.fraction);
    if (proposal.asks == Asks::gradient) {
      take_frozen_step(state, trial.point, trial);
      return trial;
    }
    trial.has_derivatives = proposal.asks == Asks::derivatives;
    trial.teaches = state.phase == PhaseName::start || state.phase == PhaseName::renewal;
    trial.evaluation = trial.has_derivatives ? problem.linearize(trial.point, state.request, trial_blocks)
                                             : problem.values(trial.point, state.request, trial_blocks);
    last_ = trial.evaluation;
  }
  trial.objective = trial_blocks.objective;
  trial.gap = trial_blocks.gap;
  trial.violation = trial_blocks.violation;
  return trial;
}

Verdict Nodes::differentiate(const State& state, Trial& trial, Verdict verdict) {
  trial.evaluation = last_ = problem.linearize(trial.point, state.request, trial_blocks);
  trial.teaches = true;
  trial.has_derivatives = trial.evaluation.ok;
  if (!trial.evaluation.ok) return {.ending = Ending{Ended::not_computable}};
  trial.objective = trial_blocks.objective;
  trial.gap = trial_blocks.gap;
  trial.violation = trial_blocks.violation;
  return verdict;
}

void Nodes::keep_derivatives() {
  std::swap(blocks, trial_blocks);
  is_factorised_ = false;
}

bool Nodes::is_spent() const { return context.is_spent(); }

std::string_view Nodes::label(PhaseName phase, const State& state) const {
  if (phase == PhaseName::frozen) return "close";
  return state.request.accuracy > options.request.accuracy ? "search" : "join";
}

void Nodes::describe_end(const Ending& ending, SolveResult& result) {
  if (ending.has_derivatives) result.linearized = std::exchange(blocks, std::move(at_start_));
  if (ending.ended == Ended::conflict) result.conflict = linear_.step.conflict;
  if (ending.ended != Ended::no_step && ending.ended != Ended::not_computable) return;
  if (result.trouble.empty()) result.trouble = last_.trouble;
  result.chain = last_.chain;
  result.link = last_.link;
}

const LinearStep& Nodes::linear_step(const State& state) {
  if (is_factorised_) return linear_;
  linear_.sizes = problem.sizes(state.linearised.at);
  elimination.take(blocks, linear_.sizes, rank_tolerance(blocks, rules()));
  elimination.solve(blocks, state.linearised.at, linear_.step);
  write_multipliers(layout, blocks, linear_.step.delta, recursion_, linear_.multipliers);
  linear_.multiplier = largest(linear_.multipliers);
  linear_.length = largest(linear_.step.delta, linear_.sizes);
  in_sight_.reset();
  frozen_.reset();
  is_factorised_ = true;
  return linear_;
}

double Nodes::in_sight(const State& state) {
  const LinearStep& linear = linear_step(state);
  if (!in_sight_) in_sight_ = is_joined() ? predicted_gain(layout, blocks, linear.step.delta) : HUGE_VAL;
  return *in_sight_;
}

bool Nodes::is_last(const State& state) {
  return linear_step(state).length <= options.tolerance && !state.is_searching && !state.is_rough;
}

// Full steps that contract by the factor kappa leave at most kappa / (1 - kappa) |d| behind them; kappa is the larger
// one of the last two steps.
bool Nodes::leaves_nothing(const State& state) {
  if (is_last(state)) return true;
  if (state.is_searching || state.is_rough || !state.took_full_step || !is_joined()) return false;
  const double length = linear_step(state).length;
  const double kappa = std::max(length / state.length, state.length / state.length_before);
  return kappa <= options.rules.trust.contraction && kappa / (1 - kappa) * length <= options.tolerance;
}

// Next to the end the derivatives of the point before it serve as well.
bool Nodes::derivatives_serve(double length) const {
  return length <= options.tolerance / options.rules.trust.contraction;
}

// Whether the sweeps that a linearisation takes cost several times as much as a gradient.
bool Nodes::has_many_columns() const {
  int most = 0;
  for (const nlp::Layout::Chain& chain : layout.chains)
    for (const int size : chain.size) most = std::max(most, size);
  return layout.thetas + most >= rules().many_columns;
}

bool Nodes::can_freeze(const State& state) {
  return state.counters.frozen_phases < rules().most_frozen_phases && has_many_columns() &&
         elimination.can_descend(linear_step(state).step);
}

void Nodes::take_frozen_step(const State& state, const nlp::Point& q, Trial& trial) {
  linear_step(state);
  if (!frozen_) frozen_.emplace(problem, blocks, elimination);
  next_multipliers = state.multipliers;
  trial.evaluation = last_ = frozen_->take(q, state.request, next_multipliers, next_step);
  trial.objective = frozen_->objective();
  trial.gap = frozen_->gap();
  trial.violation = state.violation;
}

void end_search(const Nodes& work, State& state) {
  state.request.accuracy = work.options.request.accuracy;
  state.is_searching = false;
}

namespace {

// Next to nothing is in sight, and hardly less than before.
bool is_idle(const Nodes& work, const State& state, double promised) {
  const Rules& rules = work.options.rules;
  return promised <= rules.certificate.lower && promised > rules.trust.good * state.least_promised;
}

}  // namespace

void note_promise(const Nodes& work, State& state) {
  state.promised = work.last_promise();
  if (is_idle(work, state, state.promised)) ++state.counters.idle;
  state.least_promised = std::min(state.least_promised, state.promised);
}

bool is_flat_and_idle(Nodes& work, const State& state) {
  const double promised = work.in_sight(state);
  return promised <= work.options.rules.certificate.lower && is_closed(work.blocks, work.options) &&
         state.counters.idle + (is_idle(work, state, promised) ? 1 : 0) > work.rules().most_idle;
}

bool falls_joined(const Nodes& work) {
  return work.is_joined() && work.trial_blocks.infeasibility() <= work.options.rules.gaps.comparable &&
         work.trial_blocks.objective < work.blocks.objective;
}

void count_step(Nodes& work, const Proposal& proposal, State& state) {
  state.length_before = std::exchange(state.length, proposal.length * proposal.fraction);
  state.multiplier = work.last_step().multiplier;
  state.constraint_multipliers = work.last_step().step.multipliers;
  state.passed.push_back({work.blocks.infeasibility(), work.blocks.objective});
  const bool is_torn = proposal.is_last && work.blocks.infeasibility() <= work.options.rules.gaps.closed &&
                       !is_closed(work.blocks, work.options);
  if (is_torn) ++state.counters.torn_ends;
  state.counters.contradictions = work.last_step().step.conflict.empty() ? 0 : state.counters.contradictions + 1;
  state.counters.attempts = 0;
  state.phase = PhaseName::full;
}

std::optional<Ending> end_at_nodes(const Nodes& work, const State& state, const Proposal& proposal) {
  const GaussNewtonRules& rules = work.rules();
  const double infeasibility = work.blocks.infeasibility();
  const Counters& counters = state.counters;
  if (proposal.is_last && infeasibility <= work.options.rules.gaps.closed &&
      (is_closed(work.blocks, work.options) || counters.torn_ends > rules.patience))
    return Ending{Ended::tolerance};
  if (counters.contradictions > 0 && (proposal.is_last || counters.contradictions > rules.patience))
    return Ending{Ended::conflict};
  if (work.options.stop_when_joined && state.took_full_step && infeasibility <= work.options.rules.gaps.nearly_joined &&
      state.length <= rules.moderate_step)
    return Ending{Ended::joined, true};
  return std::nullopt;
}

}  // namespace salvo::solve
