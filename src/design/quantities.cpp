#include "design/quantities.hpp"

#include <cmath>

#include "statistics/rules.hpp"

namespace salvo::design {
namespace {

const model::Estimated& estimated_in(const model::Problem& problem, const Column& column) {
  if (column.parameter >= 0) return std::get<model::Estimated>(problem.parameters[column.parameter].value);
  return std::get<model::Estimated>(problem.experiments[column.experiment].initial[column.state]);
}

estimate::Quantity name_in(const model::Problem& problem, const model::Problem& given, const Column& column) {
  if (column.parameter >= 0) {
    const std::string& id = problem.parameters[column.parameter].id;
    return {.id = id, .name = id};
  }
  const model::Experiment& experiment = problem.experiments[column.experiment];
  const std::string& state = problem.states[column.state].id;
  const bool is_old = column.experiment < static_cast<int>(given.experiments.size());
  return {.id = is_old ? estimate::initial_id(given, column.experiment, column.state) : experiment.id + ":" + state,
          .name = state,
          .experiment = experiment.id,
          .state = column.state};
}

bool is_at_bound(const model::Estimated& estimated, double scaled) {
  const double near = statistics::UncertaintyRules{}.at_bound * std::max(std::abs(scaled), 1e-300);
  const auto is_at = [&](double bound) {
    if (!std::isfinite(bound) || (estimated.scale != model::Scale::lin && !(bound > 0))) return false;
    return std::abs(scaled - model::to_scale(estimated.scale, bound)) <= near;
  };
  return is_at(estimated.lower) || is_at(estimated.upper);
}

}  // namespace

std::vector<int> Quantities::named(const std::string& name) const {
  std::vector<int> found;
  for (int k = 0; k < size(); ++k)
    if (names[k].id == name || (names[k].name == name && !is_new[k])) found.push_back(k);
  return found;
}

Eigen::VectorXd Quantities::sizes() const {
  Eigen::VectorXd out = Eigen::VectorXd::Ones(size());
  for (int k = 0; k < size(); ++k)
    if (names[k].estimated->scale == model::Scale::lin && scaled[k] != 0) out[k] = std::abs(scaled[k]);
  return out;
}

Quantities quantities_of(const model::Problem& problem, const model::Problem& given, std::vector<Column> columns,
                         std::vector<std::string>& held) {
  Quantities out;
  for (const Column& column : columns) {
    const model::Estimated& estimated = estimated_in(problem, column);
    const double scaled = model::to_scale(estimated.scale, estimated.guess.value_or(1));
    estimate::Quantity quantity = name_in(problem, given, column);
    if (is_at_bound(estimated, scaled)) {
      held.push_back(quantity.id);
      continue;
    }
    quantity.estimated = &estimated;
    quantity.unknown = out.size();
    out.columns.push_back(column);
    out.names.push_back(std::move(quantity));
    out.scaled.push_back(scaled);
    out.is_new.push_back(column.parameter < 0 && column.experiment >= static_cast<int>(given.experiments.size()));
  }
  return out;
}

}  // namespace salvo::design
