#include "estimate/plan/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/work.hpp"
#include "nlp/work.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {
namespace {

constexpr double stages = 60;                   // of one interval: ten steps of six
constexpr double iterations_of_lagrangian = 2;  // of lagrangian for one of gauss-newton: 21 for 10 on predator and prey

// A linearisation by tangents or by one adjoint for each gap, the elimination of the nodes, and a dense problem for
// theta.
double gauss_newton_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals) {
  const double d = model.states;
  const double m = model.thetas;
  const double rows = static_cast<double>(problem.measurements.size());
  const auto adjoints = static_cast<double>(integrate::adjoint_work(model, model.states));
  const auto tangents = static_cast<double>(integrate::tangent_work(model));
  const double sweeps = model.has_jacobian ? std::min(adjoints, tangents) : adjoints;
  return intervals * (stages * sweeps + nlp::elimination_work(d, d, m)) + 2 * rows * m * std::min(rows, m);
}

// Derivatives by nodes and products with those by theta, or, where that is less, all of them by adjoints; the squares
// of the rows at each node; and the elimination of the nodes.
double lagrangian_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals) {
  const double d = model.states;
  const double rows = static_cast<double>(problem.measurements.size());
  const long each = std::min<long>(shooting::usual_products, model.thetas + 1);
  const auto sweeps = static_cast<double>(
      std::min(integrate::products_work(model, each), integrate::adjoint_work(model, model.states)));
  const double elimination = 36 * d * d * d;
  return intervals * (stages * sweeps + elimination) + 2 * rows * d * std::min(rows, d);
}

}  // namespace

MethodChoice choose_method(const model::Problem& problem, const compile::CompiledModel& model, int intervals) {
  if (!problem.constraints.empty()) return {model::Method::gauss_newton, "it handles constraints"};
  if (!problem.networks.empty())
    return {model::Method::lagrangian, "damped steps, for weights that are not identifiable"};
  const double direct = gauss_newton_work(problem, model, intervals);
  const double by_products = iterations_of_lagrangian * lagrangian_work(problem, model, intervals);
  const bool is_direct = direct <= by_products;
  return {is_direct ? model::Method::gauss_newton : model::Method::lagrangian,
          fmt::format("{:.2g} times the work of {}", std::min(direct, by_products) / std::max(direct, by_products),
                      is_direct ? "lagrangian" : "gauss-newton")};
}

}  // namespace salvo::estimate
