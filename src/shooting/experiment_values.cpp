#include "shooting/experiment_values.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace salvo::shooting {

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
      if (estimated == nullptr) continue;
      const bool is_bounded = std::isfinite(estimated->lower) || std::isfinite(estimated->upper);
      const bool is_constrained = problem.states[i].initial != expression::no_node;
      if (is_measured[e] && (is_bounded || is_constrained))
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

ExperimentValues experiment_values(const model::Problem& problem, const compile::CompiledModel& model,
                                   const UnknownNames& names, int experiment, const double* theta, const double* v0,
                                   bool with_derivatives) {
  const compile::ExperimentKernel& kernel = model.experiments[experiment];
  std::vector<double> user(names.parameter.size());
  std::vector<double> slope(names.parameter.size());
  for (std::size_t i = 0; i < user.size(); ++i) {
    const auto scale = std::get<model::Estimated>(problem.parameters[names.parameter[i]].value).scale;
    user[i] = model::from_scale(scale, theta[i]);
    slope[i] = model::from_scale_slope(scale, theta[i]);
  }
  std::vector<double> work(std::max(kernel.value.work_size(), kernel.derivative.work_size()));
  std::vector<double> numbers(kernel.value.output_count());
  kernel.value.run<1>({.parameter = user.data()}, work.data(), numbers.data());

  ExperimentValues out;
  out.p.assign(numbers.begin(), numbers.begin() + model.parameters);
  out.s0.assign(numbers.begin() + model.parameters, numbers.end());
  for (int k = 0; k < static_cast<int>(names.bounded_initial.size()); ++k) {
    const auto& bounded = names.bounded_initial[k];
    if (bounded.experiment != experiment) continue;
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
  if (!with_derivatives) return out;

  std::vector<double> nonzeros(kernel.derivative.output_count());
  kernel.derivative.run<1>({.parameter = user.data()}, work.data(), nonzeros.data());
  for (int z = 0; z < kernel.pattern.size(); ++z) {
    const Slope entry{kernel.pattern.row[z], kernel.pattern.column[z], nonzeros[z] * slope[kernel.pattern.column[z]]};
    if (entry.row < model.active)
      out.p_by_theta.push_back(entry);
    else
      out.s0_by_theta.push_back({entry.row - model.active, entry.column, entry.value});
  }
  return out;
}

}  // namespace salvo::shooting
