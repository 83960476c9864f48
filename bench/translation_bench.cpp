// How long it takes to make machine code of mass-action networks of 10 to 500 states with twice as many reactions, all
// kernels of a fit for 4 lanes, in seconds of the processor. `exponent`: the power of the number of states by which it
// grew since the size before.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>

#include "compile/accelerate.hpp"
#include "mass_action.hpp"

namespace {

using namespace salvo;

void translation(benchmark::State& state) {
  static double before = 0;
  static double states_before = 0;
  const int states = static_cast<int>(state.range(0));
  const auto model = compile::compile(bench::mass_action(states, 2 * states));
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
