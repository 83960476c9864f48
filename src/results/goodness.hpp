#pragma once

#include <optional>
#include <vector>

#include "model/problem.hpp"
#include "results/predictions.hpp"

namespace salvo {

// How near predictions come to the data of one observable, on the scale of its noise: with logarithms of both for the
// laws of logarithms. Limits are not counted. With e = value - prediction and d = value - mean of the values,
//
//   rmse = sqrt(Σe²/n),    r2 = 1 - Σe²/Σd²,    fit = 100 (1 - sqrt(Σe²/Σd²)) per cent.
//
// The latter two are missing where all values are equal.
struct Goodness {
  int measurements = 0;
  double rmse = 0;
  std::optional<double> r2{};
  std::optional<double> fit{};
};
std::vector<Goodness> goodness_by_observable(const model::Problem& problem, const std::vector<Prediction>& predictions);

// How much a residual of an observable tells of the one k measurements later in the same experiment, k = 1, 2, ...:
//
//   lags[k - 1] = Σ e_i e_(i+k) / Σ e_i²,
//
// over all experiments, with quantile residuals, which have the mean 0 if the model is right. Without a pattern it lies
// within ±1.96/sqrt(count) 95 times in a hundred. Empty for fewer than ten residuals.
struct Autocorrelation {
  int count = 0;
  std::vector<double> lags{};
};
std::vector<Autocorrelation> autocorrelation_by_observable(const model::Problem& problem,
                                                           const std::vector<Prediction>& predictions);

}  // namespace salvo
