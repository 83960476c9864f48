// Large states: Lorenz-96 with a forcing of its own at every site,
//   x_i' = (x_{i+1} - x_{i-2}) x_{i-1} - x_i + F_i,   i = 1 ... d,
// all states measured with noise at the 21 nodes of 20 intervals, all F_i and all initial values estimated from F_i
// = 5. One fit for each d, from its files to its errors, in seconds of one processor; where they go; and the exponent
// of d by which they grew since the size before. Other sizes may be named: lorenz96_bench 64
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "estimate/ways/nodes.hpp"
#include "formats/problem/read.hpp"
#include "uncertainty/summarize.hpp"

namespace {

using namespace salvo;
using States = std::vector<double>;

constexpr int intervals = 20;
constexpr double spacing = 0.05;
constexpr double noise = 0.2;

double seconds_of_processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

States slope(const States& x, const States& F) {
  const std::size_t d = x.size();
  States out(d);
  for (std::size_t i = 0; i < d; ++i) out[i] = (x[(i + 1) % d] - x[(i + d - 2) % d]) * x[(i + d - 1) % d] - x[i] + F[i];
  return out;
}

States moved(const States& x, const States& k, double h) {
  States out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] + h * k[i];
  return out;
}

// The classical method in steps of at most 0.01.
States after(States x, const States& F, double time) {
  const int steps = static_cast<int>(std::ceil(time / 0.01));
  const double h = time / steps;
  for (int n = 0; n < steps; ++n) {
    const States k1 = slope(x, F);
    const States k2 = slope(moved(x, k1, h / 2), F);
    const States k3 = slope(moved(x, k2, h / 2), F);
    const States k4 = slope(moved(x, k3, h), F);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

void write_data(const std::filesystem::path& file, int d, Random& random) {
  States F(d);
  States x(d);
  for (double& forcing : F) forcing = 7 + 2 * random.uniform();
  for (double& state : x) state = 8 + random.normal();
  x = after(x, F, 10);  // onto the attractor
  std::ofstream out(file);
  out << "time";
  for (int i = 0; i < d; ++i) out << ",y" << i;
  for (int j = 0; j <= intervals; ++j) {
    out << fmt::format("\n{}", spacing * j);
    for (const double state : x) out << fmt::format(",{:.8g}", state + noise * random.normal());
    x = after(x, F, spacing);
  }
  out << '\n';
}

std::string write_problem(const std::filesystem::path& folder, int d) {
  Random random(7);
  write_data(folder / "lorenz96.csv", d, random);
  const std::filesystem::path file = folder / "lorenz96.yaml";
  std::ofstream out(file);
  out << "equations:\n";
  for (int i = 0; i < d; ++i)
    out << fmt::format("  x{0}: (x{1} - x{2})*x{3} - x{0} + F{0}\n", i, (i + 1) % d, (i + d - 2) % d, (i + d - 1) % d);
  out << "parameters:\n";
  for (int i = 0; i < d; ++i) out << fmt::format("  F{}: {{guess: 5}}\n", i);
  out << "observables:\n";
  for (int i = 0; i < d; ++i) out << fmt::format("  y{0}: {{formula: x{0}, noise: {1}}}\n", i, noise);
  out << "data: lorenz96.csv\n";
  return file.string();
}

struct Shares {
  double reading = 0, starting = 0, solving = 0, statistics = 0;
  int iterations = 0;
  bool converged = false;
  double total() const { return reading + starting + solving + statistics; }
};

// As `salvo fit` does it, up to the writing of results.
Shares fit_of(const std::string& file) {
  Shares shares;
  double before = seconds_of_processor();
  const auto lap = [&before] {
    const double now = seconds_of_processor();
    return now - std::exchange(before, now);
  };
  const auto problem = formats::read_problem(file);
  shares.reading = lap();
  const estimate::Workspace workspace(*problem, {});
  estimate::Setup setup = estimate::make_setup(workspace);
  shares.starting = lap();
  estimate::Answer answer{.run = estimate::run_solver(setup, {})};
  const solve::SolveResult& solved = answer.run;
  shares.solving = lap();
  FitResult result;
  result.measurements = static_cast<int>(problem->measurements.size());
  answer.predictions = estimate::predict_all(*setup.shooting, solved.q);
  uncertainty::summarize(*setup.shooting, answer, result);
  shares.statistics = lap();
  shares.iterations = solved.iterations;
  shares.converged = solved.claims_minimum;
  return shares;
}

void lorenz96(benchmark::State& state, int d) {
  static double last_seconds = 0;
  static int last_d = 0;
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("lorenz96_bench_{}", d);
  std::filesystem::create_directories(folder);
  const std::string file = write_problem(folder, d);
  Shares shares;
  for (auto _ : state) shares = fit_of(file);
  std::filesystem::remove_all(folder);
  if (!shares.converged) state.SkipWithError("did not converge");
  const double total = shares.total();
  state.counters["iterations"] = shares.iterations;
  state.counters["cpu_seconds"] = total;
  state.counters["reading"] = shares.reading / total;
  state.counters["starting"] = shares.starting / total;
  state.counters["solving"] = shares.solving / total;
  state.counters["statistics"] = shares.statistics / total;
  if (last_d > 0) state.counters["exponent"] = std::log(total / last_seconds) / std::log(1.0 * d / last_d);
  last_seconds = total;
  last_d = d;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {8, 40, 128, 256, 512};
  for (const int d : sizes)
    benchmark::RegisterBenchmark(fmt::format("lorenz96/{}", d).c_str(), lorenz96, d)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
}
