#pragma once

#include <string>
#include <vector>

#include "helpers/samples.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::test {

// Measures some states of a builder's problem along its own trajectory, without noise.
inline model::Problem measured(Builder builder, const std::vector<double>& x0, const std::vector<double>& p,
                               const std::vector<int>& observables, double end, double step) {
  const auto compiled = compile::compile(builder.build());
  std::vector<double> times;
  for (int k = 0; k * step <= end + 1e-9; ++k) times.push_back(k * step);
  const shooting::Trajectory truth = shooting::trajectory(*compiled, model::Dopri5{}, {}, x0, p, times);
  for (std::size_t k = 0; k < times.size(); ++k)
    for (const int i : observables) builder.measure(0, i, times[k], truth.states(i, static_cast<int>(k)));
  return builder.build();
}

inline Builder lorenz(double noise) {
  Builder builder(Equations{{"x", "sig*(y - x)"}, {"y", "x*(rho - z) - y"}, {"z", "x*y - beta*z"}});
  builder.parameter("sig", estimated(9)).parameter("rho", estimated(20)).parameter("beta", estimated(2));
  for (const char* state : {"x", "y", "z"})
    builder.observable(std::string("see_") + state, state, std::to_string(noise));
  builder.experiment("default", {estimated(1), estimated(1), estimated(1)});
  return builder;
}

}  // namespace salvo::test
