#include "results/goodness.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace salvo {
namespace {

struct Pair {
  double value = 0;
  double prediction = 0;
};

Goodness goodness_of(const std::vector<Pair>& pairs) {
  Goodness out{.measurements = static_cast<int>(pairs.size())};
  if (pairs.empty()) return out;
  const auto n = static_cast<double>(pairs.size());
  double mean = 0;
  for (const Pair& pair : pairs) mean += pair.value / n;
  double missed = 0;
  double varied = 0;
  for (const auto& [value, prediction] : pairs) {
    missed += (value - prediction) * (value - prediction);
    varied += (value - mean) * (value - mean);
  }
  out.rmse = std::sqrt(missed / n);
  if (!(varied > 0)) return out;
  out.r2 = 1 - missed / varied;
  out.fit = 100 * (1 - std::sqrt(missed / varied));
  return out;
}

}  // namespace

std::vector<Goodness> goodness_by_observable(const model::Problem& problem,
                                             const std::vector<Prediction>& predictions) {
  std::vector<std::vector<Pair>> pairs(problem.observables.size());
  for (const Prediction& prediction : predictions) {
    const model::Measurement& measurement = problem.measurements[static_cast<std::size_t>(prediction.row)];
    if (measurement.censored != model::Censored::no) continue;
    const auto k = static_cast<std::size_t>(measurement.observable);
    const bool of_logarithms = model::is_logarithmic(problem.observables[k].distribution);
    const Pair pair = of_logarithms ? Pair{std::log(measurement.value), std::log(prediction.simulation)}
                                    : Pair{measurement.value, prediction.simulation};
    if (std::isfinite(pair.value) && std::isfinite(pair.prediction)) pairs[k].push_back(pair);
  }
  std::vector<Goodness> out;
  for (const auto& own : pairs) out.push_back(goodness_of(own));
  return out;
}

std::vector<Autocorrelation> autocorrelation_by_observable(const model::Problem& problem,
                                                           const std::vector<Prediction>& predictions) {
  constexpr int fewest = 10;
  constexpr int most_lags = 20;
  using Residual = std::pair<double, double>;                                            // time and size
  std::vector<std::map<int, std::vector<Residual>>> series(problem.observables.size());  // by experiment
  for (const Prediction& prediction : predictions) {
    const model::Measurement& measurement = problem.measurements[static_cast<std::size_t>(prediction.row)];
    if (std::isfinite(prediction.score))
      series[static_cast<std::size_t>(measurement.observable)][measurement.experiment].push_back(
          {measurement.time, prediction.score});
  }
  std::vector<Autocorrelation> out(problem.observables.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    double squares = 0;
    std::size_t longest = 0;
    for (auto& [experiment, residuals] : series[k]) {
      std::ranges::stable_sort(residuals, {}, &Residual::first);
      out[k].count += static_cast<int>(residuals.size());
      longest = std::max(longest, residuals.size());
      for (const Residual& residual : residuals) squares += residual.second * residual.second;
    }
    if (out[k].count < fewest || !(squares > 0)) continue;
    const int lags = std::min<int>(most_lags, static_cast<int>(longest) / 4);
    for (int lag = 1; lag <= lags; ++lag) {
      double products = 0;
      for (const auto& [experiment, residuals] : series[k])
        for (std::size_t i = static_cast<std::size_t>(lag); i < residuals.size(); ++i)
          products += residuals[i].second * residuals[i - static_cast<std::size_t>(lag)].second;
      out[k].lags.push_back(products / squares);
    }
  }
  return out;
}

}  // namespace salvo
