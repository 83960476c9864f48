// How often a fit reaches the maximum-likelihood estimate from random guesses: predator and prey as in the paper, a new
// noise realisation for every guess. Success: |p - p_ML| < 1e-4, where p_ML is reached from the truth.
//   success_rates_campaign [count] [unmatched] [method ...]
// With the word `unmatched` the guesses count as drawn by the program: repaired, but without integral matching, so that
// the solver is judged by itself.
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
#include "fit/setup.hpp"

namespace {

using namespace salvo;

model::NodeId formula(model::Problem& problem, const char* text) {
  return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
}

model::Problem predator_prey(bool prey_observed) {
  model::Problem problem;
  problem.time = problem.graph.symbol("t");
  for (const char* name : {"p1", "p2", "p3", "p4"})
    problem.parameters.push_back({name, problem.graph.symbol(name), model::Estimated{.guess = 1.0}});
  problem.states = {{"x1", problem.graph.symbol("x1"), formula(problem, "-p1*x1 + p2*x1*x2")},
                    {"x2", problem.graph.symbol("x2"), formula(problem, "p3*x2 - p4*x1*x2")}};
  const auto sigma = problem.graph.constant(0.05);
  problem.observables = {{"predator", problem.states[0].symbol, sigma}, {"prey", problem.states[1].symbol, sigma}};
  problem.experiments = {
      {.id = "default", .initial = {model::Estimated{.guess = 0.4}, model::Estimated{.guess = 1.0}}}};
  for (int t = 0; t <= 10; ++t) {
    problem.measurements.push_back({.observable = 0, .time = 1.0 * t});
    if (prey_observed || t % 5 == 0) problem.measurements.push_back({.observable = 1, .time = 1.0 * t});
  }
  return problem;
}

struct Guesses {
  std::string name;
  std::vector<double> (*draw)(Random&);
};

std::vector<double> paper(Random&) { return {0.5, 0.5, 0.5, -0.2}; }
std::vector<double> uniform(Random& random) {
  std::vector<double> p(4);
  for (double& value : p) value = -1 + 4 * random.uniform();
  return p;
}
std::vector<double> log_uniform(Random& random) {
  std::vector<double> p(4);
  for (double& value : p) value = std::pow(10.0, -2 + 3 * random.uniform());
  return p;
}

void run(const model::Problem& clean, const std::string& what, const Guesses& guesses, model::Method method, int count,
         bool matched) {
  const auto compiled = compile::compile(clean);
  std::vector<int> success(count, 0);
  std::vector<int> iterations(count, 0);
  std::vector<int> reached(count, 0);
  parallel_for(count, 2, [&](int n) {
    Random random = Random::stream(2024, n);
    model::Problem problem = clean;
    for (auto& m : problem.measurements) m.value += 0.05 * random.normal();
    const auto solve = [&](const std::vector<double>& p, model::Method with) {
      fit::Options options;
      options.method = with;
      for (int k = 0; k < 4; ++k) std::get<model::Estimated>(problem.parameters[k].value).guess = p[k];
      if (!matched) {
        options.guess["p1"] = p[0];
        options.guess_from = fit::GuessFrom::draw;
      }
      fit::Setup setup = fit::make_setup(problem, options, compiled);
      return fit::run_solver(setup, {});
    };
    const auto best = solve({1, 1, 1, 1}, model::Method::gauss_newton);
    reached[n] = best.termination == solve::Termination::converged;
    const auto found = solve(guesses.draw(random), method);
    double distance = 0;
    for (int k = 0; k < 4; ++k) distance = std::max(distance, std::abs(found.q[k] - best.q[k]));
    success[n] = distance < 1e-4 && reached[n];
    iterations[n] = found.iterations;
  });
  int sum = 0;
  std::vector<int> of_successes;
  for (int n = 0; n < count; ++n) {
    sum += success[n];
    if (success[n]) of_successes.push_back(iterations[n]);
  }
  std::sort(of_successes.begin(), of_successes.end());
  fmt::print("{:<10} {:<22} {:<13} {:>4} of {:<4} {:>6.1f} %  median {} iterations\n", what, guesses.name,
             model::to_string(method), sum, count, 100.0 * sum / count,
             of_successes.empty() ? 0 : of_successes[of_successes.size() / 2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 500;
  std::vector<model::Method> methods;
  bool matched = true;
  for (int i = 2; i < argc; ++i) matched = matched && std::string(argv[i]) != "unmatched";
  for (int i = 2; i < argc; ++i)
    if (const auto method = model::from_name<model::Method>(argv[i])) methods.push_back(*method);
  if (methods.empty()) methods = {model::Method::gauss_newton, model::Method::scalar};
  for (const bool prey_observed : {true, false}) {
    model::Problem clean = predator_prey(prey_observed);
    const auto truth = fit::evaluate(clean, {});
    for (std::size_t i = 0; i < clean.measurements.size(); ++i)
      clean.measurements[i].value = truth.simulations[i].simulation;
    for (const Guesses& guesses :
         {Guesses{"paper's guess", paper}, Guesses{"U[-1,3]^4", uniform}, Guesses{"log-U[0.01,10]^4", log_uniform}})
      for (const model::Method method : methods)
        run(clean, prey_observed ? "complete" : "partial", guesses, method, count, matched);
  }
}
