#include "uncertainty/profiles/new_observation.hpp"

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "shooting/nodes.hpp"
#include "uncertainty/profiles/prediction_formula.hpp"

namespace salvo::uncertainty {
namespace {

constexpr char as_unknown[] = "new observation";  // no user can write such a name

int observable_called(const model::Problem& problem, const std::string& id) {
  for (int k = 0; k < static_cast<int>(problem.observables.size()); ++k)
    if (problem.observables[k].id == id) return k;
  return -1;
}

// The law of (z - g) / sigma.
model::Law standard(const model::Law& law) {
  if (model::is_square(law.distribution)) return {model::Distribution::normal, 0};
  return {model::has_corner(law.distribution) ? model::Distribution::laplace : law.distribution, law.shape};
}

// Counts between whole numbers: P(Y <= z) as a smooth function of z. Its quantiles, rounded up, are those of the
// counts. Without a dispersion they are Poisson's.
double count_score(double z, double mean, const std::optional<double>& dispersion) {
  const double below =
      dispersion ? negative_binomial_cdf(z, mean, *dispersion) : chi_squared_survival(2 * mean, 2 * (z + 1));
  // The far tails: probabilities that a number can hold.
  constexpr double least = 1e-300;
  return below < 0.5 ? normal_quantile(std::max(below, least))
                     : -normal_quantile(std::max(1 - below, std::numeric_limits<double>::epsilon()));
}
double median_count(double mean, const std::optional<double>& dispersion) {
  double low = -1;
  double high = mean + 1;
  for (int n = 0; n < 100; ++n) {
    const double middle = 0.5 * (low + high);
    (count_score(middle, mean, dispersion) < 0 ? low : high) = middle;
  }
  return high;
}

template <typename Function>
double slope_of(const Function& f, double x) {
  const double by = 1e-5 * (1 + std::abs(x));
  return (f(x + by) - f(x - by)) / (2 * by);
}

}  // namespace

bool NewObservation::exists(const model::Problem& problem, const PredictionWanted& wanted) {
  const int k = observable_called(problem, wanted.formula);
  if (k < 0 || !wanted.time) return false;
  const model::Observable& observable = problem.observables[k];
  return observable.distribution == model::Distribution::poisson || observable.noise.has_value();
}

NewObservation::NewObservation(const HeldFits& fits, const Errors& errors, const PulledPrediction& prediction,
                               const PredictionWanted& wanted)
    : fits_(fits), id_("new " + prediction.id()), problem_(fits.shooting().problem()) {
  observable_ = observable_called(problem_, wanted.formula);
  add_datum(wanted);
  compiled_ = compile::compile(problem_);
  place(errors, prediction);
}

model::Scale NewObservation::scale() const {
  return model::is_logarithmic(problem_.observables[observable_].distribution) ? model::Scale::log : model::Scale::lin;
}
bool NewObservation::is_count() const { return model::is_count(problem_.observables[observable_].distribution); }

// An observable of its own with one datum: (z - g) / sigma, of logarithms under a logarithmic law, where z is one more
// unknown; of a count its mean, which is pulled.
void NewObservation::add_datum(const PredictionWanted& wanted) {
  const model::Observable& observable = problem_.observables[observable_];
  model::NodeId formula = observable.formula;
  if (!is_count()) {
    auto& graph = problem_.graph;
    model::Parameter z{
        .id = as_unknown, .symbol = graph.symbol(as_unknown), .value = model::Estimated{.guess = 1, .scale = scale()}};
    const auto on_scale = [&](model::NodeId node) {
      return scale() == model::Scale::log ? graph.make(expression::Op::log, node) : node;
    };
    formula = graph.divide(graph.subtract(on_scale(z.symbol), on_scale(formula)), *observable.noise);
    problem_.parameters.push_back(std::move(z));
  }
  problem_.measurements.push_back({.experiment = experiment_of(problem_, wanted),
                                   .observable = static_cast<int>(problem_.observables.size()),
                                   .time = *wanted.time,
                                   .sigma = 1.0});
  problem_.observables.push_back({.id = as_unknown, .formula = formula});
}

std::unique_ptr<shooting::ShootingProblem> NewObservation::with_datum(const model::Problem& problem) const {
  return std::make_unique<shooting::ShootingProblem>(
      problem, compiled_, shooting::make_grids(problem, model::SingleInterval{}), fits_.shooting().options());
}

// At its median the observation costs nothing: there the fit is the best one.
void NewObservation::place(const Errors& errors, const PulledPrediction& prediction) {
  const auto shooting = with_datum(problem_);
  for (const estimate::Quantity& quantity : estimate::quantities(*shooting))
    if (quantity.id == as_unknown) unknown_ = quantity.unknown;
  const double g = prediction.task().optimum.value;
  const bool is_log = scale() == model::Scale::log;
  if (prediction.task().optimum.q.empty() || (is_log && !(g > 0))) return;
  if (problem_.observables[observable_].distribution == model::Distribution::negative_binomial) {
    dispersion_ = dispersion_there();
    if (!dispersion_) return;
  }
  double sigma = std::sqrt(dispersion_ ? g + g * g / *dispersion_ : g);
  task_.optimum = {.value = is_log       ? std::log(g)
                            : is_count() ? median_count(g, dispersion_)
                                         : g,
                   .objective = fits_.optimum().objective};
  task_.optimum.q = lifted(fits_.optimum().q, task_.optimum.value);
  if (!is_count()) {  // (z - g) / sigma at a z one step away
    const double step = is_log ? 1 : std::max(std::abs(g), 1.0);
    std::vector<shooting::ShootingProblem::Predicted> predicted;
    if (!shooting->predict(lifted(fits_.optimum().q, task_.optimum.value + step), {}, predicted).ok ||
        !(predicted.back().simulation > 0)) {
      task_.optimum.q.clear();
      return;
    }
    sigma = step / predicted.back().simulation;
  }
  task_.is_value = !is_log;
  add_spread(errors, prediction, sigma);
}

// The dispersion of counts is that of the answer: where it is estimated, its own error is left out.
std::optional<double> NewObservation::dispersion_there() const {
  model::Problem problem = fits_.shooting().problem();
  model::Measurement datum = problem_.measurements.back();
  datum.observable = observable_;
  datum.sigma.reset();
  problem.measurements.push_back(datum);
  const shooting::ShootingProblem shooting(problem, compile::compile(problem),
                                           shooting::make_grids(problem, model::SingleInterval{}),
                                           fits_.shooting().options());
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!shooting.predict(fits_.optimum().q, {}, predicted).ok || !(predicted.back().sigma > 0)) return std::nullopt;
  return predicted.back().sigma;
}

