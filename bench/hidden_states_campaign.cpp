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

#include "campaign.hpp"
#include "hidden_states.hpp"

namespace {

using namespace salvo;

struct Ended {
  bool is_success = false;
  int iterations = 0;
};

}  // namespace

template <>
struct salvo::Parts<Ended> {
  static auto of(auto& ended) { return std::tie(ended.is_success, ended.iterations); }
};

namespace {

void run(bench::Campaign& campaign, const bench::HiddenStates& which, int count) {
  const model::Problem clean = bench::clean_problem(which);
  const auto compiled = compile::compile(clean);
  const auto ended = campaign.run<Ended>(which.name, count, [&](int n) {
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
    Ended out{best.claims_minimum, found.iterations};
    for (std::size_t k = 0; k < truth.size(); ++k)
      if (!(std::abs(found.q[k] - best.q[k]) < 1e-4 * std::max(1.0, std::abs(best.q[k])))) out.is_success = false;
    return out;
  });
  std::vector<int> iterations;
  for (const Ended& each : ended) iterations.push_back(each.iterations);
  std::sort(iterations.begin(), iterations.end());
  const auto successes = std::count_if(ended.begin(), ended.end(), [](const Ended& each) { return each.is_success; });
  fmt::print("{:<30} {:>4} of {:<4} median {} iterations\n", which.name, successes, count, iterations[count / 2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 50;
  bench::Campaign campaign(argc, argv);
  run(campaign, bench::fitzhugh_nagumo(), count);
  run(campaign, bench::lorenz(), count);
  campaign.finish();
}
