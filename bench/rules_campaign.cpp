// What the rules of Gauss-Newton on nodes are worth: one of them is changed at a time
// (docs/decisions/tuned-numbers.md). Guesses are obeyed to the letter, and a new noise realisation is drawn for each
// fit:
//   predator and prey, complete and partial data, guesses log-uniform in [0.01, 10]^4;
//   FitzHugh-Nagumo and Lorenz, one state seen (a fifth and a tenth as many fits).
// Success: |p - p_ML| < 1e-4 max(1, |p_ML|), where p_ML is reached from the truth. Mean iterations of successes.
//   rules_campaign [count]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "hidden_states.hpp"
#include "predator_prey.hpp"

namespace {

using namespace salvo;
using solve::Rules;

struct Change {
  std::string name;
  std::function<void(Rules&)> apply;
};

struct Case {
  std::string name;
  model::Problem clean;
  double noise;
  std::vector<double> truth;
  std::vector<double> (*draw)(Random&);
  int share;  // of the fits: one in so many
};

std::vector<double> log_uniform(Random& random) {
  std::vector<double> p(4);
  for (double& value : p) value = std::pow(10.0, -2 + 3 * random.uniform());
  return p;
}

model::Problem counted(bool prey_is_seen) {
  model::Problem problem = bench::predator_prey();
  for (int t = 0; t <= 10; ++t) {
    problem.measurements.push_back({.observable = 0, .time = 1.0 * t});
    if (prey_is_seen || t % 5 == 0) problem.measurements.push_back({.observable = 1, .time = 1.0 * t});
  }
  const auto exact = fit::evaluate(problem, {});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation;
  return problem;
}

std::vector<Case> cases() {
  std::vector<Case> out{{"complete", counted(true), 0.05, {1, 1, 1, 1}, log_uniform, 1},
                        {"partial", counted(false), 0.05, {1, 1, 1, 1}, log_uniform, 1}};
  for (const auto& [which, share] : {std::pair{bench::fitzhugh_nagumo(), 5}, std::pair{bench::lorenz(), 10}}) {
    std::vector<double> truth;
    for (const auto& entry : which.truth) truth.push_back(entry.second);
    out.push_back({which.name, bench::clean_problem(which), which.noise, truth, which.draw, share});
  }
  return out;
}

solve::SolveResult solve_from(const std::vector<double>& p, const model::Problem& problem,
                              std::shared_ptr<const compile::CompiledModel> compiled,
                              const std::function<void(Rules&)>& change) {
  estimate::Options options{.method = model::Method::gauss_newton};
  for (std::size_t k = 0; k < p.size(); ++k) options.guess[problem.parameters[k].id] = p[k];
  const estimate::Workspace workspace(problem, options, std::move(compiled));
  estimate::Setup setup = estimate::make_setup(workspace);
  change(setup.solve.rules);
  return estimate::run_solver(setup, {});
}

void run(const Case& which, const Change& change, int count) {
  const auto compiled = compile::compile(which.clean);
  std::vector<int> iterations(count, -1);  // of successes
  parallel_for(count, 2, [&](int n) {
    Random random = Random::stream(2024, n);
    model::Problem problem = which.clean;
    for (auto& m : problem.measurements) m.value += which.noise * random.normal();
    const auto best = solve_from(which.truth, problem, compiled, [](Rules&) {});
    const auto found = solve_from(which.draw(random), problem, compiled, change.apply);
    double distance = best.claims_minimum ? 0 : HUGE_VAL;
    for (std::size_t k = 0; k < which.truth.size(); ++k)
      distance = std::max(distance, std::abs(found.q[k] - best.q[k]) / std::max(1.0, std::abs(best.q[k])));
    if (distance < 1e-4) iterations[n] = found.iterations;
  });
  double sum = 0;
  int successes = 0;
  for (const int k : iterations)
    if (k >= 0) sum += k, ++successes;
  fmt::print("{:<24} {:<30} {:>4} of {:<4} {:>5.1f} iterations\n", change.name, which.name, successes, count,
             sum / std::max(successes, 1));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(10, std::atoi(argv[1])) : 150;
  const std::vector<Change> changes{
      {"as they are", [](Rules&) {}},
      {"contraction 0.5", [](Rules& rules) { rules.trust.contraction = 0.5; }},
      {"moderate step 1e-3", [](Rules& rules) { rules.gauss_newton.moderate_step = 1e-3; }},
      {"first damping 1e-3", [](Rules& rules) { rules.damping.first = 1e-3; }},
      {"first penalty 100", [](Rules& rules) { rules.penalty.first = 100; }},
      {"little progress 0.1", [](Rules& rules) { rules.penalty.little_progress = 0.1; }},
      {"little progress 0.01", [](Rules& rules) { rules.penalty.little_progress = 0.01; }},
      {"penalty growth 4", [](Rules& rules) { rules.penalty.growth = 4; }}};
  const std::vector<Case> all = cases();
  for (const Change& change : changes)
    for (const Case& which : all) run(which, change, count / which.share);
}
