#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "estimate/ways/nodes.hpp"
#include "expression/parse.hpp"
#include "fit/evaluate.hpp"

namespace salvo::bench {

// A model of which one state alone is seen, and guesses for its parameters.
struct HiddenStates {
  std::string name{};
  std::vector<std::pair<std::string, std::string>> equations{};  // the first state is seen
  std::vector<std::pair<std::string, double>> truth{};
  std::vector<double> x0{};
  double noise = 0, end = 0, step = 0;
  std::vector<double> (*draw)(Random&) = nullptr;
};

inline std::vector<double> within_a_factor_of_five(Random& random) {
  std::vector<double> p{0.2, 0.2, 3};
  for (double& value : p) value *= std::pow(5.0, 2 * random.uniform() - 1);
  return p;
}

inline HiddenStates fitzhugh_nagumo() {
  return {.name = "FitzHugh-Nagumo, V seen",
          .equations = {{"V", "c*(V - V^3/3 + R)"}, {"R", "-(V - a + b*R)/c"}},
          .truth = {{"a", 0.2}, {"b", 0.2}, {"c", 3}},
          .x0 = {-1, 1},
          .noise = 0.2,
          .end = 20,
          .step = 0.5,
          .draw = within_a_factor_of_five};
}

inline HiddenStates lorenz() {
  return {.name = "Lorenz over 30 units, x seen",
          .equations = {{"x", "sig*(y - x)"}, {"y", "x*(rho - z) - y"}, {"z", "x*y - beta*z"}},
          .truth = {{"sig", 10}, {"rho", 28}, {"beta", 8. / 3}},
          .x0 = {1, 0, 0},
          .noise = 1,
          .end = 30,
          .step = 0.05,
          .draw = [](Random&) {
            return std::vector<double>{9, 20, 2};
          }};
}

// With data that have no noise.
inline model::Problem clean_problem(const HiddenStates& which) {
  model::Problem problem;
  const auto formula = [&](const std::string& text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  problem.time = problem.graph.symbol("t");
  for (const auto& [name, value] : which.truth)
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = value}});
  for (const auto& [name, text] : which.equations)
    problem.states.push_back({name, problem.graph.symbol(name), formula(text)});
  problem.observables = {{"seen", problem.states[0].symbol, problem.graph.constant(which.noise)}};
  model::Experiment experiment{.id = "default"};
  for (const double value : which.x0) experiment.initial.emplace_back(model::Estimated{.guess = value});
  problem.experiments = {experiment};
  for (int k = 0; k * which.step <= which.end + 1e-9; ++k) problem.measurements.push_back({.time = k * which.step});
  const auto exact = fit::evaluate(problem, {});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation;
  return problem;
}

}  // namespace salvo::bench