// Error, tangent and size, from those of the prediction and from its own scatter.
void NewObservation::add_spread(const Errors& errors, const PulledPrediction& prediction, double sigma) {
  const statistics::ProfileTask& curve = prediction.task();
  const bool is_log = scale() == model::Scale::log;
  const double unit = is_log ? curve.optimum.value : 1;  // of the prediction, by the scale
  const double variance = std::pow(curve.error / unit, 2);
  plain_variance_ = variance + sigma * sigma;
  task_.error = std::sqrt(plain_variance_);
  task_.size = is_log ? 1 : std::max(curve.size, task_.error);
  if (!curve.tangent.empty() && variance > 0) {
    task_.tangent = lifted(curve.tangent, 1);
    for (int k = 0; k < static_cast<int>(task_.tangent.size()); ++k)
      if (k != unknown_) task_.tangent[k] *= unit * variance / plain_variance_;
  }
  std::vector<double> along = prediction.slopes();
  along.resize(errors.corrected.degrees.size(), 0.0);
  for (double& slope : along) slope /= unit;
  const int experiment = problem_.measurements.back().experiment;
  int like = -1;  // a measurement whose noise is made of the same parameters
  for (int i = 0; i + 1 < static_cast<int>(problem_.measurements.size()); ++i) {
    const model::Measurement& measurement = problem_.measurements[i];
    if (measurement.observable == observable_ && !measurement.sigma &&
        (like < 0 || measurement.experiment == experiment))
      like = i;
  }
  corrected_ = statistics::spread_of_new(errors.corrected, along, sigma * sigma, like);
}

