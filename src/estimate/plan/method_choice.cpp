#include "estimate/plan/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shooting/cost.hpp"

namespace salvo::estimate {

bool can_be_dense(const model::Problem& problem, const compile::CompiledModel& model, const AccountRules& rules) {
  const double m = model.thetas;
  return static_cast<double>(problem.measurements.size()) >= m || rules.iterations * m * m * m <= rules.operations;
}

MethodChoice choose_method(const model::Problem& problem, const compile::CompiledModel& model, int intervals,
                           const Rules& rules) {
  if (!problem.constraints.empty()) return {model::Method::gauss_newton, "it handles constraints"};
  if (!problem.networks.empty())
    return {model::Method::lagrangian, "damped steps, for weights that are not identifiable"};
  if (!can_be_dense(problem, model, rules.account))
    return {model::Method::lagrangian, "for very many parameters, of which the data cannot tell all"};
  const double direct = shooting::gauss_newton_work(problem, model, intervals, rules.shooting);
  const double by_products =
      rules.solve.lagrangian.iterations * shooting::lagrangian_work(problem, model, intervals, rules.shooting);
  const bool is_direct = direct <= by_products;
  return {is_direct ? model::Method::gauss_newton : model::Method::lagrangian,
          fmt::format("{:.2g} times the work of {}", std::min(direct, by_products) / std::max(direct, by_products),
                      is_direct ? "lagrangian" : "gauss-newton")};
}

MethodChoice choose_method(const Workspace& workspace, const model::Nodes& wanted) {
  int intervals = 0;
  for (const shooting::Grid& grid : shooting::make_grids(workspace.problem(), wanted)) intervals += grid.intervals();
  return choose_method(workspace.problem(), workspace.model(), intervals, workspace.rules());
}

}  // namespace salvo::estimate
