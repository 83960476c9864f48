#include "estimate/plan/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shooting/cost.hpp"

namespace salvo::estimate {
namespace {

constexpr double iterations_of_lagrangian = 2;  // of lagrangian for one of gauss-newton: 21 for 10 on predator and prey

}  // namespace

MethodChoice choose_method(const model::Problem& problem, const compile::CompiledModel& model, int intervals) {
  if (!problem.constraints.empty()) return {model::Method::gauss_newton, "it handles constraints"};
  if (!problem.networks.empty())
    return {model::Method::lagrangian, "damped steps, for weights that are not identifiable"};
  const double direct = shooting::gauss_newton_work(problem, model, intervals);
  const double by_products = iterations_of_lagrangian * shooting::lagrangian_work(problem, model, intervals);
  const bool is_direct = direct <= by_products;
  return {is_direct ? model::Method::gauss_newton : model::Method::lagrangian,
          fmt::format("{:.2g} times the work of {}", std::min(direct, by_products) / std::max(direct, by_products),
                      is_direct ? "lagrangian" : "gauss-newton")};
}

MethodChoice choose_method(const Workspace& workspace, const model::Nodes& nodes) {
  int intervals = 0;
  for (const shooting::Grid& grid : shooting::make_grids(workspace.problem(), nodes)) intervals += grid.intervals();
  return choose_method(workspace.problem(), workspace.model(), intervals);
}

}  // namespace salvo::estimate
