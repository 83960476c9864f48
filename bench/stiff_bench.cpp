// Work and precision on stiff systems: rodas5p against the BDF methods of CVODES ([HBGLSSW05]), both with machine code
// of the same formulas. An error is the largest over states and times, relative to the largest value of the state at
// these times, against CVODES at 1e-12. Each takes the loosest tolerance that reaches 1e-6 on all of eight trajectories
// whose parameters differ by a few percent. `times_faster` is per trajectory, from runs taken in turn; `gradient` is
// value and gradient by parameters and initial values of a sum of the states at the end, by one adjoint.
//   work_precision: errors and microseconds of both at tolerances from 1e-4 to 1e-10
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "compile/accelerate.hpp"
#include "integrate/integrator.hpp"
#include "stiff_problems.hpp"
#include "timing.hpp"

namespace {

using namespace salvo;
using bench::median;
using bench::processor_seconds_of;

constexpr int trajectories = 8;
constexpr double wanted_error = 1e-6;

template <int W>
class Runs {
 public:
  Runs(const bench::StiffSystem& system, const model::Integrator& integrator)
      : system_(system),
        integrator_(integrator),
        model_(compile::accelerate(*compile::compile(system.problem()), {.lanes = W, .stiff = true}).model),
        x0_(system.x0.size() * W),
        p_(system.parameters.size() * W),
        by_x0_(x0_.size()),
        by_p_(p_.size()) {}

  // W trajectories from the n-th on.
  void values(int first) {
    for (int l = 0; l < W; ++l) {
      for (std::size_t i = 0; i < system_.x0.size(); ++i) x0_[i * W + l] = system_.x0[i];
      for (std::size_t k = 0; k < system_.parameters.size(); ++k)
        p_[k * W + l] = system_.parameters[k].second * (1 + 0.01 * (first + l) * (k % 2 == 0 ? 1 : -1));
    }
    launch_ = {.x0 = x0_.data(), .p = p_.data()};
    launch_.stops.fill(system_.times);
    integrate::integrate<W>(*model_, integrator_, launch_, record_, scratch_);
  }
  // After `values`.
  void adjoint() {
    const int last = static_cast<int>(system_.times.size()) - 1;
    const std::size_t d = system_.x0.size();
    const integrate::Injection inject = [&](int l, int k, double* lambda) {
      for (std::size_t i = 0; i < d && k == last; ++i) lambda[i * W + l] += 1;
    };
    integrate::adjoint<W>(*model_, integrator_, launch_, record_, {1, inject, by_x0_.data(), by_p_.data()}, scratch_);
  }
  bool ok(int l) const { return record_.ending[l].ok(); }
  const std::vector<double>& states(int l) const { return record_.x_stop[l]; }
  int steps() const { return record_.steps[0]; }

