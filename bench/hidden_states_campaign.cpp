// How often a fit with hidden states reaches the maximum-likelihood estimate, from one attempt:
//   FitzHugh-Nagumo, V alone seen every 0.5 until t = 20 with noise 0.2, guesses within a factor of five of the truth;
//   Lorenz, x alone seen every 0.05 until t = 30 with noise 1, guess (9, 20, 2).
// A new noise realisation for each fit. Success: |p - p_ML| < 1e-4 max(1, |p_ML|), where p_ML is reached from the
// truth.
//   hidden_states_campaign [count]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "expression/parse.hpp"
#include "fit/fit.hpp"
#include "fit/run_solver.hpp"

namespace {

using namespace salvo;

struct Case {
  std::string name;
  std::vector<std::pair<std::string, std::string>> equations;  // the first state is seen
  std::vector<std::pair<std::string, double>> truth;
  std::vector<double> x0;
  double noise, end, step;
  std::vector<double> (*draw)(Random&);
};

std::vector<double> factor_five(Random& random) {
  std::vector<double> p{0.2, 0.2, 3};
  for (double& value : p) value *= std::pow(5.0, 2 * random.uniform() - 1);
  return p;
}
std::vector<double> far_away(Random&) { return {9, 20, 2}; }

model::Problem clean_problem(const Case& which) {
  model::Problem problem;
  const auto formula = [&](const std::string& text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  problem.time = problem.graph.symbol("t");
  for (const auto& [name, value] : which.truth)
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = value}});
  for (const auto& [name, text] : which.equations)
    problem.states.push_back({name, problem.graph.symbol(name), formula(text)});
  problem.observables = {{"seen", problem.states[0].symbol, problem.graph.constant(which.noise)}};
  model::Experiment experiment{.id = "default"};
  for (const double value : which.x0) experiment.initial.emplace_back(model::Estimated{.guess = value});
  problem.experiments = {experiment};
  for (int k = 0; k * which.step <= which.end + 1e-9; ++k) problem.measurements.push_back({.time = k * which.step});
  const auto exact = fit::evaluate(problem, {});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation;
  return problem;
}

void run(const Case& which, int count) {
  const model::Problem clean = clean_problem(which);
  const auto compiled = compile::compile(clean);
  std::vector<int> success(count, 0), iterations(count, 0);
  parallel_for(count, 2, [&](int n) {
    Random random = Random::stream(2024, n);
    model::Problem problem = clean;
    for (auto& m : problem.measurements) m.value += which.noise * random.normal();
    const auto solve = [&](const std::vector<double>& p) {
      for (std::size_t k = 0; k < p.size(); ++k) std::get<model::Estimated>(problem.parameters[k].value).guess = p[k];
      fit::Setup setup = fit::make_setup(problem, {.method = model::Method::gauss_newton}, compiled);
      return fit::run_solver(setup, {});
    };
    std::vector<double> truth;
    for (const auto& entry : which.truth) truth.push_back(entry.second);
    const auto best = solve(truth);
    const auto found = solve(which.draw(random));
    success[n] = best.termination == solve::Termination::converged;
    for (std::size_t k = 0; k < truth.size(); ++k)
      if (!(std::abs(found.q[k] - best.q[k]) < 1e-4 * std::max(1.0, std::abs(best.q[k])))) success[n] = 0;
    iterations[n] = found.iterations;
  });
  std::sort(iterations.begin(), iterations.end());
  fmt::print("{:<30} {:>4} of {:<4} median {} iterations\n", which.name, std::count(success.begin(), success.end(), 1),
             count, iterations[count / 2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 50;
  run({.name = "FitzHugh-Nagumo, V seen",
       .equations = {{"V", "c*(V - V^3/3 + R)"}, {"R", "-(V - a + b*R)/c"}},
       .truth = {{"a", 0.2}, {"b", 0.2}, {"c", 3}},
       .x0 = {-1, 1},
       .noise = 0.2,
       .end = 20,
       .step = 0.5,
       .draw = factor_five},
      count);
  run({.name = "Lorenz over 30 units, x seen",
       .equations = {{"x", "sig*(y - x)"}, {"y", "x*(rho - z) - y"}, {"z", "x*y - beta*z"}},
       .truth = {{"sig", 10}, {"rho", 28}, {"beta", 8. / 3}},
       .x0 = {1, 0, 0},
       .noise = 1,
       .end = 30,
       .step = 0.05,
       .draw = far_away},
      count);
}
