#include "fit/summarize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/constraints.hpp"
#include "fit/names.hpp"
#include "fit/predict.hpp"
#include "fit/validation.hpp"
#include "model/prior.hpp"
#include "statistics/distributions.hpp"
#include "statistics/uncertainty.hpp"

namespace salvo::fit {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double order_of_magnitude = 10;  // an error this many times the estimate: its size is unknown

double log_prior(const std::vector<Quantity>& quantities, const nlp::Point& q) {
  double sum = 0;
  for (const Quantity& quantity : quantities)
    if (quantity.estimated->prior)
      sum += model::prior_row(*quantity.estimated, q[quantity.unknown], 0, model::RowsFor::information).llh;
  return sum;
}

bool noise_is_estimated(const Setup& setup) {
  const auto& observables = setup.shooting->model().observables;
  return std::any_of(observables.begin(), observables.end(), [](const auto& kernel) {
    return std::find(kernel.by_parameter.row.begin(), kernel.by_parameter.row.end(), 1) !=
           kernel.by_parameter.row.end();
  });
}

bool is_all_normal(const model::Problem& problem) {
  return std::none_of(problem.observables.begin(), problem.observables.end(),
                      [](const auto& observable) { return model::has_corner(observable.distribution); });
}

void goodness_of_fit(Predictions predictions, const std::vector<Quantity>& quantities, const nlp::Point& q,
                     FitResult& result) {
  result.llh = result.chi2 = predictions.ok ? 0 : nan;
  result.predictions = std::move(predictions.fitted);
  result.validation = std::move(predictions.validation);
  for (const Prediction& prediction : result.predictions) {
    result.llh += prediction.llh;
    result.chi2 += prediction.residual * prediction.residual;
  }
  result.log_prior = log_prior(quantities, q);
  result.objective = -(result.llh + result.log_prior);
}

// k counts what is estimated; an equality takes one away.
void information_criteria(int k, FitResult& result) {
  result.aic = 2.0 * k - 2 * result.llh;
  result.bic = k * std::log(std::max(result.measurements, 1)) - 2 * result.llh;
}

// "lower" or "upper" if the unknown stands there.
std::string bound_of(const nlp::Layout& layout, const Quantity& quantity, const nlp::Point& q, double size) {
  const double near = 1e-9 * size;
  if (q[quantity.unknown] <= layout.lower[quantity.unknown] + near) return "lower";
  return q[quantity.unknown] >= layout.upper[quantity.unknown] - near ? "upper" : "";
}

// Blocks whose rows carry the expected information: those that the solver made last, where they do, or new ones in
// `room`. Null if the point cannot be evaluated.
const nlp::Blocks* information_blocks(const Setup& setup, const solve::SolveResult& solved, nlp::Blocks& room) {
  const bool is_known = !solved.linearized.chains.empty();
  if (is_known && !has_corner(*setup.problem) && setup.problem->constraints.empty()) return &solved.linearized;
  nlp::Request request = solved.request;
  request.rows = nlp::RowsFor::information;
  return setup.shooting->linearize(solved.q, request, room).ok ? &room : nullptr;
}

}  // namespace

NullDirection in_words(const std::vector<Quantity>& quantities, const std::vector<double>& direction,
                       const nlp::Point& q) {
  std::vector<double> relative(direction.size());
  double largest = 0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const model::Scale scale = quantities[i].estimated->scale;
    const double value = model::from_scale(scale, q[quantities[i].unknown]);
    const double change = direction[i] * model::from_scale_slope(scale, q[quantities[i].unknown]);
    relative[i] = value != 0 ? change / std::abs(value) : change;
    if (std::abs(relative[i]) >= std::abs(largest) * (1 - 1e-6)) largest = relative[i];
  }
  NullDirection out;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    double coefficient = largest != 0 ? relative[i] / largest : 0;
    if (std::abs(coefficient) < 1e-3) continue;
    if (std::abs(coefficient - std::round(coefficient)) < 1e-6) coefficient = std::round(coefficient);
    out.parts.push_back({quantities[i].id, coefficient});
  }
  return out;
}

std::string why_no_errors(const shooting::ShootingProblem& shooting, model::Method method) {
  constexpr std::size_t readable = 100;      // beyond it, null directions tell nobody anything
  constexpr std::size_t affordable = 2'000;  // beyond it, a matrix of all of them is too large
  const std::size_t count = quantities(shooting).size();
  const std::size_t measurements = shooting.problem().measurements.size();
  if (is_judged(shooting, method))
    return "the validation data choose the answer, which need not be where the fit is best";
  if (count > readable && count > measurements)
    return fmt::format("{} quantities were estimated from {} measurements", count, measurements);
  if (count > affordable) return fmt::format("{} quantities are too many for a covariance", count);
  return {};
}

