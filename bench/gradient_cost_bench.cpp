// What the gradient of a scalar costs by one adjoint, forward pass included, as a multiple of one simulation: networks
// of 100 to 10,000 weights as right-hand sides of 2 to 64 states. Each figure is the median of pairs taken in turn, so
// that a busy machine slows both. `operations` is the same ratio in instructions of the tapes, which no machine
// disturbs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "integrate/integrator.hpp"
#include "model/network.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;
using bench::median;
using bench::seconds_of;

// Two hidden layers of equal size, such that there are about `weights` parameters.
model::Network network_of(int states, int weights) {
  const double b = 2.0 * states + 2;
  const int units = std::max(1, static_cast<int>(std::lround(0.5 * (std::sqrt(b * b + 4.0 * weights) - b))));
  return {.id = "f", .widths = {states, units, units, states}};
}

model::Problem neural(int states, int weights) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  model::Network network = network_of(states, weights);
  problem.parameters = model::network_parameters(problem.graph, network);
  std::vector<model::NodeId> x;
  model::Experiment experiment{.id = "default"};
  for (int i = 0; i < states; ++i) {
    x.push_back(problem.graph.symbol("x" + std::to_string(i)));
    experiment.initial.push_back(model::Estimated{.guess = 1.0});
  }
  const auto f = model::network_outputs(problem.graph, network, x, problem.parameters);
  for (int i = 0; i < states; ++i) problem.states.push_back({"x" + std::to_string(i), x[i], f[i]});
  problem.experiments.push_back(experiment);
  problem.networks.push_back(network);
  return problem;
}

template <int W>
void gradient(benchmark::State& state) {
  const int states = static_cast<int>(state.range(0));
  const model::Problem problem = neural(states, static_cast<int>(state.range(1)));
  const auto model = compile::compile(problem);
  const auto weights = problem.parameters.size();
  std::vector<double> p(weights * W);
  std::vector<double> x0(static_cast<std::size_t>(states) * W);
  for (std::size_t k = 0; k < weights; ++k)
    std::fill_n(p.begin() + static_cast<std::ptrdiff_t>(k * W), W,
                *std::get<model::Estimated>(problem.parameters[k].value).guess);
  for (std::size_t i = 0; i < x0.size(); ++i) x0[i] = std::sin(1.0 + static_cast<double>(i));
  const std::vector<double> end{1.0};
  integrate::Launch<W> launch{.x0 = x0.data(), .p = p.data()};
  launch.stops.fill(end);
  integrate::Record<W> record;
  integrate::Scratch scratch;
  const model::Integrator dopri5 = model::Dopri5{};
  std::vector<double> by_x0(x0.size());
  std::vector<double> by_p(p.size());
  const auto inject = [&](int l, int, double* lambda) {
    for (int i = 0; i < states; ++i) lambda[i * W + l] += 1;
  };
  const auto simulate = [&] { integrate::integrate<W>(*model, dopri5, launch, record, scratch); };
  const auto differentiate = [&] {
    simulate();
    integrate::adjoint<W>(*model, dopri5, launch, record, 1, inject, by_x0.data(), by_p.data(), scratch);
  };
  std::vector<double> simulation;
  std::vector<double> ratio;
  differentiate();
  for (auto _ : state) {
    simulation.push_back(seconds_of(simulate));
    ratio.push_back(seconds_of(differentiate) / simulation.back());
  }
  state.counters["m"] = static_cast<double>(weights);
  state.counters["ratio"] = median(ratio);
  state.counters["operations"] =
      1 + static_cast<double>(model->vjp.instruction_count()) / model->rhs.instruction_count();
  state.counters["simulation_us"] = 1e6 * median(simulation);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int states : {2, 16, 64})
    for (const int weights : {100, 1000, 10000})
      if (weights > 20 * states) benchmark->Args({states, weights});
  benchmark->Unit(benchmark::kMillisecond)->MinTime(0.2);
}

BENCHMARK(gradient<1>)->Apply(sizes);
BENCHMARK(gradient<4>)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
