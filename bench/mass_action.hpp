#pragma once

#include <fmt/format.h>

#include "base/random.hpp"
#include "model/problem.hpp"

namespace salvo::bench {

// Reactions A + B -> C between species drawn at random, each with a rate of its own.
inline model::Problem mass_action(int species, int reactions) {
  model::Problem problem;
  expression::Graph& graph = problem.graph;
  problem.time = graph.symbol("t");
  model::Experiment experiment{.id = "default"};
  for (int i = 0; i < species; ++i) {
    const std::string id = fmt::format("x{}", i);
    problem.states.push_back({id, graph.symbol(id), graph.constant(0)});
    experiment.initial.push_back(model::Estimated{.guess = 1.0});
  }
  problem.experiments.push_back(experiment);
  Random random(1);
  for (int r = 0; r < reactions; ++r) {
    const std::string id = fmt::format("k{}", r);
    problem.parameters.push_back({id, graph.symbol(id), model::Estimated{.guess = 1.0}});
    const auto any = [&]() -> model::State& { return problem.states[random.bits() % species]; };
    model::State &a = any(), &b = any(), &c = any();
    const auto rate = graph.multiply(graph.multiply(problem.parameters.back().symbol, a.symbol), b.symbol);
    a.derivative = graph.subtract(a.derivative, rate);
    b.derivative = graph.subtract(b.derivative, rate);
    c.derivative = graph.add(c.derivative, rate);
  }
  return problem;
}

}  // namespace salvo::bench
