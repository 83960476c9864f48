#include "shooting/trajectory.hpp"

#include "integrate/integrator.hpp"
#include "integrate/switchboard.hpp"

namespace salvo::shooting {

int most_steps(std::size_t stops) { return integrate::default_max_steps + static_cast<int>(stops); }

Trajectory trajectory(const compile::CompiledModel& model, const model::Integrator& integrator, const Departure& from,
                      std::span<const double> x, std::span<const double> p, std::span<const double> times,
                      const StopFlag* stop) {
  std::size_t at_begin = 0;
  // Where equations look into the past, the begin itself is a stop.
  while (!model.looks_back() && at_begin < times.size() && times[at_begin] <= from.time) ++at_begin;
  integrate::Record<1> record{.keeps_steps = false};
  if (at_begin < times.size()) {
    const int knots = model.knots_between(from.experiment, from.time, times.back());
    integrate::Launch<1> launch{.max_steps = most_steps(times.size() - at_begin + knots),
                                .begin = {from.time},
                                .stops = {times.subspan(at_begin)},
                                .x0 = x.data(),
                                .p = p.data(),
                                .experiment = {from.experiment},
                                .is_start = {from.is_start},
                                .stop = stop};
    integrate::Scratch scratch;
    integrate::integrate<1>(model, integrator, launch, record, scratch);
    if (integrate::turned_out_stiff(integrator, record.ending[0], launch.max_steps) && model.stiff)
      integrate::integrate<1>(model, integrate::for_stiff(integrator), launch, record, scratch);
  }
  // Where nothing follows, algebraic variables are still to be solved for.
  if (at_begin == times.size() && !model.algebraic.empty())
    record.ending[0] = integrate::begin(model,
                                        {.p = p.data(),
                                         .time = from.time,
                                         .experiment = from.experiment,
                                         .is_start = from.is_start,
                                         .frozen_budget = record.frozen_budget},
                                        x, record.jumps[0]);
  Trajectory out;
  const std::size_t reached = at_begin + record.stop_slot[0].size();
  out.time.assign(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(reached));
  out.states.resize(model.states, static_cast<int>(reached));
  out.steps.assign(reached, 0);
  for (std::size_t k = at_begin; k < reached; ++k)
    out.steps[k] = record.stop_slot[0][k - at_begin] - (k > at_begin ? record.stop_slot[0][k - at_begin - 1] : 0);
  out.experiment = from.experiment;
  out.ending = record.ending[0];
  out.jumps = record.jumps[0];
  const integrate::Jump* at_once = integrate::last_jump_before(record.jumps[0], 0);
  const double* x_begin = at_once != nullptr ? at_once->after.data() : x.data();
  out.delayed.resize(model.observed() - model.states, static_cast<int>(reached));
  for (std::size_t k = 0; k < reached; ++k) {
    const double* seen = k < at_begin ? nullptr : record.x_stop[0].data() + (k - at_begin) * model.observed();
    for (int i = 0; i < model.states; ++i) out.states(i, static_cast<int>(k)) = k < at_begin ? x_begin[i] : seen[i];
    for (int i = 0; i < out.delayed.rows; ++i) out.delayed(i, static_cast<int>(k)) = seen[model.states + i];
  }
  return out;
}

std::vector<double> Trajectory::observed(int k) const {
  const auto column = [&](const Matrix& of) {
    const auto begin = of.data.begin() + static_cast<std::ptrdiff_t>(k) * of.rows;
    return std::vector<double>(begin, begin + of.rows);
  };
  std::vector<double> out = column(states);
  const std::vector<double> earlier = column(delayed);
  out.insert(out.end(), earlier.begin(), earlier.end());
  return out;
}

Matrix observables_along(const compile::CompiledModel& model, const Trajectory& trajectory, std::span<const double> p) {
  Matrix out(static_cast<int>(model.observables.size()), trajectory.states.cols);
  std::vector<double> work(model.largest_work());
  std::vector<double> room;
  double both[2];
  for (int k = 0; k < out.cols; ++k) {
    const double* p_there = model.parameters_at(trajectory.experiment, trajectory.time[k], p.data(), room);
    const std::vector<double> observed = trajectory.observed(k);
    for (int o = 0; o < out.rows; ++o) {
      model.observables[o].value.run<1>({.time = &trajectory.time[k], .state = observed.data(), .parameter = p_there},
                                        work.data(), both);
      out(o, k) = both[0];
    }
  }
  return out;
}

}  // namespace salvo::shooting