 private:
  const bench::StiffSystem& system_;
  model::Integrator integrator_;
  std::shared_ptr<const compile::CompiledModel> model_;
  std::vector<double> x0_, p_, by_x0_, by_p_;
  integrate::Launch<W> launch_{};
  integrate::Record<W> record_;
  integrate::Scratch scratch_;
};

using Reference = std::vector<std::vector<double>>;  // of each trajectory

Reference reference_of(const bench::StiffSystem& system) {
  Runs<1> tight(system, model::Cvodes{.rtol = 1e-12});
  Reference out;
  for (int n = 0; n < trajectories; ++n) {
    tight.values(n);
    out.push_back(tight.states(0));
  }
  return out;
}

double error_of(const bench::StiffSystem& system, const std::vector<double>& states,
                const std::vector<double>& reference) {
  if (states.size() != reference.size()) return INFINITY;
  const std::size_t d = system.x0.size();
  double worst = 0;
  for (std::size_t i = 0; i < d; ++i) {
    double size = 0;
    double error = 0;
    for (std::size_t n = i; n < states.size(); n += d) {
      size = std::max(size, std::abs(reference[n]));
      error = std::max(error, std::abs(states[n] - reference[n]));
    }
    worst = std::max(worst, error / size);
  }
  return worst;
}

template <int W>
double worst_error(const bench::StiffSystem& system, const model::Integrator& integrator, const Reference& reference) {
  Runs<W> runs(system, integrator);
  double worst = 0;
  for (int n = 0; n < trajectories; n += W) {
    runs.values(n);
    for (int l = 0; l < W; ++l)
      worst = std::max(worst, runs.ok(l) ? error_of(system, runs.states(l), reference[n + l]) : INFINITY);
  }
  return worst;
}

template <class Choice>
double loosest(const bench::StiffSystem& system, const Reference& reference) {
  double rtol = 1e-3;
  while (rtol > 1e-12 && worst_error<1>(system, Choice{.rtol = rtol}, reference) > wanted_error) rtol /= 2;
  return rtol;
}

struct Setting {
  Reference reference{};
  double our_rtol = 0, their_rtol = 0;
};
const Setting& setting_of(const bench::StiffSystem& system) {
  static std::map<std::string, Setting> known;
  const auto [place, is_new] = known.try_emplace(system.name);
  if (is_new) {
    Setting& setting = place->second;
    setting.reference = reference_of(system);
    setting.our_rtol = loosest<model::Rodas5p>(system, setting.reference);
    setting.their_rtol = loosest<model::Cvodes>(system, setting.reference);
  }
  return place->second;
}

template <int W>
void against_cvodes(benchmark::State& state, const bench::StiffSystem& system, bool gradient) {
  const Setting& setting = setting_of(system);
  Runs<W> ours(system, model::Rodas5p{.rtol = setting.our_rtol});
  Runs<1> theirs(system, model::Cvodes{.rtol = setting.their_rtol});
  std::vector<double> ratios, own, of_values;
  for (auto _ : state) {
    for (int repeat = 0; repeat < 15; ++repeat) {
      double their_time = 0;
      for (int n = 0; n < trajectories; ++n) {
        const double their_values = processor_seconds_of([&] { theirs.values(n); });
        their_time += gradient ? processor_seconds_of([&] { theirs.adjoint(); }) : their_values;  // integrates anew
      }
      double our_time = 0;
      double our_values = 0;
      for (int n = 0; n < trajectories; n += W) {
        const double values = processor_seconds_of([&] { ours.values(n); });
        our_values += values;
        our_time += values + (gradient ? processor_seconds_of([&] { ours.adjoint(); }) : 0.0);
      }
      ratios.push_back(their_time / our_time);
      of_values.push_back(our_time / our_values);
      own.push_back(our_time / trajectories);
    }
  }
  state.counters["times_faster"] = median(ratios);
  state.counters["us_each"] = 1e6 * median(own);
  if (gradient) state.counters["simulations"] = median(of_values);  // that a gradient costs, values included
  state.counters["our_rtol"] = setting.our_rtol;
  state.counters["their_rtol"] = setting.their_rtol;
  state.counters["our_steps"] = ours.steps();
  state.counters["their_steps"] = theirs.steps();
}

template <class Choice>
void work_precision(benchmark::State& state, const bench::StiffSystem& system) {
  const double rtol = std::pow(10.0, -static_cast<double>(state.range(0)));
  const Setting& setting = setting_of(system);
  Runs<1> runs(system, Choice{.rtol = rtol});
  std::vector<double> times;
  for (auto _ : state)
    for (int repeat = 0; repeat < 5; ++repeat) times.push_back(processor_seconds_of([&] { runs.values(0); }));
  state.counters["error"] = worst_error<1>(system, Choice{.rtol = rtol}, setting.reference);
  state.counters["us"] = 1e6 * median(times);
  state.counters["steps"] = runs.steps();
}

const std::vector<bench::StiffSystem>& systems() {
  static const std::vector<bench::StiffSystem> all{bench::robertson(), bench::van_der_pol(), bench::hires(),
                                                   bench::oregonator(), bench::pollution()};
  return all;
}

void declare_all() {
  for (const bench::StiffSystem& system : systems()) {
    const auto add = [&](const std::string& name, const auto& run) {
      return benchmark::RegisterBenchmark((system.name + "/" + name).c_str(), run)->Iterations(1);
    };
    for (const bool gradient : {false, true}) {
      const std::string what = gradient ? "gradient" : "values";
      add(what + "/lanes_1", [&system, gradient](benchmark::State& s) { against_cvodes<1>(s, system, gradient); });
      add(what + "/lanes_4", [&system, gradient](benchmark::State& s) { against_cvodes<4>(s, system, gradient); });
    }
    for (const int digits : {4, 6, 8, 10}) {
      add("rodas5p", [&system](benchmark::State& s) { work_precision<model::Rodas5p>(s, system); })->Arg(digits);
      add("cvodes", [&system](benchmark::State& s) { work_precision<model::Cvodes>(s, system); })->Arg(digits);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  declare_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