void summarize(const Setup& setup, const nlp::Point& q, FitResult& result) {
  solve::SolveResult unsolved;
  unsolved.q = q;
  summarize(setup, unsolved, predict_all(*setup.shooting, q), result);
}

void summarize(const Setup& setup, const solve::SolveResult& solved, Predictions predictions, FitResult& result) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const nlp::Point& q = solved.q;
  const std::vector<Quantity> all = quantities(shooting);
  for (const Quantity& quantity : all) result.certificate_ids.push_back(quantity.id);
  goodness_of_fit(std::move(predictions), all, q, result);

  const int n = static_cast<int>(all.size());
  const std::vector<double> sizes = shooting.sizes(q);
  result.no_errors = is_joined(result) ? why_no_errors(shooting, setup.method) : "the trajectories are not joined";
  bool linearized = false;
  statistics::Uncertainty uncertainty;
  if (result.no_errors.empty()) {
    nlp::Blocks room;
    const nlp::Blocks* blocks = information_blocks(setup, solved, room);
    linearized = blocks != nullptr;
    if (!linearized && shooting.is_stopped()) result.no_errors = "the run ended before they were computed";
    const bool full_rank = !result.certificate.probes.empty() && result.certificate.rank == n;
    const double unseen = full_rank ? statistics::unseen_by_rounding : statistics::usually_unseen;
    if (linearized) uncertainty = statistics::uncertainty(shooting.layout(), *blocks, q, sizes, unseen);
    result.covariance_on_scale = uncertainty.covariance;
    if (result.no_errors.empty()) result.covariance.resize(n, n);
  }
  result.constraints = constraint_results(shooting, uncertainty.active, solved.multipliers);
  for (const int row : solved.conflict.rows)
    result.constraints[shooting.constraint_rows()[row].constraint].in_conflict = true;
  if (is_joined(result)) information_criteria(n - uncertainty.equalities, result);
  std::fill(result.covariance.data.begin(), result.covariance.data.end(), nan);
  std::vector<bool> has_error(n, false);
  std::vector<double> slope(n, 1);
  for (int i = 0; i < n; ++i) {
    const Quantity& quantity = all[i];
    const model::Scale scale = quantity.estimated->scale;
    const double scaled = q[quantity.unknown];
    slope[i] = model::from_scale_slope(scale, scaled);
    Estimate estimate{.id = quantity.name,
                      .experiment = quantity.experiment,
                      .estimate = model::from_scale(scale, scaled),
                      .scale = scale,
                      .at_bound = bound_of(shooting.layout(), quantity, q, sizes[quantity.unknown])};
    if (linearized) {
      if (!uncertainty.held[i]) estimate.at_bound.clear();
      const double se = std::sqrt(uncertainty.covariance(i, i));
      estimate.identifiable =
          uncertainty.seen[i] &&
          (uncertainty.held[i] || slope[i] * se <= order_of_magnitude * std::abs(estimate.estimate));
      has_error[i] = estimate.identifiable && !uncertainty.held[i] && std::isfinite(se);
      if (has_error[i]) {
        estimate.standard_error = slope[i] * se;
        const double reach = statistics::normal_quantile_975 * se;
        estimate.interval = {model::from_scale(scale, scaled - reach), model::from_scale(scale, scaled + reach)};
      }
    }
    (quantity.state < 0 ? result.parameters : result.initial).push_back(std::move(estimate));
    if (result.no_errors.empty()) result.covariance_ids.push_back(quantity.id);
  }
  for (int i = 0; i < n && linearized; ++i)
    for (int j = 0; j < n; ++j)
      if (has_error[i] && has_error[j]) result.covariance(i, j) = slope[i] * slope[j] * uncertainty.covariance(i, j);
  for (const auto& direction : uncertainty.null_directions) {
    // One that moves nodes alone has no name among the estimated quantities.
    NullDirection named = in_words(all, direction, q);
    if (!named.parts.empty()) result.null_directions.push_back(std::move(named));
  }

  result.degrees_of_freedom = std::max(0, result.measurements - (linearized ? uncertainty.free_and_seen : n));
  if (is_joined(result) && result.degrees_of_freedom > 0 && std::isfinite(result.chi2) && !noise_is_estimated(setup) &&
      !is_judged(shooting, setup.method) && is_all_normal(shooting.problem()))
    result.p_value = statistics::chi_squared_survival(result.chi2, result.degrees_of_freedom);
}

}  // namespace salvo::fit
