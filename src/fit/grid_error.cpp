#include "fit/grid_error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "estimate/quantities.hpp"
#include "fit/evaluate.hpp"
#include "model/on_cells.hpp"

namespace salvo::fit {
namespace {

// A field on fewer cells than this has no order to speak of.
constexpr int fewest_coarse_cells = 8;

// Two solutions at the same values of all that is estimated.
struct Pair {
  EvaluateResult fine{}, coarse{};
  double excess = 1;  // how many times the error of the fine one they differ by
};

// First-order schemes have order 1 whatever else is done.
double order_of(const model::Problem& problem) {
  const bool is_upwind = problem.scheme.advection == model::Advection::upwind && model::largest_peclet(problem) > 0;
  return is_upwind ? 1 : problem.scheme.order;
}

Pair solve_both(const model::Problem& problem, const estimate::Options& options,
                const std::map<std::string, double>& values, bool with_jacobian, const RunContext& context) {
  const EvaluateOptions how{.jacobian = with_jacobian,
                            .simulations = true,
                            .memory = options.memory,
                            .integrator = options.integrator,
                            .values = values};
  const int cells = problem.space[0].cells;
  model::Problem halved = problem;
  if (model::is_central(problem)) halved.scheme.advection = model::Advection::central;  // the same formulas on both
  halved = model::with_cells(std::move(halved), cells / 2);
  const double ratio = static_cast<double>(cells) / (cells / 2);
  return {evaluate(problem, how, context), evaluate(halved, how, context), std::pow(ratio, order_of(problem)) - 1};
}

void compare_predictions(const model::Problem& problem, const Pair& pair, GridError& out) {
  for (const model::Observable& observable : problem.observables) out.observables.push_back({.id = observable.id});
  for (std::size_t i = 0; i < pair.fine.simulations.size() && i < pair.coarse.simulations.size(); ++i) {
    const Prediction& fine = pair.fine.simulations[i];
    const double error = std::abs(pair.coarse.simulations[i].simulation - fine.simulation) / pair.excess;
    GridError::OfObservable& own = out.observables[problem.measurements[fine.row].observable];
    own.error = std::max(own.error, error);
    own.in_sigma = std::max(own.in_sigma, error / fine.sigma);
  }
}

// J'r: what draws at the estimates, which is nothing on the cells that were fitted with.
std::vector<double> pull(const EvaluateResult& solved) {
  std::vector<double> out(solved.jacobian.cols, 0.0);
  for (int c = 0; c < solved.jacobian.cols; ++c)
    for (int i = 0; i < solved.jacobian.rows; ++i) out[c] += solved.jacobian(i, c) * solved.rows[i];
  return out;
}

// One step of Gauss and Newton on the coarse cells leads from these estimates to theirs.
void compare_estimates(const Pair& pair, const FitResult& result, GridError& out) {
  const Matrix& covariance = result.covariance_on_scale;
  const std::size_t count = result.covariance_ids.size();
  if (covariance.rows != static_cast<int>(count) || pair.fine.jacobian.rows != pair.coarse.jacobian.rows) return;
  const std::vector<double> fine = pull(pair.fine);
  const std::vector<double> coarse = pull(pair.coarse);
  std::vector<const EvaluateResult::Value*> estimated;
  for (const EvaluateResult::Value& value : pair.fine.parameters)
    if (value.estimated) estimated.push_back(&value);
  const auto place_of = [&](const std::string& id) {
    const auto found =
        std::find_if(estimated.begin(), estimated.end(), [&](const auto* each) { return each->id == id; });
    return static_cast<std::size_t>(found - estimated.begin());
  };
  std::vector<std::size_t> place;
  for (const std::string& id : result.covariance_ids) place.push_back(place_of(id));
  if (std::any_of(place.begin(), place.end(), [&](std::size_t at) { return at >= fine.size(); })) return;
  for (std::size_t k = 0; k < count; ++k) {
    double shift = 0;  // on the scale of the parameter
    for (std::size_t l = 0; l < count; ++l)
      shift -= covariance(static_cast<int>(k), static_cast<int>(l)) * (coarse[place[l]] - fine[place[l]]) / pair.excess;
    const EvaluateResult::Value& value = *estimated[place[k]];
    const double at = model::to_scale(value.scale, value.value);
    const double error = std::sqrt(covariance(static_cast<int>(k), static_cast<int>(k)));
    out.parameters.push_back({.id = value.id,
                              .shift = value.value - model::from_scale(value.scale, at - shift),
                              .in_errors = error > 0 ? std::abs(shift) / error : 0});
  }
}

GridError sizes_of(const model::Problem& problem) {
  return {.cells = problem.space[0].cells,
          .unknowns = static_cast<int>(problem.states.size()),
          .bandwidth = model::bandwidth(problem),
          .peclet = model::largest_peclet(problem)};
}

bool can_be_halved(const model::Problem& problem) {
  return problem.space.size() == 1 && problem.space[0].cells / 2 >= fewest_coarse_cells &&
         !problem.measurements.empty();
}

}  // namespace

std::optional<GridError> grid_error(const model::Problem& problem, const estimate::Options& options,
                                    const FitResult& result, const RunContext& context) {
  if (problem.fields.empty() || !can_be_halved(problem)) return {};
  std::map<std::string, double> values;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& each : *list)
      values[each.experiment.empty() ? each.id : each.experiment + ":" + each.id] = each.estimate;
  model::Problem there = problem;
  estimate::set_guesses(there, values);
  GridError out = sizes_of(there);
  const Pair pair = solve_both(problem, options, values, true, context);
  if (!pair.fine.ok || !pair.coarse.ok) return {};
  compare_predictions(problem, pair, out);
  compare_estimates(pair, result, out);
  for (const auto& parameter : out.parameters) out.largest = std::max(out.largest, parameter.in_errors);
  if (out.parameters.empty())
    for (const auto& observable : out.observables) out.largest = std::max(out.largest, observable.in_sigma);
  return out;
}

std::optional<GridError> grid_error_at_guess(const model::Problem& problem, const estimate::Options& options,
                                             const RunContext& context) {
  if (problem.fields.empty()) return {};
  GridError out = sizes_of(problem);
  if (!can_be_halved(problem)) return out;
  const Pair pair = solve_both(problem, options, {}, false, context);
  if (!pair.fine.ok || !pair.coarse.ok) return out;
  compare_predictions(problem, pair, out);
  for (const auto& observable : out.observables) out.largest = std::max(out.largest, observable.in_sigma);
  return out;
}

}  // namespace salvo::fit
