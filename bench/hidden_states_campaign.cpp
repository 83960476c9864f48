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
#include "hidden_states.hpp"

namespace {

using namespace salvo;

void run(const bench::HiddenStates& which, int count) {
  const model::Problem clean = bench::clean_problem(which);
  const auto compiled = compile::compile(clean);
  std::vector<int> success(count, 0), iterations(count, 0);
  parallel_for(count, 2, [&](int n) {
    Random random = Random::stream(2024, n);
    model::Problem problem = clean;
    for (auto& m : problem.measurements) m.value += which.noise * random.normal();
    const auto solve = [&](const std::vector<double>& p) {
      for (std::size_t k = 0; k < p.size(); ++k) std::get<model::Estimated>(problem.parameters[k].value).guess = p[k];
      const estimate::Workspace workspace(problem, {.method = model::Method::gauss_newton}, compiled);
      estimate::Setup setup = estimate::make_setup(workspace);
      return estimate::run_solver(setup, {});
    };
    std::vector<double> truth;
    for (const auto& entry : which.truth) truth.push_back(entry.second);
    const auto best = solve(truth);
    const auto found = solve(which.draw(random));
    success[n] = best.claims_minimum;
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
  run(bench::fitzhugh_nagumo(), count);
  run(bench::lorenz(), count);
}
