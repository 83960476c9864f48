// Whole fits of predator and prey from the paper's guess: one alone, and a study of a thousand draws of the noise, with
// one thread and with two. `us_each` is the processor time of one fit with one thread, its errors included.
#include <benchmark/benchmark.h>

#include <chrono>
#include <ctime>

#include "expression/parse.hpp"
#include "fit/fit.hpp"

namespace {

using namespace salvo;

model::Problem predator_prey() {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  const auto formula = [&](const char* text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  const std::vector<std::pair<const char*, double>> guesses{{"p1", 0.5}, {"p2", 0.5}, {"p3", 0.5}, {"p4", -0.2}};
  for (const auto& [name, guess] : guesses)
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = guess}});
  problem.states = {{"x1", problem.graph.symbol("x1"), formula("-p1*x1 + p2*x1*x2")},
                    {"x2", problem.graph.symbol("x2"), formula("p3*x2 - p4*x1*x2")}};
  const auto sigma = problem.graph.constant(0.05);
  problem.observables = {{"predator", problem.states[0].symbol, sigma}, {"prey", problem.states[1].symbol, sigma}};
  problem.experiments = {
      {.id = "default", .initial = {model::Estimated{.guess = 0.4}, model::Estimated{.guess = 1.0}}}};
  problem.settings.nodes = model::NodesAtMeasurements{};
  for (int t = 0; t <= 10; ++t)
    for (const int observable : {0, 1})
      problem.measurements.push_back({.observable = observable, .time = 1.0 * t, .value = 1.0});
  return problem;
}

const std::map<std::string, double> truth{{"p1", 1}, {"p2", 1}, {"p3", 1}, {"p4", 1}, {"x1", 0.4}, {"x2", 1}};

double seconds_of(const auto& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void alone(benchmark::State& state) {
  model::Problem problem = predator_prey();
  const auto at_truth = fit::evaluate(problem, {.values = truth});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = at_truth.simulations[i].simulation + 0.02 * (i % 3 == 0 ? 1 : -1);
  int iterations = 0;
  for (auto _ : state) iterations = fit::fit(problem, {}, {}).iterations;
  state.counters["iterations"] = iterations;
}

void study(benchmark::State& state) {
  constexpr int replicates = 1000;
  const model::Problem problem = predator_prey();
  const auto run = [&](int threads) {
    fit::StudyOptions options;
    options.truth = truth;
    options.replicates = replicates;
    options.fit.threads = threads;
    return seconds_of([&] { benchmark::DoNotOptimize(fit::study(problem, options, {})); });
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
