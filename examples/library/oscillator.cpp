// A model written in C++: a damped oscillator, two parameters and its first position from twelve measurements.
#include <cmath>
#include <cstdio>
#include <salvo/builder.hpp>
#include <salvo/fit.hpp>

int main() {
  salvo::ProblemBuilder builder;
  const salvo::Formula frequency = builder.parameter("frequency", {.guess = 1.5, .lower = 0});
  const salvo::Formula damping = builder.parameter("damping", {.guess = 0.5, .scale = salvo::model::Scale::log});
  const salvo::Formula x = builder.state("x");
  const salvo::Formula v = builder.state("v");
  builder.equation(x, v).equation(v, -frequency * frequency * x - damping * v);
  builder.initial(x, salvo::Estimated{}).initial(v, 0);
  builder.observable("position", x, {.noise = 0.01});

  // What x = exp(-t/10) (cos wt + sin wt/(10 w)), w^2 = 4 - 1/100, would show: frequency 2, damping 0.2.
  const double w = std::sqrt(3.99);
  for (int i = 0; i < 12; ++i) {
    const double t = 0.5 * i;
    builder.measure("position", t, std::exp(-t / 10) * (std::cos(w * t) + std::sin(w * t) / (10 * w)));
  }

  // A problem, or everything that is wrong with it.
  const salvo::Result<salvo::model::Problem> problem = builder.build();
  if (!problem) {
    for (const salvo::Issue& issue : problem.issues()) std::puts(to_string(issue).c_str());
    return 1;
  }
  const salvo::FitResult result = salvo::fit::fit(*problem, {}, {});
  std::puts(result.message.c_str());
  for (const auto& estimate : result.parameters) std::printf("%s = %.5f\n", estimate.id.c_str(), estimate.estimate);
  return result.status == salvo::Status::converged ? 0 : 4;
}
