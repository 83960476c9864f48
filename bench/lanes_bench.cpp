// How much several trajectories side by side gain over one: an end and its gradient, each trajectory a different one.
// `over_one_lane` is the time per trajectory with one lane over that with W, from runs taken in turn.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "compile/accelerate.hpp"
#include "expression/parse.hpp"
#include "integrate/integrator.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;
using bench::median;
using bench::processor_seconds_of;

struct Model {
  std::vector<const char*> equations{};
  double end = 1;
};
const Model products{{"-p1*x1 + p2*x1*x2", "p3*x2 - p4*x1*x2"}, 5};
const Model functions{{"-p1*x1/(1 + x2) + p2*exp(-x1)", "p3*sin(t)*x2/(1 + x1^2) - p4*tanh(x1*x2)"}, 5};

std::shared_ptr<const compile::CompiledModel> compiled(const Model& given, const model::Integrator& integrator,
                                                       int lanes) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  for (const char* name : {"p1", "p2", "p3", "p4"})
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = 1.0}});
  for (std::size_t i = 0; i < given.equations.size(); ++i) {
    const std::string id = "x" + std::to_string(i + 1);
    const auto formula = expression::parse(problem.graph, given.equations[i]);
    problem.states.push_back({id, problem.graph.symbol(id), std::get<expression::Formula>(formula).node});
  }
  problem.experiments = {
      {.id = "default", .initial = {model::Estimated{.guess = 0.4}, model::Estimated{.guess = 1.0}}}};
  return compile::accelerate(*compile::compile(problem),
                             {.lanes = lanes, .whole_steps = integrate::whole_steps_of(integrator)})
      .model;
}

template <int W>
class Flight {
 public:
  Flight(const Model& model, model::Integrator integrator)
      : model_(compiled(model, integrator, W)), integrator_(std::move(integrator)), end_{model.end} {}

  double run(int first) {
    for (int l = 0; l < W; ++l) {
      for (int i = 0; i < 2; ++i) x0_[i * W + l] = 0.4 + 0.3 * i + 0.05 * (first + l);
      for (int k = 0; k < 4; ++k) p_[k * W + l] = 1 + 0.01 * (first + l) * (k - 1.5);
    }
    integrate::Launch<W> launch{.x0 = x0_.data(), .p = p_.data()};
    launch.stops.fill(end_);
    integrate::integrate<W>(*model_, integrator_, launch, record_, scratch_);
    const auto inject = [](int l, int, double* lambda) { lambda[l] += 1; };
    integrate::adjoint<W>(*model_, integrator_, launch, record_, {1, inject, by_x0_.data(), by_p_.data()}, scratch_);
    return by_p_[0];
  }

 private:
  std::shared_ptr<const compile::CompiledModel> model_;
  model::Integrator integrator_;
  std::vector<double> end_;
  integrate::Record<W> record_;
  integrate::Scratch scratch_;
  std::vector<double> x0_ = std::vector<double>(2 * W), p_ = std::vector<double>(4 * W);
  std::vector<double> by_x0_ = std::vector<double>(2 * W), by_p_ = std::vector<double>(4 * W);
};

template <int W>
void compare(benchmark::State& state, const Model& model, const model::Integrator& integrator) {
  constexpr int trajectories = 64;
  Flight<1> one(model, integrator);
  Flight<W> many(model, integrator);
  std::vector<double> ratios, each;
  for (auto _ : state) {
    for (int repeat = 0; repeat < 51; ++repeat) {
      const double alone = processor_seconds_of([&] {
        for (int n = 0; n < trajectories; ++n) benchmark::DoNotOptimize(one.run(n));
      });
      const double together = processor_seconds_of([&] {
        for (int n = 0; n < trajectories; n += W) benchmark::DoNotOptimize(many.run(n));
      });
      ratios.push_back(alone / together);
      each.push_back(together / trajectories);
    }
  }
  state.counters["over_one_lane"] = median(ratios);
  state.counters["ns_each"] = 1e9 * median(each);
}

void lanes_4(benchmark::State& state, const Model& model, const model::Integrator& integrator) {
  compare<4>(state, model, integrator);
}

BENCHMARK_CAPTURE(lanes_4, products_rk4, products, model::Rk4{.step = 0.05})->Iterations(1);
BENCHMARK_CAPTURE(lanes_4, products_dopri5, products, model::Dopri5{})->Iterations(1);
BENCHMARK_CAPTURE(lanes_4, functions_dopri5, functions, model::Dopri5{})->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
