// Large stiff systems: reaction and diffusion by the method of lines, u' = D laplace u + r u (1 - u), on a line of
// 1,000 and a plane of 100 x 100 points. Value and exact gradient by D, r and all initial values of a sum of squares at
// four times, by one adjoint: seconds for formulas and kernels, for the steps and for the way back, and megabytes at
// the peak.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "integrate/integrator.hpp"
#include "stiff_problems.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;

bench::StiffSystem lattice(int nx, int ny) {
  bench::StiffSystem out{.name = "lattice", .parameters = {{"D", 0.02}, {"r", 2}}, .times = {0.2, 0.5, 1, 2}};
  const auto name = [](int i, int j) { return fmt::format("u{}_{}", i, j); };
  const double h = 1.0 / std::max(nx, ny);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      std::string neighbours;
      int count = 0;
      const auto add = [&](int a, int b) {
        if (a < 0 || a >= nx || b < 0 || b >= ny) return;
        neighbours += (count++ > 0 ? " + " : "") + name(a, b);
      };
      add(i - 1, j), add(i + 1, j), add(i, j - 1), add(i, j + 1);
      const std::string u = name(i, j);
      out.equations.push_back(
          {u, fmt::format("D*{}*({} - {}*{}) + r*{}*(1 - {})", 1 / (h * h), neighbours, count, u, u, u)});
      out.x0.push_back(0.5 * std::exp(-20 * (std::pow(i * h - 0.3, 2) + (ny > 1 ? std::pow(j * h - 0.4, 2) : 0))));
    }
  }
  return out;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void gradient(benchmark::State& state, int nx, int ny) {
  const bench::StiffSystem system = lattice(nx, ny);
  const std::vector<double> p{0.02, 2};
  const int d = nx * ny;
  for (auto _ : state) {
    std::shared_ptr<const compile::CompiledModel> model;
    state.counters["compile_s"] = bench::processor_seconds_of([&] {
      model = compile::compile(system.problem());
      model->stiff->kernels();
    });
    integrate::Launch<1> launch{.stops = {system.times}, .x0 = system.x0.data(), .p = p.data()};
    integrate::Record<1> record;
    integrate::Scratch scratch;
    const model::Integrator integrator = model::Rodas5p{.rtol = 1e-6};
    state.counters["steps_s"] =
        bench::processor_seconds_of([&] { integrate::integrate<1>(*model, integrator, launch, record, scratch); });
    std::vector<double> by_x0(d), by_p(2);
    state.counters["adjoint_s"] = bench::processor_seconds_of([&] {
      const integrate::Injection inject = [&](int, int k, double* lambda) {
        for (int i = 0; i < d; ++i) lambda[i] += 2 * record.x_stop[0][static_cast<std::size_t>(k) * d + i];
      };
      integrate::adjoint<1>(*model, integrator, launch, record, {1, inject, by_x0.data(), by_p.data()}, scratch);
    });
    benchmark::DoNotOptimize(by_p.data());
    state.counters["steps"] = record.steps[0];
  }
  state.counters["states"] = d;
  state.counters["megabytes"] = peak_megabytes();
}

BENCHMARK_CAPTURE(gradient, line, 1000, 1)->Iterations(1);
BENCHMARK_CAPTURE(gradient, plane, 100, 100)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
