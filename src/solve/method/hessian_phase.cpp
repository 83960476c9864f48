#include "solve/method/descent_phases.hpp"

namespace salvo::solve {

Proposal HessianPhase::propose(DescentWorkspace&, const State&) { return {.asks = Asks::hessian}; }

Verdict HessianPhase::judge(DescentWorkspace& work, const State&, const Proposal&, const Trial&) {
  return {.accepted = work.hessian.has_value()};
}

void HessianPhase::learn(DescentWorkspace& work, State& state, const Proposal&, const Trial&, const Verdict& verdict) {
  state.phase = PhaseName::radius;
  state.is_hessian_tried = true;
  state.counters.attempts = 0;
  if (!verdict.accepted) return;
  state.secant.renew(std::move(*work.hessian));
  work.forget_spectra();
}

void LastHessianPhase::learn(DescentWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                             const Verdict& verdict) {
  HessianPhase::learn(work, state, proposal, trial, verdict);
  if (!verdict.accepted) return;
  state.hessian_asked_at = state.objective;
  state.counters.unresolved = 0;
  state.radius = work.rules().first_radius;
}

}  // namespace salvo::solve
