#pragma once

#include <map>
#include <string>
#include <variant>

#include "expression/parse.hpp"
#include "model/problem.hpp"

namespace salvo::bench {

// Predator and prey as in the paper, without data: both species are seen, with noise 0.05.
inline model::Problem predator_prey(const std::map<std::string, double>& guesses = {}) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  const auto formula = [&](const char* text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  for (const char* name : {"p1", "p2", "p3", "p4"}) {
    const auto guess = guesses.find(name);
    problem.parameters.push_back(
        {name, problem.graph.symbol(name), model::Estimated{.guess = guess == guesses.end() ? 1.0 : guess->second}});
  }
  problem.states = {{"x1", problem.graph.symbol("x1"), formula("-p1*x1 + p2*x1*x2")},
                    {"x2", problem.graph.symbol("x2"), formula("p3*x2 - p4*x1*x2")}};
  const auto sigma = problem.graph.constant(0.05);
  problem.observables = {{"predator", problem.states[0].symbol, sigma}, {"prey", problem.states[1].symbol, sigma}};
  problem.experiments = {
      {.id = "default", .initial = {model::Estimated{.guess = 0.4}, model::Estimated{.guess = 1.0}}}};
  return problem;
}

// Both species at t = 0, 1, ..., `last`; the values are for the caller to fill.
inline void measure_until(model::Problem& problem, int last) {
  for (int t = 0; t <= last; ++t)
    for (const int observable : {0, 1})
      problem.measurements.push_back({.observable = observable, .time = 1.0 * t, .value = 1.0});
}

}  // namespace salvo::bench
