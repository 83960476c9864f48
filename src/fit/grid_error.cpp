#include "fit/grid_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "estimate/quantities.hpp"
#include "fit/evaluate.hpp"
#include "fit/grid_limit.hpp"
#include "model/on_cells.hpp"

namespace salvo::fit {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Solutions on three grids at the same values of all that is estimated.
struct Solutions {
  Grids grids{};
  std::array<EvaluateResult, 3> on{};
  double order = 2;  // of the scheme

  const EvaluateResult& told() const { return on[grids.told]; }
  bool has(int i) const { return on[i].ok && on[i].rows.size() == told().rows.size(); }
  // A number of each grid; none where there is no solution.
  template <class NumberOf>
  GridLimit limit(const NumberOf& number_of) const {
    std::array<double, 3> numbers{};
    for (int i = 0; i < 3; ++i) numbers[i] = has(i) ? number_of(i) : unknown;
    return grid_limit(grids, numbers, order);
  }
};

// First-order schemes have order 1 whatever else is done.
double order_of(const model::Problem& problem) {
  const bool is_upwind = problem.scheme.advection == model::Advection::upwind && model::largest_peclet(problem) > 0;
  return is_upwind ? 1 : problem.scheme.order;
}

// A rectangle of four times as many cells in both directions would cost hundreds of times as much: half of a half of
// sixteen is the least that has a field on it.
Grids grids_of(const model::Problem& problem) {
  const int cells = problem.space[0].cells;
  if (problem.space.size() == 1) return grids_for(cells);
  constexpr int fewest_to_halve = 4 * model::fewest_cells;
  return grids_for(cells, std::min(problem.space[1].cells, cells) >= fewest_to_halve ? 0 : cells + 1);
}

Solutions solve(const model::Problem& problem, const estimate::Options& options,
                const std::map<std::string, double>& values, bool with_jacobian, const RunContext& context) {
  const EvaluateOptions how{.jacobian = with_jacobian,
                            .simulations = true,
                            .memory = options.memory,
                            .integrator = options.integrator,
                            .values = values};
  Solutions out{.grids = grids_of(problem), .order = order_of(problem)};
  out.on[out.grids.told] = evaluate(problem, how, context);
  model::Problem other = problem;
  if (model::is_central(problem)) other.scheme.advection = model::Advection::central;  // the same formulas on all
  for (int i = 0; i < 3 && out.told().ok; ++i)
    if (i != out.grids.told) out.on[i] = evaluate(model::with_cells(other, out.grids.cells[i]), how, context);
  return out;
}

// Why two of the three say nothing; empty if they do.
std::string trouble_of(const Solutions& solutions) {
  const Grids& grids = solutions.grids;
  const int second = grids.told == 0 ? 2 : 1;
  for (const int i : {grids.told, 1, second})
    if (!solutions.has(i)) return "on " + std::to_string(grids.cells[i]) + " cells, " + solutions.on[i].message;
  return {};
}

void compare_predictions(const model::Problem& problem, const Solutions& solutions, GridError& out) {
  for (const model::Observable& observable : problem.observables) out.observables.push_back({.id = observable.id});
  double coarse = 0;  // sums of squares
  double fine = 0;
  for (std::size_t i = 0; i < solutions.told().simulations.size(); ++i) {
    const Prediction& told = solutions.told().simulations[i];
    const auto number = [&](int grid) { return solutions.on[grid].simulations[i].simulation; };
    const double error = std::abs(solutions.limit(number).error);
    GridError::OfObservable& own = out.observables[problem.measurements[told.row].observable];
    own.error = std::max(own.error, error);
    own.in_sigma = std::max(own.in_sigma, error / told.sigma);
    if (!solutions.has(0)) continue;
    coarse += std::pow((number(0) - number(1)) / told.sigma, 2);
    fine += std::pow((number(1) - number(2)) / told.sigma, 2);
  }
  if (coarse > 0 && fine > 0)
    out.order = measured_order(solutions.grids, std::sqrt(coarse), std::sqrt(fine), solutions.order);
}

// J'r: what draws at the estimates, which is nothing on the cells that were fitted with.
std::vector<double> pull(const EvaluateResult& solved) {
  std::vector<double> out(solved.jacobian.cols, 0.0);
  for (int c = 0; c < solved.jacobian.cols; ++c)
    for (int i = 0; i < solved.jacobian.rows; ++i) out[c] += solved.jacobian(i, c) * solved.rows[i];
  return out;
}

// One step of Gauss and Newton on other cells leads from these estimates to theirs.
void compare_estimates(const Solutions& solutions, const FitResult& result, GridError& out) {
  const Matrix& covariance = result.covariance_on_scale;
  const std::size_t count = result.covariance_ids.size();
  if (covariance.rows != static_cast<int>(count)) return;
  std::array<std::vector<double>, 3> pulls;
  for (int i = 0; i < 3; ++i)
    if (solutions.has(i)) pulls[i] = pull(solutions.on[i]);
  std::vector<const EvaluateResult::Value*> estimated;
  for (const EvaluateResult::Value& value : solutions.told().parameters)
    if (value.estimated) estimated.push_back(&value);
  const auto place_of = [&](const std::string& id) {
    const auto found =
        std::find_if(estimated.begin(), estimated.end(), [&](const auto* each) { return each->id == id; });
    return static_cast<std::size_t>(found - estimated.begin());
  };
  std::vector<std::size_t> place;
  for (const std::string& id : result.covariance_ids) place.push_back(place_of(id));
  const std::vector<double>& own = pulls[solutions.grids.told];
  if (std::any_of(place.begin(), place.end(), [&](std::size_t at) { return at >= own.size(); })) return;
  for (std::size_t k = 0; k < count; ++k) {
    const GridLimit limit = solutions.limit([&](int grid) {
      double shift = 0;  // on the scale of the parameter
      for (std::size_t l = 0; l < count; ++l)
        shift -= covariance(static_cast<int>(k), static_cast<int>(l)) * (pulls[grid][place[l]] - own[place[l]]);
      return shift;
    });
    const EvaluateResult::Value& value = *estimated[place[k]];
    const double at = model::to_scale(value.scale, value.value);
    const double error = std::sqrt(covariance(static_cast<int>(k), static_cast<int>(k)));
    out.parameters.push_back({.id = value.id,
                              .shift = value.value - model::from_scale(value.scale, at - limit.error),
                              .in_errors = error > 0 ? std::abs(limit.error) / error : 0,
                              .has_order = limit.has_order});
  }
}

GridError sizes_of(const model::Problem& problem) {
  return {.cells = problem.space[0].cells,
          .unknowns = static_cast<int>(problem.states.size()),
          .bandwidth = model::bandwidth(problem),
          .peclet = model::largest_peclet(problem),
          .expected_order = static_cast<int>(order_of(problem))};
}

void tell_of_predictions(GridError& out) {
  for (const auto& observable : out.observables) out.largest = std::max(out.largest, observable.in_sigma);
}

}  // namespace

