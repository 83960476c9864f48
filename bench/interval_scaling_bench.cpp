// Time and memory per interval of one Gauss-Newton iteration (linearisation and elimination), predator and prey on 10
// to 10,000 intervals. Both should not depend on the number of intervals.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "expression/parse.hpp"
#include "shooting/shooting_problem.hpp"
#include "shooting/start.hpp"
#include "solve/elimination.hpp"

namespace {

using namespace salvo;

model::Problem predator_prey(int intervals) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  const auto formula = [&](const char* text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  for (const char* name : {"p1", "p2", "p3", "p4"})
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = 1.0}});
  problem.states = {{"x1", problem.graph.symbol("x1"), formula("-p1*x1 + p2*x1*x2")},
                    {"x2", problem.graph.symbol("x2"), formula("p3*x2 - p4*x1*x2")}};
  const auto sigma = problem.graph.constant(0.05);
  problem.observables = {{"predator", problem.states[0].symbol, sigma}, {"prey", problem.states[1].symbol, sigma}};
  problem.experiments = {
      {.id = "default", .initial = {model::Estimated{.guess = 0.4}, model::Estimated{.guess = 1.0}}}};
  for (int j = 0; j <= intervals; ++j)
    for (const int observable : {0, 1})
      problem.measurements.push_back({.observable = observable, .time = 1.0 * j, .value = 1.0});
  return problem;
}

void iteration(benchmark::State& state) {
  const int intervals = static_cast<int>(state.range(0));
  const model::Problem problem = predator_prey(intervals);
  const auto compiled = compile::compile(problem);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const shooting::ShootingProblem shooting(problem, compiled,
                                           shooting::make_grids(problem, model::NodesAtMeasurements{}), {});
  const nlp::Point q = shooting::start_point(shooting, model::StartValues::data).q;
  nlp::Blocks blocks;
  std::size_t memory = 0;
  for (auto _ : state) {
    shooting.linearize(q, blocks);
    solve::Elimination elimination(shooting.layout(), blocks, shooting.sizes(q));
    benchmark::DoNotOptimize(elimination.solve(blocks, q));
    memory = mallinfo2().uordblks + mallinfo2().hblkhd - before;
  }
  state.counters["us_per_interval"] =
      benchmark::Counter(1e-6 * intervals, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_interval"] = static_cast<double>(memory) / intervals;
}

BENCHMARK(iteration)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
