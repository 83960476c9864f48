#include "solve/method/descent_workspace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/quadratic/hessian.hpp"
#include "solve/state/units.hpp"

namespace salvo::solve {

nlp::Evaluation DescentWorkspace::restore(const State& state) {
  if (state.linearised.at.empty()) return {};
  last_ = problem.linearize(state.linearised.at, state.linearised.request, here_);
  if (!last_.ok) return last_;
  units = units_of(problem, state.linearised.at);
  take(layout, here_, state.units, model);
  change_units_of_model(state.units);
  return last_;
}

void DescentWorkspace::begin(State& state) {
  state.units = units = units_of(problem, state.point);
  take(layout, here_, units, model);
}

Trial DescentWorkspace::evaluate(const State& state, const Proposal& proposal) {
  if (proposal.asks == Asks::hessian) {
    hessian = beyond_information(problem, state.point, state.request, units, model, options.rules.certificate.hessian);
    return {.point = state.point, .objective = state.objective, .gap = state.gap};
  }
  if (state.phase == PhaseName::start) {
    Trial trial{.point = state.point, .has_derivatives = true};
    trial.evaluation = last_ = problem.linearize(trial.point, state.request, there_);
    trial.teaches = trial.evaluation.ok;
    trial.objective = there_.objective;
    trial.gap = there_.gap;
    return trial;
  }
  Trial trial = evaluate_at(state, proposal.delta, proposal.asks == Asks::derivatives);
  for (int n = 0;
       n < rules().most_bends && trial.evaluation.ok && trial.decrease < options.rules.trust.good * proposal.predicted;
       ++n)
    if (!bend(state, trial)) break;
  return trial;
}

Trial DescentWorkspace::evaluate_at(const State& state, const std::vector<double>& d, bool with_derivatives) {
  Trial trial{.point = state.point, .has_derivatives = with_derivatives, .step = d};
  for (std::size_t i = 0; i < d.size(); ++i)
    trial.point[i] = std::clamp(trial.point[i] + units[i] * d[i], layout.lower[i], layout.upper[i]);
  last_ = with_derivatives ? problem.linearize(trial.point, state.request, there_)
                           : problem.values(trial.point, state.request, there_);
  trial.evaluation = last_;
  trial.teaches = with_derivatives && last_.ok;
  if (!last_.ok) return trial;
  trial.decrease = here_.objective - there_.objective;
  trial.objective = there_.objective;
  trial.gap = there_.gap;
  return trial;
}

bool DescentWorkspace::bend(const State& state, Trial& trial) {
  std::vector<double> g = gradient_of(layout, here_, there_, units);  // J'r of here with the residuals of there
  const std::vector<double> Bd = times_squares(model.R, trial.step);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] -= Bd[i];
  const Matrix none;
  const TrustRegionStep bent = solve(state.radius, state.secant.is_better() ? state.secant.S() : none, g, state);
  std::swap(there_, elsewhere_);
  Trial other = evaluate_at(state, bent.d, false);
  if (other.evaluation.ok && other.decrease > trial.decrease) {
    trial = std::move(other);
    return true;
  }
  std::swap(there_, elsewhere_);
  return false;
}

// Values, but no derivatives: the step is refused.
Verdict DescentWorkspace::differentiate(const State& state, Trial& trial, Verdict verdict) {
  last_ = problem.linearize(trial.point, state.request, there_);
  trial.has_derivatives = last_.ok;
  if (!last_.ok) {
    verdict.accepted = false;
    return verdict;
  }
  trial.evaluation = last_;
  trial.teaches = true;
  trial.objective = there_.objective;
  trial.gap = there_.gap;
  return verdict;
}

void DescentWorkspace::keep_derivatives() { std::swap(here_, there_); }

void DescentWorkspace::describe_end(const Ending& ending, SolveResult& result) {
  if (ending.ended == Ended::interrupted || ending.ended == Ended::deadline) return;
  if (ending.ended == Ended::no_step || ending.ended == Ended::not_computable) {
    result.trouble = last_.trouble;
    result.chain = last_.chain;
    result.link = last_.link;
  }
  if (ending.ended != Ended::not_computable) result.linearized = std::move(here_);
}

TrustRegionStep DescentWorkspace::solve(double radius, const Matrix& S, const std::vector<double>& g,
                                        const State& state) {
  TrustRegion region{.R = model.R, .S = S, .g = g, .radius = radius, .negligible = noise(state)};
  for (std::size_t i = 0; i < units.size(); ++i) {
    region.lower.push_back((layout.lower[i] - state.point[i]) / units[i]);
    region.upper.push_back((layout.upper[i] - state.point[i]) / units[i]);
  }
  return solve_trust_region(region, spectra_);
}

TrustRegionStep DescentWorkspace::step_by_information(double radius, const State& state) {
  return solve(radius, {}, model.g, state);
}

TrustRegionStep DescentWorkspace::step_within(double radius, const State& state) {
  if (!state.secant.is_better()) return step_by_information(radius, state);
  return solve(radius, state.secant.S(), model.g, state);
}

void DescentWorkspace::change_units_of_model(const std::vector<double>& from) {
  std::vector<double> by(units.size());
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = units[i] / from[i];
  change_units(by, model);
  spectra_ = {};
}

void DescentWorkspace::renew_model(const std::vector<double>& step, State& state) {
  const std::vector<double> before = model.g;
  state.units = units;  // of the step
  take(layout, here_, state.units, model);
  state.secant.update(step, before, model.g, model.R);
  units = units_of(problem, state.point);
  std::vector<double> by(units.size());
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = units[i] / state.units[i];
  state.secant.rescale(by);
  change_units_of_model(state.units);
}

}  // namespace salvo::solve
