// Whole fits of predator and prey from the paper's guess: one alone, and a study of a thousand draws of the noise, with
// one thread and with two. `us_each` is the processor time of one fit with one thread, its errors included.
#include <benchmark/benchmark.h>

#include <ctime>

#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/study.hpp"
#include "predator_prey.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;

// At the paper's guess.
model::Problem measured_eleven_times() {
  model::Problem problem = bench::predator_prey({{"p1", 0.5}, {"p2", 0.5}, {"p3", 0.5}, {"p4", -0.2}});
  problem.settings.nodes = model::NodesAtMeasurements{};
  bench::measure_until(problem, 10);
  return problem;
}

const std::map<std::string, double> truth{{"p1", 1}, {"p2", 1}, {"p3", 1}, {"p4", 1}, {"x1", 0.4}, {"x2", 1}};

void alone(benchmark::State& state) {
  model::Problem problem = measured_eleven_times();
  const auto at_truth = fit::evaluate(problem, {.values = truth});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = at_truth.simulations[i].simulation + 0.02 * (i % 3 == 0 ? 1 : -1);
  int iterations = 0;
  for (auto _ : state) iterations = fit::fit(problem, {}, {}).iterations;
  state.counters["iterations"] = iterations;
}

void study(benchmark::State& state) {
  constexpr int replicates = 1000;
  const model::Problem problem = measured_eleven_times();
  const auto run = [&](int threads) {
    fit::StudyOptions options;
    options.truth = truth;
    options.replicates = replicates;
    options.fit.threads = threads;
    return bench::seconds_of([&] { benchmark::DoNotOptimize(fit::study(problem, options, {})); });
  };
  double one = 0;
  double two = 0;
  double processor = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    one = run(1);
    processor = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    two = run(2);
  }
  state.counters["us_each"] = 1e6 * processor / replicates;
  state.counters["two_threads_faster"] = one / two;
}

BENCHMARK(alone)->Unit(benchmark::kMicrosecond);
BENCHMARK(study)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
