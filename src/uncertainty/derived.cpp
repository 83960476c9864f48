#include "uncertainty/derived.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "statistics/influence.hpp"
#include "uncertainty/derived_quantities.hpp"
#include "uncertainty/intervals.hpp"

namespace salvo::uncertainty {
namespace {

// The rows of the data of derived quantities are their derivatives: their sigma is 1.
std::vector<std::vector<double>> slopes_of_last(const shooting::ShootingProblem& with, const nlp::Point& q,
                                                std::size_t count, int quantities) {
  nlp::Blocks blocks;
  if (!with.linearize(q, blocks).ok) return {};
  Matrix each(quantities, quantities);
  for (int i = 0; i < quantities; ++i) each(i, i) = 1;
  const Matrix moved = statistics::row_influence(with.layout(), blocks, each);
  const std::vector<shooting::RowMeaning> rows = with.rows_in_order();
  const int first = static_cast<int>(with.problem().measurements.size() - count);
  std::vector<std::vector<double>> slopes(count);
  for (int row = 0; row < static_cast<int>(rows.size()); ++row)
    if (rows[row].measurement >= first)
      for (int i = 0; i < quantities; ++i) slopes[rows[row].measurement - first].push_back(moved(i, row));
  return slopes;
}

// Nothing where the point cannot be evaluated with all of them.
std::vector<DerivedValue> evaluate(const shooting::ShootingProblem& shooting, const nlp::Point& q,
                                   const std::vector<DerivedQuantity>& wanted, const Errors& errors) {
  model::Problem problem = shooting.problem();
  for (const DerivedQuantity& quantity : wanted) add_datum_of(quantity, problem);
  auto compiled = compile::compile(problem, shooting.stop());
  if (!compiled) return {};
  const shooting::ShootingProblem with(problem, std::move(compiled), shooting.grids(), shooting.options());
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (with.layout().unknowns != shooting.layout().unknowns || !with.predict(q, {}, predicted).ok) return {};
  std::vector<DerivedValue> out(wanted.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double value = predicted[predicted.size() - wanted.size() + k].simulation;
    if (!std::isfinite(value)) return {};
    out[k].id = wanted[k].id;
    out[k].value = value;
  }
  if (!errors.known) return out;
  std::vector<std::vector<double>> slopes =
      slopes_of_last(with, q, wanted.size(), static_cast<int>(errors.uncertainty.seen.size()));
  for (std::size_t k = 0; k < slopes.size(); ++k) out[k].slopes = std::move(slopes[k]);
  return out;
}

// Does a direction that the data cannot see move it?
bool is_seen(const DerivedValue& at, const Errors& errors) {
  constexpr double rounding = 1e-5;
  double size = std::abs(*at.value);
  for (const std::vector<double>& direction : errors.uncertainty.null_directions) {
    double move = 0;
    for (std::size_t i = 0; i < at.slopes.size(); ++i) move += at.slopes[i] * direction[i];
    for (std::size_t i = 0; i < at.slopes.size(); ++i) size = std::max(size, std::abs(at.slopes[i] * direction[i]));
    if (std::abs(move) > rounding * size) return false;
  }
  return true;
}

Estimate described(const model::Problem& problem, const DerivedQuantity& quantity, const DerivedValue& at,
                   const Errors& errors) {
  const model::Derived& derived = problem.derived[quantity.derived];
  Estimate out{.id = derived.id,
               .experiment = quantity.is_same_everywhere ? "" : problem.experiments[quantity.experiment].id,
               .axis = derived.axis,
               .estimate = *at.value};
  if (at.slopes.empty()) return out;
  out.identifiable = is_seen(at, errors);
  const statistics::Spread spread = statistics::spread_along(errors.corrected, at.slopes);
  if (!out.identifiable || !(spread.variance > 0) || !std::isfinite(spread.variance) || !(spread.degrees > 0))
    return out;
  out.standard_error = std::sqrt(spread.variance);
  if (std::isfinite(spread.degrees)) out.student_degrees = spread.degrees;
  out.interval = wald_of_derived(is_positive(problem, derived.formula), *at.value, spread);
  return out;
}

}  // namespace

std::pair<double, double> wald_of_derived(bool is_positive, double value, const statistics::Spread& spread) {
  const double reach = student_quantile(0.975, spread.degrees) * std::sqrt(spread.variance);
  if (!is_positive || !(value > 0)) return {value - reach, value + reach};
  return {value * std::exp(-reach / value), value * std::exp(reach / value)};
}

std::vector<DerivedValue> derived_values(const shooting::ShootingProblem& shooting, const nlp::Point& q,
                                         const Errors& errors) {
  const std::vector<DerivedQuantity> wanted = derived_quantities(shooting.problem());
  if (wanted.empty()) return {};
  std::vector<DerivedValue> all = evaluate(shooting, q, wanted, errors);
  if (!all.empty()) return all;
  for (const DerivedQuantity& quantity : wanted) {  // one of them stands in the way of the others
    const std::vector<DerivedValue> alone = evaluate(shooting, q, {quantity}, errors);
    all.push_back(alone.empty() ? DerivedValue{.id = quantity.id} : alone[0]);
  }
  return all;
}

std::string add_derived(const shooting::ShootingProblem& shooting, const nlp::Point& q, const Errors& errors,
                        const IntervalsOutcome& intervals, FitResult& result) {
  const std::vector<DerivedQuantity> wanted = derived_quantities(shooting.problem());
  const std::vector<DerivedValue> all = derived_values(shooting, q, errors);
  std::string trouble;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!all[k].value) {
      trouble += fmt::format(" {} has no finite value at the estimates.", wanted[k].id);
      continue;
    }
    Estimate estimate = described(shooting.problem(), wanted[k], all[k], errors);
    if (k < intervals.derived.size()) take_interval(intervals.derived[k], std::nullopt, estimate);
    result.derived.push_back(std::move(estimate));
  }
  return trouble;
}

}  // namespace salvo::uncertainty
