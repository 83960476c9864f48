#include "shooting/experiment_values.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "shooting/rest.hpp"

namespace salvo::shooting {
namespace {

bool is_shared(const model::Problem& problem, int experiment) {
  return std::any_of(problem.experiments.begin(), problem.experiments.end(),
                     [&](const model::Experiment& other) { return other.initial_of == experiment; });
}

// Whose estimated initial values those of an experiment are.
int owner_of_initial(const model::Problem& problem, int experiment) {
  const int other = problem.experiments[experiment].initial_of;
  return other >= 0 ? other : experiment;
}

}  // namespace

UnknownNames unknown_names(const model::Problem& problem) {
  UnknownNames names;
  for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k)
    if (problem.parameters[k].is_estimated()) names.parameter.push_back(k);
  std::vector<bool> is_measured(problem.experiments.size(), false);
  for (const model::Measurement& measurement : problem.measurements) is_measured[measurement.experiment] = true;
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e) {
    const auto& initial = problem.experiments[e].initial;
    std::vector<int> free;
    for (int i = 0; i < static_cast<int>(initial.size()); ++i) {
      const auto* estimated = std::get_if<model::Estimated>(&initial[i]);
      if (estimated == nullptr || problem.experiments[e].initial_of >= 0) continue;
      const bool is_bounded = std::isfinite(estimated->lower) || std::isfinite(estimated->upper);
      const bool is_constrained = problem.states[i].initial != expression::no_node;
      if (is_measured[e] && (is_bounded || is_constrained || is_shared(problem, e)))
        names.bounded_initial.push_back({e, i});
      else
        free.push_back(i);
    }
    names.initial.push_back(std::move(free));
  }
  return names;
}

const model::Estimated& estimated_theta(const model::Problem& problem, const UnknownNames& names, int k) {
  const int parameters = static_cast<int>(names.parameter.size());
  if (k < parameters) return std::get<model::Estimated>(problem.parameters[names.parameter[k]].value);
  const auto& [experiment, state] = names.bounded_initial[k - parameters];
  return std::get<model::Estimated>(problem.experiments[experiment].initial[state]);
}

int acting_thetas(const model::Problem& problem, const compile::CompiledModel& model, const UnknownNames& names,
                  int experiment, bool from_start) {
  std::vector<bool> acts(names.thetas(), false);
  const compile::Pattern& pattern = model.experiments[experiment].pattern;
  for (int z = 0; z < pattern.size(); ++z)
    if (pattern.row[z] < model.active ? model.rhs_uses[pattern.row[z]] : from_start) acts[pattern.column[z]] = true;
  if (from_start && model.resting)
    for (const int k : model.resting->model->experiments[experiment].pattern.column) acts[k] = true;
  for (std::size_t k = 0; k < names.bounded_initial.size() && from_start; ++k)
    if (names.bounded_initial[k].experiment == owner_of_initial(problem, experiment))
      acts[names.parameter.size() + k] = true;
  return static_cast<int>(std::count(acts.begin(), acts.end(), true));
}

