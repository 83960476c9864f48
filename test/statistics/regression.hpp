#pragma once

#include <cmath>
#include <vector>

#include "nlp/problem.hpp"
#include "statistics/small_samples.hpp"

// Linear regressions as blocks, small enough to be worked out by hand.
namespace salvo::test {

struct Datum {
  std::vector<double> slopes{};  // of its mean, by the coefficients
  double residual = 0;           // mean less datum, at the estimates
  int noise = -1;                // which noise it has; -1: a known sigma of 1
};

// theta = the coefficients, then the logarithm of every estimated sigma; no states. Each datum has a row of its mean
// and, where its noise is estimated, one of that: (1 - u^2) / sqrt(2) with slope sqrt(2), u its residual in sigma, so
// that J'r is the gradient of log sigma + u^2 / 2 and J'J its expected value.
struct Regression {
  nlp::Layout layout{};
  nlp::Blocks blocks{};
  std::vector<statistics::RowRole> roles{};
  std::vector<double> sizes{};
  int measurements = 0;

  Regression(const std::vector<Datum>& data, const std::vector<double>& sigmas) {
    const int coefficients = static_cast<int>(data.front().slopes.size());
    const int thetas = coefficients + static_cast<int>(sigmas.size());
    layout.thetas = layout.unknowns = thetas;
    layout.chains = {{.offset = {thetas}, .size = {0}}};
    layout.lower.assign(thetas, -HUGE_VAL);
    layout.upper.assign(thetas, HUGE_VAL);
    layout.noise_only.assign(thetas, false);
    for (int k = coefficients; k < thetas; ++k) layout.noise_only[k] = true;
    sizes.assign(thetas, 1.0);
    measurements = static_cast<int>(data.size());
    for (int m = 0; m < measurements; ++m) {
      roles.push_back({.measurement = m});
      if (data[m].noise >= 0) roles.push_back({.measurement = m, .of_noise = true, .scale_information = 2});
    }
    nlp::Rows rows;
    rows.by_theta.resize(static_cast<int>(roles.size()), thetas);
    rows.by_block.resize(static_cast<int>(roles.size()), 0);
    for (const Datum& datum : data) {
      const double sigma = datum.noise < 0 ? 1 : sigmas[datum.noise];
      const double u = datum.residual / sigma;
      for (int k = 0; k < coefficients; ++k)
        rows.by_theta(static_cast<int>(rows.r.size()), k) = datum.slopes[k] / sigma;
      rows.r.push_back(u);
      if (datum.noise < 0) continue;
      rows.by_theta(static_cast<int>(rows.r.size()), coefficients + datum.noise) = std::sqrt(2.0);
      rows.r.push_back((1 - u * u) / std::sqrt(2.0));
    }
    blocks.chains.resize(1);
    blocks.chains[0].rows = {rows};
  }

  // A normal prior of one theta, at its mean.
  void add_prior(int theta, double sigma) {
    const int rows = blocks.priors.by_theta.rows + 1;
    Matrix slopes(rows, layout.thetas);
    for (int i = 0; i + 1 < rows; ++i)
      for (int k = 0; k < layout.thetas; ++k) slopes(i, k) = blocks.priors.by_theta(i, k);
    slopes(rows - 1, theta) = 1 / sigma;
    blocks.priors.by_theta = slopes;
    blocks.priors.r.push_back(0);
    roles.push_back({});
  }

  statistics::Uncertainty uncertainty() const {
    return statistics::uncertainty(layout, blocks, nlp::Point(layout.unknowns, 0.0), sizes);
  }
  statistics::SmallSamples small_samples() const {
    return statistics::small_samples(layout, blocks, uncertainty(), roles, measurements);
  }
};

// Least squares on y = a + b t.
struct Line {
  explicit Line(std::vector<double> times, const std::vector<double>& y) : t(std::move(times)) {
    n = static_cast<double>(t.size());
    double mean_y = 0;
    for (std::size_t i = 0; i < t.size(); ++i) mean_t += t[i] / n, mean_y += y[i] / n;
    double covariance = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      squares_t += std::pow(t[i] - mean_t, 2);
      covariance += (t[i] - mean_t) * (y[i] - mean_y);
    }
    b = covariance / squares_t;
    a = mean_y - b * mean_t;
    for (std::size_t i = 0; i < t.size(); ++i) residual.push_back(a + b * t[i] - y[i]);
    for (const double r : residual) squares += r * r;
  }
  double leverage(std::size_t i) const { return 1 / n + std::pow(t[i] - mean_t, 2) / squares_t; }
  double sigma() const { return std::sqrt(squares / n); }  // of maximum likelihood
  double variance() const { return squares / (n - 2); }    // without bias
  double error_of_b() const { return std::sqrt(variance() / squares_t); }
  double error_of_a() const { return std::sqrt(variance() * (1 / n + mean_t * mean_t / squares_t)); }
  std::vector<Datum> data(int noise) const {
    std::vector<Datum> out;
    for (std::size_t i = 0; i < t.size(); ++i) out.push_back({{1, t[i]}, residual[i], noise});
    return out;
  }

  std::vector<double> t, residual{};
  double n = 0, mean_t = 0, squares_t = 0, a = 0, b = 0, squares = 0;
};

inline Line five_points() { return Line({0, 1, 2, 3, 5}, {1.1, 1.7, 3.2, 3.6, 5.9}); }

}  // namespace salvo::test
