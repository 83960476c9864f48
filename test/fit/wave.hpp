#pragma once

#include <cmath>
#include <vector>

#include "fit/evaluate.hpp"
#include "helpers/field_problems.hpp"

// A wave that grows and spreads, measured here and there.
namespace salvo::test {

inline double noise_of(int i) { return std::sqrt(2.0) * std::sin(12.9898 * i + 4.1 * std::sin(78.233 * i)); }

// u_t = D u_xx + r u (1 - u), measured at some places and times with known noise. Data come from fine cells.
inline FieldBuilder wave(int cells, double D, double r) {
  FieldBuilder builder({.from = 0, .to = 10, .cells = cells});
  builder.parameter("D", within(D, 0, 10)).parameter("r", within(r, 0, 10));
  builder.field({"u", "D*dxx(u) + r*u*(1 - u)", "0.8*exp(-x^2/2)"}).observable("density", "u", "0.02");
  return builder;
}

inline void measure(FieldBuilder& builder, const std::vector<double>& places, const std::vector<double>& times) {
  for (const double t : times)
    for (const double x : places) builder.measure(0, t, 0, x);
}

inline model::Problem with_data(model::Problem problem, const fit::EvaluateResult& exact, double sigma) {
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation + sigma * noise_of(static_cast<int>(i));
  return problem;
}

inline const std::vector<double> wave_places{0, 0.7, 1.5, 2.2, 3.1, 4, 5.3, 6.6, 8, 10};
inline const std::vector<double> wave_times{0.5, 1, 2, 3};

}  // namespace salvo::test