namespace {

// Estimated initial values stand in theta or in v_0, each on its scale. Those that are known are left at zero.
void write_estimated_initial(const ExperimentPoint& point, ExperimentValues& out) {
  const auto& [problem, model, names, experiment, theta, v0] = point;
  out.s0.assign(model.states, 0.0);
  out.s0_by_theta.clear();
  out.s0_by_block.clear();
  for (int k = 0; k < static_cast<int>(names.bounded_initial.size()); ++k) {
    const auto& bounded = names.bounded_initial[k];
    if (bounded.experiment != owner_of_initial(problem, experiment)) continue;
    const int column = static_cast<int>(names.parameter.size()) + k;
    const model::Scale scale = estimated_theta(problem, names, column).scale;
    out.s0[bounded.state] = model::from_scale(scale, theta[column]);
    out.s0_by_theta.push_back({bounded.state, column, model::from_scale_slope(scale, theta[column])});
  }
  const std::vector<int>& free = names.initial[experiment];
  for (int i = 0; i < static_cast<int>(free.size()); ++i) {
    const auto& estimated = std::get<model::Estimated>(problem.experiments[experiment].initial[free[i]]);
    out.s0[free[i]] = model::from_scale(estimated.scale, v0[i]);
    out.s0_by_block.push_back({free[i], i, model::from_scale_slope(estimated.scale, v0[i])});
  }
}

// Known initial values that depend on estimated ones: the chain rule through the slopes of those.
void add_slopes_by_initial(const compile::ExperimentKernel& kernel, const std::vector<double>& nonzeros,
                           ExperimentValues& out) {
  const auto add = [&](std::vector<Slope>& slopes) {
    const std::size_t estimated = slopes.size();
    for (int z = 0; z < kernel.by_initial.size(); ++z)
      for (std::size_t k = 0; k < estimated; ++k)
        if (slopes[k].row == kernel.by_initial.column[z])
          slopes.push_back(
              {kernel.by_initial.row[z], slopes[k].column, nonzeros[kernel.pattern.size() + z] * slopes[k].value});
  };
  add(out.s0_by_theta);
  add(out.s0_by_block);
}

void write_values(const ExperimentPoint& point, bool with_derivatives, ExperimentRoom& room, ExperimentValues& out) {
  const auto& [problem, model, names, experiment, theta, v0] = point;
  const compile::ExperimentKernel& kernel = model.experiments[experiment];
  room.user.resize(names.parameter.size());
  room.slope.resize(names.parameter.size());
  for (std::size_t i = 0; i < room.user.size(); ++i) {
    const auto scale = std::get<model::Estimated>(problem.parameters[names.parameter[i]].value).scale;
    room.user[i] = model::from_scale(scale, theta[i]);
    room.slope[i] = model::from_scale_slope(scale, theta[i]);
  }
  write_estimated_initial(point, out);
  room.work.resize(std::max(kernel.value.work_size(), kernel.derivative.work_size()));
  room.numbers.resize(kernel.value.output_count());
  kernel.value.run<1>({.parameter = room.user.data(), .seed = out.s0.data()}, room.work.data(), room.numbers.data());
  out.p.assign(room.numbers.begin(), room.numbers.begin() + model.parameters);
  for (int i = 0; i < model.states; ++i)
    if (std::holds_alternative<model::NodeId>(problem.experiments[experiment].initial[i]))
      out.s0[i] = room.numbers[model.parameters + i];
  out.p_by_theta.clear();
  if (!with_derivatives) return;

  room.numbers.resize(kernel.derivative.output_count());
  kernel.derivative.run<1>({.parameter = room.user.data(), .seed = out.s0.data()}, room.work.data(),
                           room.numbers.data());
  add_slopes_by_initial(kernel, room.numbers, out);
  for (int z = 0; z < kernel.pattern.size(); ++z) {
    const int row = kernel.pattern.row[z];
    const int column = kernel.pattern.column[z];
    const double slope = room.numbers[z] * room.slope[column];
    if (row < model.active)
      out.p_by_theta.push_back({row, column, slope});
    else
      out.s0_by_theta.push_back({row - model.active, column, slope});
  }
}

}  // namespace

void write_experiment_values(const ExperimentPoint& point, bool with_derivatives, ExperimentRoom& room,
                             ExperimentValues& out) {
  write_values(point, with_derivatives, room, out);
  out.trouble.clear();
  if (point.problem.experiments[point.experiment].equilibrate) begin_at_rest(point, with_derivatives, room, out);
}

ExperimentValues experiment_values(const model::Problem& problem, const compile::CompiledModel& model,
                                   const UnknownNames& names, int experiment, const double* theta, const double* v0,
                                   bool with_derivatives) {
  ExperimentRoom room;
  ExperimentValues out;
  write_experiment_values({problem, model, names, experiment, theta, v0}, with_derivatives, room, out);
  return out;
}

}  // namespace salvo::shooting
