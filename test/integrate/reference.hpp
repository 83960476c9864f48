#pragma once

#include <complex>
#include <vector>

#include "integrate/record.hpp"

// A second implementation of the Runge-Kutta methods, for any kind of number: with complex numbers its imaginary part
// is the exact derivative of the same discretisation.
namespace salvo::test {

struct Tableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};

inline const Tableau classical{{0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}};

inline const Tableau dormand_prince{{0, 0.2, 0.3, 0.8, 8. / 9, 1},
                                    {{},
                                     {1. / 5},
                                     {3. / 40, 9. / 40},
                                     {44. / 45, -56. / 15, 32. / 9},
                                     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}},
                                    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};

// x after each of the recorded steps of lane 0, with the steps as they were.
template <class Number, class F>
std::vector<std::vector<Number>> repeat_steps(const Tableau& tableau, const F& f, const integrate::Record<1>& record,
                                              std::vector<Number> x, const std::vector<Number>& p) {
  std::vector<std::vector<Number>> path;
  for (int n = 0; n < record.steps[0]; ++n) {
    const double h = record.h[n];
    std::vector<std::vector<Number>> k;
    for (std::size_t i = 0; i < tableau.b.size(); ++i) {
      std::vector<Number> stage = x;
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t s = 0; s < x.size(); ++s) stage[s] += h * tableau.a[i][j] * k[j][s];
      k.push_back(f(stage, record.t[n] + tableau.c[i] * h, p));
    }
    for (std::size_t i = 0; i < tableau.b.size(); ++i)
      for (std::size_t s = 0; s < x.size(); ++s) x[s] += h * tableau.b[i] * k[i][s];
    path.push_back(x);
  }
  return path;
}

// d x(after step n) / d (x0, p), entry [state][column], by complex step.
template <class F>
std::vector<std::vector<double>> complex_step(const Tableau& tableau, const F& f, const integrate::Record<1>& record,
                                              const std::vector<double>& x0, const std::vector<double>& p, int step) {
  using Complex = std::complex<double>;
  constexpr double tiny = 1e-30;
  std::vector<std::vector<double>> out(x0.size(), std::vector<double>(x0.size() + p.size()));
  for (std::size_t column = 0; column < x0.size() + p.size(); ++column) {
    std::vector<Complex> x(x0.begin(), x0.end());
    std::vector<Complex> q(p.begin(), p.end());
    (column < x0.size() ? x[column] : q[column - x0.size()]) += Complex(0, tiny);
    const auto path = repeat_steps<Complex>(tableau, f, record, x, q);
    for (std::size_t i = 0; i < x0.size(); ++i) out[i][column] = path[step - 1][i].imag() / tiny;
  }
  return out;
}

// The right-hand sides of helpers/problems.hpp, written out.
inline const auto predator_prey_rhs = [](const auto& x, double, const auto& p) {
  return std::decay_t<decltype(x)>{-p[0] * x[0] + p[1] * x[0] * x[1], p[2] * x[1] - p[3] * x[0] * x[1]};
};
inline const auto driven_rhs = [](const auto& x, double t, const auto& p) {
  using std::cos;
  return std::decay_t<decltype(x)>{x[1], -p[0] * x[0] - p[1] * x[1] + p[2] * cos(p[3] * t)};
};

}  // namespace salvo::test
