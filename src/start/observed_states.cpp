#include "start/observed_states.hpp"

#include <algorithm>
#include <cmath>

#include "start/invert_observable.hpp"

namespace salvo::start {
namespace {

// The standard error of a known initial value, as a part of the least one among the data: it stands for zero, and from
// 3e-4 to 3e-3 nothing changes.
const double exactness = 1e-3;

// Times that differ by rounding only make slopes without end.
bool is_finite(const Curve& curve) {
  double sum = curve.sigma;
  for (const auto* numbers : {&curve.value, &curve.second, &curve.left_out})
    for (const double number : *numbers) sum += std::abs(number);
  return std::isfinite(sum);
}

class Reader {
 public:
  Reader(const model::Problem& problem, const compile::CompiledModel& model, int experiment,
         const std::vector<int>& measured, const shooting::ExperimentValues& at, const Rules& rules)
      : problem_(problem),
        model_(model),
        experiment_(experiment),
        at_(at),
        rules_(rules.curves),
        inverter_(model, rules.least_squares),
        resolved_(model.states, false) {
    out_.experiment = experiment;
    out_.states.resize(model.states);
    noise_known_.assign(model.states, true);
    for (const int i : measured)
      if (problem.measurements[i].censored == model::Censored::no) waiting_.push_back(i);
  }

  ObservedStates read() {
    while (!waiting_.empty() && invert_what_is_ripe()) {
    }
    out_.left_over = std::move(waiting_);
    std::sort(out_.left_over.begin(), out_.left_over.end());
    return std::move(out_);
  }

 private:
  // The one state an observable could reveal now, or -1.
  int revealed_by(int observable) const {
    const compile::Pattern& pattern = model_.observables[observable].by_state;
    int found = -1;
    for (int z = 0; z < pattern.size(); ++z) {
      if (pattern.row[z] != 0) continue;
      if (pattern.column[z] >= model_.states) return -1;  // it looks back
      if (resolved_[pattern.column[z]]) continue;
      if (found >= 0) return -1;
      found = pattern.column[z];
    }
    return found;
  }

  bool invert_what_is_ripe() {
    std::vector<int> revealed(model_.observables.size());
    for (std::size_t o = 0; o < revealed.size(); ++o) revealed[o] = revealed_by(static_cast<int>(o));
    std::vector<std::vector<SeriesPoint>> found(model_.states);
    std::vector<bool> logarithmic(model_.states, true);
    std::vector<std::vector<int>> used(model_.states);
    for (const int i : waiting_) {
      const int state = revealed[problem_.measurements[i].observable];
      if (state < 0 || !out_.states[state].series.empty()) continue;
      const auto point = invert(i, state, found[state]);
      if (!point) continue;
      found[state].push_back(*point);
      used[state].push_back(i);
      const auto& observable = problem_.observables[problem_.measurements[i].observable];
      logarithmic[state] = logarithmic[state] && model::is_logarithmic(observable.distribution) && point->value > 0;
    }
    return take(std::move(found), logarithmic, used);
  }

  std::optional<SeriesPoint> invert(int i, int state, const std::vector<SeriesPoint>& before) {
    const model::Measurement& m = problem_.measurements[i];
    x_ = at_.s0;
    for (int k = 0; k < model_.states; ++k)
      if (resolved_[k]) x_[k] = out_.states[k].at(m.time);
    const double from_guess = x_[state];
    const std::span<const double> p(model_.parameters_at(experiment_, m.time, at_.p.data(), p_), at_.p.size());
    for (const double from : {before.empty() ? from_guess : before.back().value, from_guess, 1.0}) {
      x_[state] = from;
      const auto inverted = inverter_.invert(m.observable, m.value, m.time, p, x_, state);
      if (!inverted) continue;
      const model::Law law = problem_.observables[m.observable].law();
      const bool of_logarithm = model::is_logarithmic(law.distribution);
      const auto& rows = model_.observables[m.observable].by_parameter.row;
      if (!m.sigma && std::find(rows.begin(), rows.end(), 1) != rows.end()) noise_known_[state] = false;
      const double spread = model::spread(law, std::max(m.value, 1.0), m.sigma.value_or(inverted->sigma));
      const double sigma = spread * (of_logarithm ? std::abs(m.value) : 1) / std::abs(inverted->slope);
      if (!(sigma > 0) || !std::isfinite(sigma)) continue;
      return SeriesPoint{.time = m.time, .value = inverted->state, .sigma = sigma};
    }
    return std::nullopt;
  }

