#include "uncertainty/summarize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/distributions.hpp"
#include "base/words.hpp"
#include "estimate/answer/constraints.hpp"
#include "estimate/answer/predictions.hpp"
#include "estimate/quantities.hpp"
#include "estimate/validation.hpp"
#include "model/prior.hpp"
#include "statistics/residual_law.hpp"
#include "uncertainty/errors.hpp"
#include "words/null_direction.hpp"

namespace salvo::uncertainty {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double order_of_magnitude = 10;  // an error of a logarithm that leaves the size of a quantity unknown

double log_prior(const std::vector<estimate::Quantity>& quantities, const nlp::Point& q) {
  double sum = 0;
  for (const estimate::Quantity& quantity : quantities)
    if (quantity.estimated->prior)
      sum += model::prior_row(*quantity.estimated, q[quantity.unknown], 0, model::RowsFor::information).llh;
  return sum;
}

bool noise_is_estimated(const compile::CompiledModel& model) {
  const auto& observables = model.observables;
  return std::any_of(observables.begin(), observables.end(), [](const auto& kernel) {
    return std::find(kernel.by_parameter.row.begin(), kernel.by_parameter.row.end(), 1) !=
           kernel.by_parameter.row.end();
  });
}

void goodness_of_fit(estimate::Predictions predictions, const std::vector<estimate::Quantity>& quantities,
                     const nlp::Point& q, FitResult& result) {
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

// k is the effective number of what was estimated from the data.
void information_criteria(double k, FitResult& result) {
  const double n = std::max(result.measurements, 1);
  result.aic = 2 * k - 2 * result.llh;
  result.bic = k * std::log(n) - 2 * result.llh;
  if (n - k - 1 > 0) result.aicc = *result.aic + 2 * k * (k + 1) / (n - k - 1);
}

// Whether what priors say is not said by a normal law, and too much of the residuals is left to them for that not to
// matter.
bool is_law_unknown(const std::vector<estimate::Quantity>& quantities, const statistics::ResidualLaw& law) {
  constexpr double hardly_any = 0.05;
  const bool are_normal = std::all_of(quantities.begin(), quantities.end(), [](const estimate::Quantity& quantity) {
    const auto& prior = quantity.estimated->prior;
    return !prior || prior->law == model::PriorLaw::normal || prior->law == model::PriorLaw::log_normal ||
           prior->law == model::PriorLaw::uniform;
  });
  return !are_normal && law.degrees() - law.ones > hardly_any * law.degrees();
}

// Quantile residuals are normal under every law: their squares have the law of residuals.
void p_value(const shooting::ShootingProblem& shooting, model::Method method,
             const std::vector<estimate::Quantity>& quantities, const Errors& errors, FitResult& result) {
  if (result.is_torn || !(result.degrees_of_freedom > 0) || noise_is_estimated(shooting.model()) ||
      estimate::is_judged(shooting, method))
    return;
  double squares = 0;
  for (const Prediction& prediction : result.predictions) squares += prediction.score * prediction.score;
  if (!std::isfinite(result.chi2) || !std::isfinite(squares)) return;
  if (!errors.known) {
    const bool has_priors = std::any_of(quantities.begin(), quantities.end(),
                                        [](const auto& quantity) { return quantity.estimated->prior.has_value(); });
    if (!has_priors) result.p_value = chi_squared_survival(squares, result.degrees_of_freedom);
    return;
  }
  if (!errors.corrected.by_priors) return;
  const statistics::ResidualLaw law =
      statistics::residual_law(result.measurements, errors.uncertainty.free_and_seen, *errors.corrected.by_priors);
  const double p = statistics::survival(law, squares);
  if (std::isfinite(p) && !is_law_unknown(quantities, law)) result.p_value = p;
}

AtBound bound_of(const nlp::Layout& layout, const estimate::Quantity& quantity, const nlp::Point& q, double size) {
  const double near = 1e-9 * size;
  if (q[quantity.unknown] <= layout.lower[quantity.unknown] + near) return AtBound::lower;
  return q[quantity.unknown] >= layout.upper[quantity.unknown] - near ? AtBound::upper : AtBound::none;
}

// What a bound or constraints hold at zero is there but for rounding, and is said to be.
void round_what_is_held(const std::vector<ConstraintResult>& constraints, double size, Estimate& estimate) {
  constexpr double rounding = 1e-12;
  const bool is_constrained =
      std::any_of(constraints.begin(), constraints.end(), [](const ConstraintResult& its) { return its.active; });
  const bool is_held =
      estimate.at_bound != AtBound::none || (is_constrained && !estimate.standard_error && estimate.identifiable);
  if (is_held && std::abs(estimate.estimate) <= rounding * size) estimate.estimate = 0;
}

using Interval = std::pair<double, double>;

bool is_a_noise(const model::Problem& problem, const std::string& parameter) {
  return std::any_of(problem.observables.begin(), problem.observables.end(), [&](const auto& observable) {
    return observable.noise && problem.graph.is_symbol(*observable.noise) &&
           problem.graph.symbol_name(*observable.noise) == parameter;
  });
}

// Where the noise itself is what was estimated, its variance times its degrees of freedom is a chi-squared number.
Interval interval_of_noise(double estimate, const statistics::NoiseScale& noise) {
  const auto end = [&](double probability) {
    return estimate * std::sqrt(noise.inflation * noise.degrees / chi_squared_quantile(probability, noise.degrees));
  };
  return {end(0.975), end(0.025)};
}

Interval within_bounds(Interval interval, const model::Estimated& estimated) {
  return {std::clamp(interval.first, estimated.lower, estimated.upper),
          std::clamp(interval.second, estimated.lower, estimated.upper)};
}

// Whether the error of a logarithm leaves the size of the quantity unknown.
bool is_vague(const estimate::Quantity& quantity, int i, double scaled, const Errors& errors) {
  const model::Scale scale = quantity.estimated->scale;
  if (scale == model::Scale::lin || errors.uncertainty.held[i]) return false;
  const double se = std::sqrt(errors.corrected.covariance(i, i));
  const double relative = model::from_scale_slope(scale, scaled) * se / std::abs(model::from_scale(scale, scaled));
  return !(relative <= order_of_magnitude);
}

bool has_error_of_its_own(const estimate::Quantity& quantity, int i, double scaled, const Errors& errors) {
  return errors.uncertainty.seen[i] && !is_vague(quantity, i, scaled, errors) && !errors.uncertainty.held[i] &&
         std::isfinite(errors.corrected.covariance(i, i)) && errors.corrected.degrees[i] > 0;
}

// Error and interval of quantity i, which stands at `scaled` on its scale.
void add_error(const model::Problem& problem, const estimate::Quantity& quantity, int i, double scaled,
               const Errors& errors, Estimate& estimate) {
  estimate.identifiable = errors.uncertainty.seen[i] && !is_vague(quantity, i, scaled, errors);
  if (!has_error_of_its_own(quantity, i, scaled, errors)) return;
  estimate.standard_error =
      model::from_scale_slope(estimate.scale, scaled) * std::sqrt(errors.corrected.covariance(i, i));
  if (const double degrees = errors.corrected.degrees[i]; std::isfinite(degrees)) estimate.student_degrees = degrees;
  estimate.interval = within_bounds(*wald_interval(problem, quantity, i, scaled, errors), *quantity.estimated);
}

// By how much the estimated variances of each observable are too small, and the fewest degrees of freedom of an error.
void note_small_samples(const model::Problem& problem, const Errors& errors, FitResult& result) {
  result.noise_inflation.assign(problem.observables.size(), 1.0);
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    result.noise_inflation[problem.measurements[i].observable] = errors.corrected.inflation[i];
  for (std::size_t i = 0; i < errors.corrected.degrees.size(); ++i)
    if (errors.uncertainty.seen[i] && !errors.uncertainty.held[i])
      result.band_degrees = std::min(result.band_degrees, errors.corrected.degrees[i]);
}

// The covariance of the quantities that have an error, in user units.
void add_covariance(const std::vector<estimate::Quantity>& all, const nlp::Point& q, const std::vector<bool>& has_error,
                    const Errors& errors, FitResult& result) {
  const int n = static_cast<int>(all.size());
  result.covariance.resize(n, n);
  std::fill(result.covariance.data.begin(), result.covariance.data.end(), nan);
  for (const estimate::Quantity& quantity : all) result.covariance_ids.push_back(quantity.id);
  std::vector<double> slope;
  for (const estimate::Quantity& quantity : all)
    slope.push_back(model::from_scale_slope(quantity.estimated->scale, q[quantity.unknown]));
  for (int i = 0; i < n && errors.known; ++i)
    for (int j = 0; j < n; ++j)
      if (has_error[i] && has_error[j])
        result.covariance(i, j) = slope[i] * slope[j] * errors.corrected.covariance(i, j);
}

}  // namespace

std::optional<std::pair<double, double>> wald_interval(const model::Problem& problem,
                                                       const estimate::Quantity& quantity, int i, double scaled,
                                                       const Errors& errors) {
  if (!has_error_of_its_own(quantity, i, scaled, errors)) return std::nullopt;
  const model::Scale scale = quantity.estimated->scale;
  const bool is_scale = i < static_cast<int>(errors.corrected.noise.size()) && errors.corrected.noise[i].degrees > 0 &&
                        is_a_noise(problem, quantity.name);
  if (is_scale) return interval_of_noise(model::from_scale(scale, scaled), errors.corrected.noise[i]);
  const double reach =
      student_quantile(0.975, errors.corrected.degrees[i]) * std::sqrt(errors.corrected.covariance(i, i));
  return Interval{model::from_scale(scale, scaled - reach), model::from_scale(scale, scaled + reach)};
}

std::string why_no_errors(const shooting::ShootingProblem& shooting, model::Method method) {
  constexpr std::size_t readable = 100;      // beyond it, null directions tell nobody anything
  constexpr std::size_t affordable = 2'000;  // beyond it, a matrix of all of them is too large
  std::size_t count = shooting.layout().thetas;
  for (const nlp::Layout::Chain& chain : shooting.layout().chains) count += chain.size[0];
  const std::size_t measurements = shooting.problem().measurements.size();
  if (estimate::is_judged(shooting, method))
    return "the validation data choose the answer, which need not be where the fit is best";
  if (count > readable && count > measurements)
    return fmt::format("{} quantities were estimated from {}", count,
                       counted(static_cast<long>(measurements), "measurement"));
  if (count > affordable) return fmt::format("{} quantities are too many for a covariance", count);
  return {};
}

Errors summarize(const shooting::ShootingProblem& shooting, estimate::Answer& answer, FitResult& result) {
  const solve::SolveResult& solved = answer.run;
  const nlp::Point& q = solved.q;
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  for (const estimate::Quantity& quantity : all) result.certificate_ids.push_back(quantity.id);
  goodness_of_fit(std::move(answer.predictions), all, q, result);

  const int n = static_cast<int>(all.size());
  const std::vector<double> sizes = shooting.sizes(q);
  result.no_errors = result.is_torn ? "the trajectories are not joined" : why_no_errors(shooting, answer.method);
  if (result.no_errors.empty() && result.certificate.is_flat)
    result.no_errors =
        "the objective is far flatter around the answer than the information says, so that they would be too small; "
        "a profile follows it";
  Errors errors;
  if (result.no_errors.empty())
    errors =
        errors_of(shooting, solved, {.full_rank = has_full_rank(result.certificate, all.size()), .root = &answer.root});
  if (result.no_errors.empty() && !errors.known && shooting.is_stopped())
    result.no_errors = "the run ended before they were computed";
  result.constraints = estimate::constraint_results(shooting, errors.uncertainty.active, solved.multipliers);
  for (const int row : solved.conflict.rows)
    result.constraints[shooting.constraint_rows()[row].constraint].in_conflict = true;

  std::vector<bool> has_error;
  for (int i = 0; i < n; ++i) {
    const estimate::Quantity& quantity = all[i];
    const model::Scale scale = quantity.estimated->scale;
    const double scaled = q[quantity.unknown];
    Estimate estimate{.id = quantity.name,
                      .experiment = quantity.experiment,
                      .axis = quantity.estimated->axis,
                      .estimate = model::from_scale(scale, scaled),
                      .scale = scale,
                      .bounds = {quantity.estimated->lower, quantity.estimated->upper},
                      .at_bound = bound_of(shooting.layout(), quantity, q, sizes[quantity.unknown])};
    if (errors.known && !errors.uncertainty.held[i]) estimate.at_bound = AtBound::none;
    if (errors.known) add_error(shooting.problem(), quantity, i, scaled, errors, estimate);
    if (errors.known && scale == model::Scale::lin)
      round_what_is_held(result.constraints, sizes[quantity.unknown], estimate);
    has_error.push_back(estimate.standard_error.has_value());
    (quantity.state < 0 ? result.parameters : result.initial).push_back(std::move(estimate));
  }
  if (result.no_errors.empty()) add_covariance(all, q, has_error, errors, result);
  for (const auto& direction : errors.uncertainty.null_directions) {
    // One that moves nodes alone has no name among the estimated quantities.
    NullDirection named = words::named(all, direction, q);
    if (!named.parts.empty()) result.null_directions.push_back(std::move(named));
  }
  if (errors.known) {
    note_small_samples(shooting.problem(), errors, result);
    result.covariance_on_scale = errors.corrected.covariance;
    result.unseen_on_scale = errors.uncertainty.null_directions;
  }
  result.degrees_of_freedom = std::max(0.0, result.measurements - (errors.known ? errors.corrected.trace_of_means : n));
  if (!result.is_torn) information_criteria(errors.known ? errors.corrected.trace_of_data : n, result);
  p_value(shooting, answer.method, all, errors, result);
  return errors;
}

}  // namespace salvo::uncertainty
