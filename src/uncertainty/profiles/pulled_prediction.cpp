#include "uncertainty/profiles/pulled_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/contract.hpp"
#include "model/on_cells.hpp"
#include "statistics/influence.hpp"
#include "uncertainty/profiles/prediction_formula.hpp"

namespace salvo::uncertainty {

PulledPrediction::PulledPrediction(const HeldFits& fits, const std::vector<estimate::Quantity>& all,
                                   const Errors& errors, const PredictionWanted& wanted)
    : fits_(fits), all_(all), errors_(errors), problem_(fits.shooting().problem()) {
  const std::string where = wanted.experiment.empty() ? "" : wanted.experiment + ":";
  id_ = where + wanted.formula + (wanted.time ? fmt::format("@{:g}", *wanted.time) : "");
  if (wanted.derived) id_ = wanted.derived->id;
  add_datum(wanted);
  compiled_ = compile::compile(problem_);
  place();
}

// It is an observable of its own with one datum, whose noise is normal whatever that of other observables is.
void PulledPrediction::add_datum(const PredictionWanted& wanted) {
  if (wanted.derived) return add_datum_of(*wanted.derived, problem_);
  const int experiment = experiment_of(problem_, wanted);
  const Result<PredictionFormula> formula = read_prediction(problem_, wanted.formula);
  SALVO_EXPECTS(static_cast<bool>(formula));  // check_profiles has read it
  problem_.measurements.push_back({.experiment = experiment,
                                   .observable = static_cast<int>(problem_.observables.size()),
                                   .time = wanted.time.value_or(problem_.experiments[experiment].start),
                                   .sigma = 1.0});
  problem_.observables.push_back({.id = wanted.formula, .formula = formula->node});
  const bool is_on_cells = model::put_on_cells(problem_).empty();  // where the formula speaks of fields, too
  SALVO_EXPECTS(is_on_cells);
}

void PulledPrediction::place() {
  const shooting::ShootingProblem pulled(problem_, compiled_, shooting::make_grids(problem_, model::SingleInterval{}),
                                         fits_.shooting().options());
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  nlp::Blocks blocks;
  if (pulled.layout().unknowns != fits_.shooting().layout().unknowns) return;
  if (!pulled.predict(optimum(), {}, predicted).ok || !pulled.linearize(optimum(), blocks).ok) return;
  const double g = predicted.back().simulation;
  task_.optimum = {.value = g, .objective = fits_.optimum().objective, .slope = 0, .q = optimum()};
  task_.is_value = true;
  const std::vector<shooting::RowMeaning> rows = pulled.rows_in_order();
  const int last = static_cast<int>(problem_.measurements.size()) - 1;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.measurement == last; });
  const int row = static_cast<int>(found - rows.begin());
  task_.size = size_of(g, pulled.layout(), blocks, row);
  add_error(pulled.layout(), blocks, row);
}

// What it is or, because it may be zero, how far the size of a quantity moves it.
double PulledPrediction::size_of(double value, const nlp::Layout& layout, const nlp::Blocks& blocks, int row) const {
  const int n = static_cast<int>(all_.size());
  const std::vector<double> sizes = fits_.shooting().sizes(optimum());
  Matrix by_sizes(n, n);
  for (int i = 0; i < n; ++i) by_sizes(i, i) = sizes[all_[i].unknown];
  const Matrix moved = statistics::row_influence(layout, blocks, by_sizes);
  double size = std::max(std::abs(value), std::numeric_limits<double>::min());
  for (int k = 0; k < moved.rows; ++k) size = std::max(size, std::abs(moved(k, row)));
  return size;
}

// The prediction's row d (its sigma is 1) moves by d root: error |d root|, tangent root (d root)' / |d root|^2. A
// direction that the data cannot see, if it moves the prediction, leaves it without an error.
void PulledPrediction::add_error(const nlp::Layout& layout, const nlp::Blocks& blocks, int row) {
  if (!errors_.known) return;
  const int n = static_cast<int>(all_.size());
  Matrix unseen(n, static_cast<int>(errors_.uncertainty.null_directions.size()));
  for (int k = 0; k < unseen.cols; ++k)
    for (int i = 0; i < n; ++i) unseen(i, k) = errors_.uncertainty.null_directions[k][i];
  constexpr double rounding = 1e-5;
  const Matrix along = statistics::row_influence(layout, blocks, unseen);
  for (int k = 0; k < unseen.cols; ++k) {
    if (std::abs(along(k, row)) <= rounding * task_.size) continue;
    task_.tangent.assign(optimum().size(), 0.0);
    for (int i = 0; i < n; ++i) task_.tangent[all_[i].unknown] = unseen(i, k) / along(k, row);
    return;
  }
  const Matrix& root = errors_.uncertainty.root;
  const Matrix moved = statistics::row_influence(layout, blocks, root);
  double variance = 0;
  for (int k = 0; k < root.cols; ++k) variance += moved(k, row) * moved(k, row);
  if (!(variance > 0)) return;
  Matrix each(n, n);
  for (int i = 0; i < n; ++i) each(i, i) = 1;
  const Matrix slopes = statistics::row_influence(layout, blocks, each);
  for (int i = 0; i < n; ++i) slopes_.push_back(slopes(i, row));
  task_.error = std::sqrt(variance);
  task_.tangent.assign(optimum().size(), 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < root.cols; ++k) task_.tangent[all_[i].unknown] += root(i, k) * moved(k, row) / variance;
}

// Hard enough: a tenth of the error, or of the value where that is smaller, because a prediction that cannot pass
// through zero moves in proportion to itself there.
double PulledPrediction::pulling_sigma(double value) const {
  constexpr double part = 0.1;
  constexpr double smallest = 1e-4;  // of the error: it does pass through zero, perhaps
  const double error = task_.error > 0 ? task_.error : task_.size;
  return part * std::clamp(std::abs(value), smallest * error, error);
}

// A datum z beyond the wanted value pulls the prediction there: z - g = s^2 f'(g), and f' = (g - g0) / variance as far
// as f is a square. What that leaves is put right by moving z on, as far as the last move says.
statistics::HeldPoint PulledPrediction::at(double value, const nlp::Point& start) const {
  constexpr int most_moves = 6;
  constexpr double close_enough = 1e-7;      // of the datum's sigma
  constexpr double hardly_gives_way = 1e-3;  // at a wall: the datum is moved no further than that asks for
  model::Problem problem = problem_;
  model::Measurement& datum = problem.measurements.back();
  datum.sigma = pulling_sigma(value);
  const double s2 = *datum.sigma * *datum.sigma;
  const double curvature = task_.error > 0 ? 1 / (task_.error * task_.error) : 0;
  datum.value = value + s2 * (value - task_.optimum.value) * curvature;
  statistics::HeldPoint found = fits_.with_datum(problem, compiled_, start);
  double gives_way = 1 / (1 + s2 * curvature);  // of the prediction, when the datum moves by one
  for (int n = 0; n < most_moves && found.point; ++n) {
    const double missed = value - found.point->value;
    if (std::abs(missed) <= close_enough * *datum.sigma) break;
    const double move = missed / gives_way;
    datum.value += move;
    statistics::HeldPoint next = fits_.with_datum(problem, compiled_, found.point->q);
    if (!next.point || !(std::abs(value - next.point->value) < std::abs(missed))) break;
    gives_way = std::clamp((next.point->value - found.point->value) / move, hardly_gives_way, 1.0);
    found = std::move(next);
  }
  return found;
}

}  // namespace salvo::uncertainty
