// What the gradient of a scalar costs by one adjoint, forward pass included, as a multiple of one simulation: reactions
// among 2 to 512 species and networks of neurons, with up to 10,000 parameters, interpreted and as machine code. Each
// figure is the median of pairs taken in turn, so that a busy machine slows both. `operations` is the same ratio in
// instructions of the tapes, which no machine disturbs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "compile/accelerate.hpp"
#include "integrate/integrator.hpp"
#include "mass_action.hpp"
#include "model/network.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;
using bench::median;
using bench::processor_seconds_of;

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

enum class Code { interpreted, native };

template <int W>
void gradient(benchmark::State& state, const model::Problem& problem, Code code) {
  const int states = static_cast<int>(problem.states.size());
  auto model = compile::compile(problem);
  if (code == Code::native) {
    const compile::Accelerated native = compile::accelerate(
        *model,
        {.lanes = W, .tangents = false, .jacobian = false, .whole_steps = integrate::whole_steps_of(model::Dopri5{})});
    if (native.model == nullptr) return state.SkipWithError(native.trouble.c_str());
    model = native.model;
  }
  const auto weights = problem.parameters.size();
  std::vector<double> p(weights * W);
  std::vector<double> x0(static_cast<std::size_t>(states) * W);
  for (std::size_t k = 0; k < weights; ++k)
    std::fill_n(p.begin() + static_cast<std::ptrdiff_t>(k * W), W,
                *std::get<model::Estimated>(problem.parameters[k].value).guess);
  for (std::size_t i = 0; i < x0.size(); ++i) x0[i] = 1 + 0.5 * std::sin(1.0 + static_cast<double>(i));
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
    integrate::adjoint<W>(*model, dopri5, launch, record, {1, inject, by_x0.data(), by_p.data()}, scratch);
  };
  std::vector<double> simulation;
  std::vector<double> ratio;
  differentiate();
  for (auto _ : state) {
    simulation.push_back(processor_seconds_of(simulate));
    ratio.push_back(processor_seconds_of(differentiate) / simulation.back());
  }
  state.counters["m"] = static_cast<double>(weights);
  state.counters["ratio"] = median(ratio);
  state.counters["operations"] =
      1 + static_cast<double>(model->vjp.instruction_count()) / model->rhs.instruction_count();
  state.counters["simulation_us"] = 1e6 * median(simulation);
}

// Rates are such that about one reaction per species happens in the time simulated.
model::Problem reactions(int species, int count) {
  model::Problem problem = bench::mass_action(species, count);
  for (model::Parameter& parameter : problem.parameters)
    parameter.value = model::Estimated{.guess = 1.0 * species / count};
  return problem;
}

using Family = model::Problem (*)(int, int);

template <int W>
void enlist(const char* name, Family family, int states, int parameters) {
  constexpr int quick_to_translate = 1000;
  for (const auto& [code, word] : {std::pair{Code::interpreted, "tape"}, std::pair{Code::native, "machine code"}}) {
    if (code == Code::native && parameters > quick_to_translate) continue;
    const std::string title = fmt::format("{}, {}, W={}, d={}, m={}", name, word, W, states, parameters);
    benchmark::RegisterBenchmark(title.c_str(),
                                 [=](benchmark::State& state) { gradient<W>(state, family(states, parameters), code); })
        ->Unit(benchmark::kMillisecond)
        ->MinTime(0.1);
  }
}

void enlist_all() {
  for (const int parameters : {100, 1000, 10000}) {
    for (const int states : {2, 8, 40, 128, 512}) {
      if (parameters < states || parameters > 20 * states) continue;
      enlist<1>("reactions", reactions, states, parameters);
      enlist<4>("reactions", reactions, states, parameters);
    }
    for (const int states : {2, 8, 40}) {
      if (parameters < 20 * states) continue;
      enlist<1>("network", neural, states, parameters);
      enlist<4>("network", neural, states, parameters);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  enlist_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
