#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace salvo::test {

// Central differences of order 4: with h = 1e-3 exact to about 1e-12 for functions of size and curvature one.
inline std::vector<double> difference(const std::function<std::vector<double>(double)>& f, double x, double h = 1e-3) {
  const std::vector<double> near_up = f(x + h);
  const std::vector<double> near_down = f(x - h);
  const std::vector<double> far_up = f(x + 2 * h);
  const std::vector<double> far_down = f(x - 2 * h);
  std::vector<double> out(near_up.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = (8 * (near_up[i] - near_down[i]) - (far_up[i] - far_down[i])) / (12 * h);
  return out;
}

// Of order 6, where fewer digits may be lost to rounding.
inline std::vector<double> fine_difference(const std::function<std::vector<double>(double)>& f, double x, double h) {
  constexpr double weight[] = {45, -9, 1};
  std::vector<double> out;
  for (int k = 1; k <= 3; ++k) {
    const std::vector<double> up = f(x + k * h);
    const std::vector<double> down = f(x - k * h);
    out.resize(up.size(), 0.0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight[k - 1] * (up[i] - down[i]) / (60 * h);
  }
  return out;
}

// The same of a scalar function of several variables, by its k-th one.
inline double partial(const std::function<double(const std::vector<double>&)>& f, std::vector<double> x, std::size_t k,
                      double h = 1e-3) {
  return difference(
      [&](double value) {
        x[k] = value;
        return std::vector<double>{f(x)};
      },
      x[k], h)[0];
}

// |a - b| relative to the larger of |b| and `floor`.
inline double relative_error(double a, double b, double floor = 1) {
  return std::abs(a - b) / std::max(std::abs(b), floor);
}

}  // namespace salvo::test