  bool take(std::vector<std::vector<SeriesPoint>> found, const std::vector<bool>& logarithmic,
            const std::vector<std::vector<int>>& used) {
    bool resolved_one = false;
    std::vector<int> became_curves;
    for (int state = 0; state < model_.states; ++state) {
      if (found[state].empty()) continue;
      ObservedState& observed = out_.states[state];
      observed.logarithmic = logarithmic[state];
      observed.series = averaged(std::move(found[state]), rules_.most_points);
      add_known_start(state);
      most_points_ = std::max(most_points_, observed.series.size());
    }
    for (int state = 0; state < model_.states; ++state) {
      ObservedState& observed = out_.states[state];
      const double points = static_cast<double>(observed.series.size());
      if (resolved_[state] || points < rules_.fewest_points ||
          points < rules_.fair_share * static_cast<double>(most_points_))
        continue;
      Curve curve = curve_of(observed, noise_known_[state] ? NoiseLevel::known : NoiseLevel::unknown);
      if (!is_finite(curve)) continue;
      observed.curve = std::move(curve);
      resolved_[state] = resolved_one = true;
      became_curves.insert(became_curves.end(), used[state].begin(), used[state].end());
    }
    std::sort(became_curves.begin(), became_curves.end());
    std::erase_if(waiting_, [&](int i) { return std::binary_search(became_curves.begin(), became_curves.end(), i); });
    return resolved_one;
  }

  void add_known_start(int state) {
    const model::Experiment& experiment = problem_.experiments[experiment_];
    if (!std::holds_alternative<model::NodeId>(experiment.initial[state]) || !std::isfinite(at_.s0[state])) return;
    std::vector<SeriesPoint>& series = out_.states[state].series;
    double least = series.front().sigma;
    for (const SeriesPoint& point : series) least = std::min(least, point.sigma);
    std::erase_if(series, [&](const SeriesPoint& point) { return point.time <= experiment.start; });
    series.insert(series.begin(), {.time = experiment.start, .value = at_.s0[state], .sigma = exactness * least});
    if (!(at_.s0[state] > 0)) out_.states[state].logarithmic = false;
  }

  Curve curve_of(const ObservedState& observed, NoiseLevel level) const {
    if (!observed.logarithmic) return smoothing_spline(observed.series, level, rules_.precision);
    std::vector<SeriesPoint> logarithms = observed.series;
    for (SeriesPoint& point : logarithms) {
      point.sigma /= point.value;
      point.value = std::log(point.value);
    }
    return smoothing_spline(logarithms, level, rules_.precision);
  }

  const model::Problem& problem_;
  const compile::CompiledModel& model_;
  int experiment_;
  const shooting::ExperimentValues& at_;
  CurveRules rules_;
  ObservableInverter inverter_;
  std::vector<double> x_, p_;  // where an observable is inverted
  std::vector<int> waiting_;   // measurements, by time
  std::vector<bool> resolved_, noise_known_;
  std::size_t most_points_ = 0;
  ObservedStates out_;
};

// What a curve misses between its knots beyond what noise explains, against its range, squared.
double coarseness(const Curve& curve, const CurveRules& rules) {
  double sum = 0;
  for (const double missed : curve.left_out) sum += missed_beyond_noise(missed, curve.sigma, rules);
  const auto [low, high] = std::minmax_element(curve.value.begin(), curve.value.end());
  const double range = *high - *low;
  return range > 0 ? sum / (static_cast<double>(curve.left_out.size()) * range * range) : 0;
}

}  // namespace

double missed_beyond_noise(double missed, double sigma, const CurveRules& rules) {
  const double noise = rules.noise_span * sigma;
  return std::max(0.0, missed * missed - noise * noise);
}

double ObservedState::at(double t) const { return logarithmic ? std::exp(curve->at(t)) : curve->at(t); }

ObservedStates observed_states(const model::Problem& problem, const compile::CompiledModel& model, int experiment,
                               const std::vector<int>& measured, const shooting::ExperimentValues& at,
                               const Rules& rules) {
  return Reader(problem, model, experiment, measured, at, rules).read();
}

std::optional<std::vector<ObservedStates>> with_coarse_curves_marked(const std::vector<ObservedStates>& observed,
                                                                     const CurveRules& rules) {
  std::optional<std::vector<ObservedStates>> out;
  for (std::size_t i = 0; i < observed.front().states.size(); ++i) {
    double sum = 0;
    int curves = 0;
    for (const ObservedStates& experiment : observed)
      if (experiment.states[i].curve) sum += coarseness(*experiment.states[i].curve, rules), ++curves;
    if (sum <= curves * rules.coarse * rules.coarse) continue;
    if (!out) out = observed;
    for (ObservedStates& experiment : *out) experiment.states[i].coarse = true;
  }
  return out;
}

}  // namespace salvo::start
