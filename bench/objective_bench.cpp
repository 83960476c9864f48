// What a call of salvo::Objective costs beyond its integration: x' = -k over one step from a known start, one
// measurement. `overhead_ns` is the time of a call less that of the bare trajectory, taken in turn.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "expression/parse.hpp"
#include "fit/objective.hpp"
#include "integrate/integrator.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;
using bench::median;
using bench::processor_seconds_of;

constexpr int calls = 10'000;

model::Problem nearly_nothing() {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  const auto k = problem.graph.symbol("k");
  const auto x = problem.graph.symbol("x");
  problem.parameters.push_back({"k", k, model::Estimated{.guess = 0.5}});
  problem.states.push_back({"x", x, std::get<expression::Formula>(expression::parse(problem.graph, "-k")).node});
  problem.observables.push_back({"seen", x, problem.graph.constant(0.1)});
  problem.experiments = {{.id = "default", .initial = {problem.graph.constant(1)}}};
  problem.measurements.push_back({.time = 1, .value = 0.4});
  problem.settings.integrator = model::Rk4{.step = 1};
  return problem;
}

// The integration alone, of the same steps by the same kind of code.
double seconds_of_trajectory(const compile::CompiledModel& model) {
  const double stop = 1;
  const double x0 = 1;
  const double p = 0.5;
  const integrate::Launch<1> launch{.stops = {std::span(&stop, 1)}, .x0 = &x0, .p = &p};
  integrate::Record<1> record{.keeps_steps = false};
  integrate::Scratch scratch;
  return processor_seconds_of([&] {
    for (int n = 0; n < calls; ++n) integrate::integrate<1>(model, model::Rk4{.step = 1}, launch, record, scratch);
  });
}

void call(benchmark::State& state, bool with_gradient) {
  const model::Problem problem = nearly_nothing();
  const auto objective = *fit::Objective::make(problem, {.expected_calls = 1});
  const auto model = compile::compile(problem);
  const std::vector<double> x{0.5};
  std::vector<double> gradient(1);
  double value = 0;
  std::vector<double> overhead;
  for (auto _ : state) {
    const double of_calls = processor_seconds_of([&] {
      for (int n = 0; n < calls; ++n)
        benchmark::DoNotOptimize(with_gradient ? objective.gradient(x, value, gradient) : objective.value(x, value));
    });
    overhead.push_back((of_calls - seconds_of_trajectory(*model)) / calls);
  }
  state.counters["overhead_ns"] = 1e9 * median(overhead);
}

void value(benchmark::State& state) { call(state, false); }
void gradient(benchmark::State& state) { call(state, true); }
BENCHMARK(value)->Unit(benchmark::kMillisecond)->MinTime(1);
BENCHMARK(gradient)->Unit(benchmark::kMillisecond)->MinTime(1);

}  // namespace

BENCHMARK_MAIN();
