#include "fit/simulate.hpp"

#include <algorithm>

#include "estimate/quantities.hpp"
#include "fit/places.hpp"
#include "integrate/integrator.hpp"
#include "model/algebraic.hpp"
#include "shooting/experiment_values.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::fit {
namespace {

constexpr int default_points = 201;

// The values at which everything stands: the guesses, on their scales.
double guess_of(const model::Estimated& estimated) {
  return model::to_scale(estimated.scale, estimated.guess.value_or(1.0));
}

// The last time, for each experiment, at which something was measured; its start, if nothing was.
std::vector<double> last_times(const model::Problem& problem) {
  std::vector<double> out;
  for (const model::Experiment& experiment : problem.experiments) out.push_back(experiment.start);
  for (const auto* list : {&problem.measurements, &problem.validation})
    for (const model::Measurement& m : *list) out[m.experiment] = std::max(out[m.experiment], m.time);
  return out;
}

std::vector<double> times_for(const model::Problem& problem, int experiment, double last_measured,
                              const SimulateOptions& options) {
  if (!options.at.empty()) {
    std::vector<double> times;
    for (const double t : options.at)
      if (t >= problem.experiments[experiment].start) times.push_back(t);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }
  const double start = problem.experiments[experiment].start;
  const double until = options.until.value_or(last_measured);
  std::vector<double> times{start};
  for (int k = 1; k < default_points && until > start; ++k)
    times.push_back(k + 1 == default_points ? until : start + (until - start) * k / (default_points - 1));
  return times;
}

}  // namespace

SimulateResult simulate(const model::Problem& given, const SimulateOptions& options) {
  if (std::string refusal = estimate::why_not(given, options.values); !refusal.empty())
    return {.ok = false, .message = std::move(refusal)};
  model::Problem problem = options.places.empty() ? given : read_at(given, options.places);
  estimate::set_guesses(problem, options.values);
  const auto model = compile::compile(problem);
  const auto names = shooting::unknown_names(problem);
  const auto integrator = model::integrator_for(problem, options.integrator);
  std::vector<double> theta;
  for (int k = 0; k < names.thetas(); ++k) theta.push_back(guess_of(shooting::estimated_theta(problem, names, k)));

  const std::vector<double> last_measured = last_times(problem);
  SimulateResult result;
  shooting::ExperimentRoom room;  // of all experiments
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e) {
    std::vector<double> v0;
    for (const int state : names.initial[e])
      v0.push_back(guess_of(std::get<model::Estimated>(problem.experiments[e].initial[state])));
    shooting::ExperimentValues values;
    shooting::write_experiment_values({problem, *model, names, e, theta.data(), v0.data()}, false, room, values);
    if (!values.trouble.empty()) {
      if (result.ok) result.message = values.trouble;
      result.ok = false;
      continue;
    }
    const auto times = times_for(problem, e, last_measured[e], options);
    const auto arc = shooting::trajectory(*model, integrator, {.time = problem.experiments[e].start, .experiment = e},
                                          values.s0, values.p, times);
    result.experiments.push_back({.experiment = e,
                                  .interval = 0,
                                  .time = arc.time,
                                  .states = arc.states,
                                  .observables = shooting::observables_along(*model, arc, values.p)});
    if (arc.ending.ok() || !result.ok) continue;
    result.ok = false;
    if (problem.experiments.size() > 1) result.message = "in experiment '" + problem.experiments[e].id + "', ";
    result.message += integrate::describe(arc.ending, model->state_names);
  }
  return result;
}

}  // namespace salvo::fit
