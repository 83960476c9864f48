// Time and memory per interval of one Gauss-Newton iteration (linearisation and elimination), predator and prey on 10
// to 10,000 intervals. Both should not depend on the number of intervals.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "predator_prey.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/elimination/elimination.hpp"
#include "start/start.hpp"

namespace {

using namespace salvo;

void iteration(benchmark::State& state) {
  const int intervals = static_cast<int>(state.range(0));
  model::Problem problem = bench::predator_prey();
  bench::measure_until(problem, intervals);
  const auto compiled = compile::compile(problem);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const shooting::ShootingProblem shooting(problem, compiled,
                                           shooting::make_grids(problem, model::NodesAtMeasurements{}), {});
  const nlp::Point q = start::start_point(shooting, model::StartValues::data).q;
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
