#pragma once

#include <utility>

#include "base/stop_flag.hpp"
#include "solve/method/observers.hpp"
#include "solve/method/phase.hpp"

namespace salvo::solve {

// A run whose steps shrink as they do close to a joined solution is about to end: it may finish on credit.
inline bool is_contracting(const State& state, const Rules& rules) {
  return state.took_full_step && state.length < rules.trust.contraction * state.length_before &&
         state.gap <= rules.gaps.nearly_joined;
}

// Whether something other than the method itself ends the run here.
template <class Workspace>
std::optional<Ending> stopped(const Workspace& work, const State& state) {
  const Counters& counters = state.counters;
  if (state.phase == PhaseName::start) return std::nullopt;
  if (counters.iterations >= work.options.max_iterations) return Ending{Ended::iterations};
  if (work.context.is_interrupted()) return Ending{Ended::interrupted};
  if (work.context.is_past_deadline()) return Ending{Ended::deadline};
  if (counters.trials == 0 && work.is_spent() && !is_contracting(state, work.options.rules))
    return Ending{Ended::budget};
  return std::nullopt;
}

// Whether what was evaluated last was given up: it means nothing then, and the run ends with the state before it. A
// start that was given up has nothing to end with; it counts as not computable.
template <class Workspace>
std::optional<Ending> given_up(const Workspace& work, const State& state) {
  if (state.phase == PhaseName::start || !is_raised(work.context.stop)) return std::nullopt;
  const bool is_late = work.context.is_past_deadline() && !work.context.is_interrupted();
  return Ending{is_late ? Ended::deadline : Ended::interrupted};
}

// Whether somebody wants it to go on another time.
inline bool is_wish(const std::optional<Ending>& ending) {
  return ending && (ending->ended == Ended::interrupted || ending->ended == Ended::deadline);
}

// What a trial that stands changes in any method.
template <class Workspace>
void move_to(Workspace& work, const Trial& trial, const Verdict& verdict, State& state) {
  state.point = trial.point;
  state.objective = trial.objective;
  state.gap = trial.gap;
  state.violation = trial.violation;
  if (trial.has_derivatives) {
    state.linearised.at = state.point;
    state.linearised.request = state.request;
    work.keep_derivatives();
  }
  if (trial.teaches) nlp::learn(state.request, trial.evaluation);
  if (verdict.rule.empty()) return;
  if (verdict.rule != start_rule) ++state.counters.iterations;
  state.counters.trials = 0;
}

// The only place that changes a state.
template <class Workspace>
void advance(const Phase<Workspace>& phase, Workspace& work, const Proposal& proposal, const Trial& trial,
             const Verdict& verdict, State& state) {
  if (!proposal.leave) ++state.counters.trials;
  if (verdict.accepted)
    move_to(work, trial, verdict, state);
  else if (trial.teaches && verdict.ending && verdict.ending->ended == Ended::not_computable)
    nlp::learn(state.request, trial.evaluation);
  phase.learn(work, state, proposal, trial, verdict);
}

// Every method: a table of phases, gone through from this state on.
template <class Workspace>
SolveResult run(const Table<Workspace>& table, Workspace& work, State state) {
  Observers observers(work.options, work.context, work.problem.layout().thetas);
  if (const nlp::Evaluation at = work.restore(state); !at.ok)
    return observers.finish(work, std::move(state), {Ended::not_computable, false, at.trouble});
  const RunKeeper* keeper = work.options.keeper;
  if (keeper != nullptr && keeper->restored) keeper->restored();
  for (;;) {
    auto ending = stopped(work, state);
    if (keeper != nullptr && state.phase != PhaseName::start) {
      keeper->at_step();
      if (is_wish(ending) || keeper->is_due()) keeper->keep(observers.so_far(state));
    }
    if (ending) return observers.finish(work, std::move(state), std::move(*ending));
    const Phase<Workspace>& phase = table.at(state.phase);
    const Proposal proposal = phase.propose(work, state);
    Trial trial;
    Verdict verdict;
    if (proposal.leave) {
      verdict.ending = proposal.leave->ending;
    } else {
      trial = work.evaluate(state, proposal);
      verdict = phase.judge(work, state, proposal, trial);
      if (verdict.accepted && !verdict.ending && !trial.has_derivatives && is_linearised_after(proposal))
        verdict = work.differentiate(state, trial, std::move(verdict));
    }
    if (ending = given_up(work, state); ending) {
      if (keeper != nullptr) keeper->keep(observers.so_far(state));
      return observers.finish(work, std::move(state), std::move(*ending));
    }
    advance(phase, work, proposal, trial, verdict, state);
    if (verdict.accepted && !verdict.rule.empty())
      observers.look_at(work.label(phase.name, state), verdict.rule, state);
    if (!verdict.ending && observers.are_over()) verdict.ending = Ending{Ended::early_stopping};
    if (!verdict.ending && verdict.accepted) verdict.ending = phase.ends(work, state, proposal);
    if (verdict.ending) return observers.finish(work, std::move(state), std::move(*verdict.ending));
  }
}

}  // namespace salvo::solve
