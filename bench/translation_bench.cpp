// How long it takes to make machine code of mass-action networks of 10 to 500 states with twice as many reactions, all
// kernels of a fit for 4 lanes, in seconds of the processor. `exponent`: the power of the number of states by which it
// grew since the size before.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "base/random.hpp"
#include "compile/accelerate.hpp"
#include "expression/parse.hpp"

namespace {

using namespace salvo;

// Reactions A + B -> C with rates of their own.
model::Problem mass_action(int states) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  Random random(1);
  const auto any = [&] { return static_cast<int>(random.bits() % states); };
  std::vector<std::string> sums(states, "0");
  for (int r = 0; r < 2 * states; ++r) {
    problem.parameters.push_back(
        {fmt::format("k{}", r), problem.graph.symbol(fmt::format("k{}", r)), model::Estimated{.guess = 1.0}});
    const int a = any(), b = any(), c = any();
    const std::string rate = fmt::format("k{}*x{}*x{}", r, a, b);
    sums[a] += " - " + rate;
    sums[b] += " - " + rate;
    sums[c] += " + " + rate;
  }
  model::Experiment experiment{.id = "default"};
  for (int i = 0; i < states; ++i) {
    const std::string id = fmt::format("x{}", i);
    const auto formula = expression::parse(problem.graph, sums[i]);
    problem.states.push_back({id, problem.graph.symbol(id), std::get<expression::Formula>(formula).node});
    experiment.initial.push_back(model::Estimated{.guess = 1.0});
  }
  problem.experiments.push_back(experiment);
  return problem;
}

void translation(benchmark::State& state) {
  static double before = 0;
  static double states_before = 0;
  const int states = static_cast<int>(state.range(0));
  const auto model = compile::compile(mass_action(states));
  double seconds = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    benchmark::DoNotOptimize(compile::accelerate(*model, {.lanes = 4}));
    seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  state.counters["instructions"] = compile::instructions_to_translate(*model, {.lanes = 4});
  state.counters["seconds"] = seconds;
  if (before > 0) state.counters["exponent"] = std::log(seconds / before) / std::log(states / states_before);
  before = seconds;
  states_before = states;
}

BENCHMARK(translation)->Arg(10)->Arg(50)->Arg(100)->Arg(200)->Arg(500)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