nlp::Point NewObservation::lifted(const nlp::Point& q, double value) const {
  if (unknown_ < 0) return q;
  nlp::Point out = q;
  if (q.size() == fits_.optimum().q.size()) out.insert(out.begin() + unknown_, value);
  out[unknown_] = value;
  return out;
}

statistics::HeldPoint NewObservation::at(double value, const nlp::Point& start) const {
  return is_count() ? at_count(value, start) : at_standardised(value, start);
}

double NewObservation::normal_score(double standardised) const {
  const model::Law law = standard(problem_.observables[observable_].law());
  return law.distribution == model::Distribution::normal
             ? standardised
             : model::quantile_residual(law, {.value = standardised}, 0, 1, 0);
}

constexpr int most_rounds = 60;

// Under a normal law one fit. Under another one u is linearised at the v = (z - g) / sigma that was reached, which is a
// datum of its own, until v stands still.
statistics::HeldPoint NewObservation::at_standardised(double value, const nlp::Point& start) const {
  constexpr double still = 1e-9;
  model::Problem problem = problem_;
  model::Measurement& datum = problem.measurements.back();
  const bool is_normal = model::is_square(problem_.observables[observable_].distribution);
  const auto score = [&](double v) { return normal_score(v); };
  nlp::Point q = lifted(start, value);
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!with_datum(problem)->predict(q, {}, predicted).ok) return {.trouble = "it cannot be evaluated there"};
  double v = predicted.back().simulation;
  for (int n = 0; n < most_rounds; ++n) {
    if (!is_normal) {
      const double slope = slope_of(score, v);
      datum.sigma = 1 / slope;
      datum.value = v - score(v) / slope;
    }
    const auto shooting = with_datum(problem);
    statistics::HeldPoint held = fits_.with_held(*shooting, unknown_, value, q);
    if (!held.point) return held;
    if (!shooting->predict(held.point->q, {}, predicted).ok) return {.trouble = "it cannot be evaluated there"};
    const double before = std::exchange(v, predicted.back().simulation);
    const double llh = shooting->noise_row(static_cast<int>(predicted.size()) - 1, predicted.back()).llh;
    const double added = llh + 0.5 * score(v) * score(v);
    held.point->objective += added;
    held.start_objective += added;
    if (is_normal || std::abs(v - before) <= still * (1 + std::abs(v))) return held;
    q = held.point->q;
  }
  return {.trouble = "a fit along the path did not converge"};
}

// For counts u is followed by the mean g, which the datum pulls.
statistics::HeldPoint NewObservation::at_count(double value, const nlp::Point& start) const {
  constexpr double still = 1e-9;
  model::Problem problem = problem_;
  model::Measurement& datum = problem.measurements.back();
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!with_datum(problem)->predict(start, {}, predicted).ok) return {.trouble = "it cannot be evaluated there"};
  double g = predicted.back().simulation;
  nlp::Point q = start;
  for (int n = 0; n < most_rounds && g > 0; ++n) {
    const auto score = [&](double mean) { return count_score(value, mean, dispersion_); };
    const double slope = (score(g * (1 + 1e-5)) - score(g * (1 - 1e-5))) / (2e-5 * g);
    datum.sigma = 1 / std::abs(slope);
    datum.value = g - score(g) / slope;
    statistics::HeldPoint held = fits_.with_datum(problem, compiled_, q);
    if (!held.point) return held;
    const double before = std::exchange(g, held.point->value);
    if (g > 0 && std::abs(g - before) <= still * g) {
      const double u = score(g);
      held.point->value = value;
      held.point->objective += 0.5 * u * u;
      held.point->slope = u * slope_of([&](double z) { return count_score(z, g, dispersion_); }, value);
      return held;
    }
    q = held.point->q;
  }
  return {.trouble = "a fit along the path did not converge"};
}

}  // namespace salvo::uncertainty
