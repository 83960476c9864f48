#include "start/start_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "shooting/measurements_by_time.hpp"
#include "shooting/trajectory.hpp"
#include "start/driven_states.hpp"

namespace salvo::start {
namespace {

double start_on_scale(const model::Estimated& estimated, double value) {
  value = std::clamp(value, estimated.lower, estimated.upper);
  if (estimated.scale != model::Scale::lin && !(value > 0)) value = estimated.guess.value_or(1.0);
  return model::to_scale(estimated.scale, value);
}

// The value of an observed state at t, nothing for a hidden one.
std::optional<double> from_data(const ObservedState& state, ObservedNodes nodes, double t) {
  if (nodes == ObservedNodes::simulated || state.series.empty()) return std::nullopt;
  if (nodes == ObservedNodes::smoothed && state.curve) return state.at(t);
  return interpolate(state.series, t);
}

bool some_hidden(const ObservedStates& observed, ObservedNodes nodes) {
  return std::any_of(observed.states.begin(), observed.states.end(),
                     [&](const ObservedState& state) { return !from_data(state, nodes, 0); });
}

// v_0 and the initial values in theta of one chain, each by `initial_value(estimated, state)`.
template <class InitialValue>
void set_initial(const shooting::ShootingProblem& shooting, int c, const InitialValue& initial_value,
                 SharedUnknowns& out) {
  const shooting::UnknownNames& names = shooting.names();
  const int experiment = shooting.grids()[c].experiment;
  const auto& initial = shooting.problem().experiments[experiment].initial;
  for (std::size_t k = 0; k < names.bounded_initial.size(); ++k)
    if (names.bounded_initial[k].experiment == experiment) {
      const int state = names.bounded_initial[k].state;
      out.theta[names.parameter.size() + k] = initial_value(std::get<model::Estimated>(initial[state]), state);
    }
  std::vector<double> v0;
  for (const int state : names.initial[experiment])
    v0.push_back(initial_value(std::get<model::Estimated>(initial[state]), state));
  out.v0.push_back(std::move(v0));
}

SharedUnknowns with_parameters(const shooting::ShootingProblem& shooting, double factor) {
  SharedUnknowns out;
  out.theta.assign(shooting.layout().thetas, 0.0);
  for (std::size_t k = 0; k < shooting.names().parameter.size(); ++k) {
    const auto& estimated = shooting::estimated_theta(shooting.problem(), shooting.names(), static_cast<int>(k));
    out.theta[k] = start_on_scale(estimated, factor * estimated.guess.value_or(1.0));
  }
  return out;
}

shooting::ExperimentValues values_at(const shooting::ShootingProblem& shooting, int c, const SharedUnknowns& unknowns) {
  return shooting.values_of(c, unknowns.theta.data(), unknowns.v0[c].data(), false);
}

// Hidden states at the nodes, driven by the curves: state x node. As far as they go.
Matrix driven_nodes(const shooting::ShootingProblem& shooting, const ObservedStates& observed,
                    const shooting::ExperimentValues& values, const shooting::Grid& grid, const MatchingRules& rules) {
  Matrix out(shooting.model().states, static_cast<int>(grid.tau.size()));
  int reached = 0;
  DrivenStates(shooting.model(), observed, grid.tau, {}, rules)
      .run(values, 0, 0, false, [&](const DrivenStates::At& at) {
        for (int i = 0; i < out.rows; ++i) out(i, at.stop) = at.x[i];
        reached = at.stop;
      });
  for (int j = reached + 1; j < out.cols; ++j)
    for (int i = 0; i < out.rows; ++i) out(i, j) = out(i, reached);
  return out;
}

}  // namespace

std::vector<ObservedStates> observed_at_guess(const shooting::ShootingProblem& shooting, const Rules& rules) {
  SharedUnknowns guess = with_parameters(shooting, 1);
  const std::vector<std::vector<int>> by_time = shooting::measurements_by_time(shooting.problem());
  std::vector<ObservedStates> observed;
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) {
    set_initial(
        shooting, c,
        [](const model::Estimated& estimated, int) { return start_on_scale(estimated, estimated.guess.value_or(1.0)); },
        guess);
    const int experiment = shooting.grids()[c].experiment;
    observed.push_back(observed_states(shooting.problem(), shooting.model(), experiment, by_time[experiment],
                                       values_at(shooting, c, guess), rules));
  }
  return observed;
}

SharedUnknowns guessed(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                       ObservedNodes nodes, double factor) {
  SharedUnknowns out = with_parameters(shooting, factor);
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) {
    const shooting::Grid& grid = shooting.grids()[c];
    set_initial(
        shooting, c,
        [&](const model::Estimated& estimated, int state) {
          const auto datum = from_data(observed[c].states[state], nodes, grid.tau[0]);
          const bool guess_first = grid.intervals() <= 1 && estimated.guess;
          return start_on_scale(estimated, datum && !guess_first ? *datum : estimated.guess.value_or(1.0));
        },
        out);
  }
  return out;
}

nlp::Point lay_nodes(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                     const SharedUnknowns& unknowns, ObservedNodes nodes, HiddenNodes hidden,
                     const MatchingRules& rules) {
  nlp::Point q(shooting.layout().unknowns, 0.0);
  std::copy(unknowns.theta.begin(), unknowns.theta.end(), q.begin());
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) {
    const shooting::Grid& grid = shooting.grids()[c];
    const nlp::Layout::Chain& chain = shooting.layout().chains[c];
    std::copy(unknowns.v0[c].begin(), unknowns.v0[c].end(), q.begin() + chain.offset[0]);
    const shooting::ExperimentValues values = values_at(shooting, c, unknowns);
    Matrix driven;
    if (hidden == HiddenNodes::driven) driven = driven_nodes(shooting, observed[c], values, grid, rules);
    const bool simulate = hidden == HiddenNodes::simulated && some_hidden(observed[c], nodes);
    std::vector<double> x = values.s0;
    for (int j = 1; j <= chain.links(); ++j) {
      shooting::Trajectory arc;
      if (simulate)
        arc = shooting::trajectory(shooting.model(), shooting.options().integrator,
                                   {grid.tau[j - 1], grid.experiment, j == 1}, x, values.p,
                                   std::vector<double>{grid.tau[j]}, shooting.stop());
      const bool reached = arc.states.cols == 1;
      for (int i = 0; i < shooting.model().states; ++i) {
        const ObservedState& state = observed[c].states[i];
        if (hidden == HiddenNodes::driven)
          x[i] = driven(i, j);
        else if (const auto datum = from_data(state, nodes, grid.tau[j]))
          x[i] = *datum;
        else if (reached && arc.ending.ok() && std::isfinite(arc.states(i, 0)))
          x[i] = arc.states(i, 0);
      }
      std::copy(x.begin(), x.end(), q.begin() + chain.offset[j]);
    }
  }
  return q;
}

}  // namespace salvo::start