std::optional<GridError> grid_error(const model::Problem& problem, const estimate::Options& options,
                                    const FitResult& result, const RunContext& context) {
  if (problem.fields.empty() || problem.measurements.empty()) return {};
  std::map<std::string, double> values;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& each : *list)
      values[each.experiment.empty() ? each.id : each.experiment + ":" + each.id] = each.estimate;
  model::Problem there = problem;
  estimate::set_guesses(there, values);
  GridError out = sizes_of(there);
  const Solutions solutions = solve(problem, options, values, true, context);
  out.trouble = trouble_of(solutions);
  if (!out.trouble.empty()) return out;
  compare_predictions(problem, solutions, out);
  compare_estimates(solutions, result, out);
  for (const auto& parameter : out.parameters) out.largest = std::max(out.largest, parameter.in_errors);
  if (out.parameters.empty()) tell_of_predictions(out);
  return out;
}

std::optional<GridError> grid_error_at_guess(const model::Problem& problem, const estimate::Options& options,
                                             const RunContext& context) {
  if (problem.fields.empty()) return {};
  GridError out = sizes_of(problem);
  if (problem.measurements.empty()) return out;
  const Solutions solutions = solve(problem, options, {}, false, context);
  out.trouble = trouble_of(solutions);
  if (!out.trouble.empty()) return out;
  compare_predictions(problem, solutions, out);
  tell_of_predictions(out);
  return out;
}

}  // namespace salvo::fit
