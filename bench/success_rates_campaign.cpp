// How often a fit reaches the maximum-likelihood estimate from random guesses: predator and prey as in the paper, a new
// noise realisation for every guess. Success: |p - p_ML| < 1e-4, where p_ML is reached from the truth.
// For every method, and for the ways of taming Gauss-Newton steps that were not kept.
//   success_rates_campaign [count] [method ...]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "campaign.hpp"
#include "estimate/ways/nodes.hpp"
#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "other_globalisations.hpp"
#include "predator_prey.hpp"

namespace {

using namespace salvo;

// Predators are always counted, prey every time or every fifth.
model::Problem counted(bool prey_observed) {
  model::Problem problem = bench::predator_prey();
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

// What is measured: how the guess is used, by which method and by which globalisation.
struct Contender {
  std::string name;
  std::string family;
  model::Method method = model::Method::gauss_newton;
  fit::GuessFrom guess = fit::GuessFrom::file;
  std::optional<bench::Globalisation> other{};
};

const std::vector<Contender>& contenders() {
  using bench::Globalisation;
  using model::Method;
  static const std::vector<Contender> all = [] {
    std::vector<Contender> list{{"matched, penalty or full", "gauss-newton"},
                                {"penalty or full", "gauss-newton", Method::gauss_newton, fit::GuessFrom::user}};
    for (const Globalisation rule : {Globalisation::none, Globalisation::natural_level, Globalisation::merit,
                                     Globalisation::filter, Globalisation::penalty})
      list.push_back({bench::name(rule), "gauss-newton", Method::gauss_newton, fit::GuessFrom::user, rule});
    list.push_back({"lagrangian", "lagrangian", Method::lagrangian, fit::GuessFrom::user});
    list.push_back({"scalar", "scalar", Method::scalar, fit::GuessFrom::draw});
    return list;
  }();
  return all;
}

solve::SolveResult solve_as(const Contender& contender, const model::Problem& clean, const std::vector<double>& p,
                            std::shared_ptr<const compile::CompiledModel> compiled) {
  model::Problem problem = clean;
  estimate::Options options;
  options.method = contender.method;
  options.guess_from = contender.guess;
  for (int k = 0; k < 4; ++k) {
    std::get<model::Estimated>(problem.parameters[k].value).guess = p[k];
    if (contender.guess != fit::GuessFrom::file) options.guess["p" + std::to_string(k + 1)] = p[k];
  }
  if (contender.other) options.nodes = model::NodesAtMeasurements{};
  const estimate::Workspace workspace(problem, options, std::move(compiled));
  estimate::Setup setup = estimate::make_setup(workspace);
  if (!contender.other) return estimate::run_solver(setup, {});
  if (*contender.other == bench::Globalisation::penalty) return bench::penalty_method(*setup.shooting, setup.start);
  return bench::damped_gauss_newton(*setup.shooting, setup.start, *contender.other);
}

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

void run(bench::Campaign& campaign, const model::Problem& clean, const std::string& what, const Guesses& guesses,
         const Contender& contender, int count) {
  const auto compiled = compile::compile(clean);
  const std::string list = fmt::format("{}, {}, {}", what, guesses.name, contender.name);
  const auto ended = campaign.run<Ended>(list, count, [&](int n) {
    Random random = Random::stream(2024, n);
    model::Problem problem = clean;
    for (auto& m : problem.measurements) m.value += 0.05 * random.normal();
    const auto best = solve_as(contenders().front(), problem, {1, 1, 1, 1}, compiled);
    const auto found = solve_as(contender, problem, guesses.draw(random), compiled);
    double distance = 0;
    for (int k = 0; k < 4; ++k) distance = std::max(distance, std::abs(found.q[k] - best.q[k]));
    return Ended{distance < 1e-4 && best.claims_minimum, found.iterations};
  });
  std::vector<int> of_successes;
  for (const Ended& each : ended)
    if (each.is_success) of_successes.push_back(each.iterations);
  std::sort(of_successes.begin(), of_successes.end());
  fmt::print("{:<10} {:<18} {:<28} {:>4} of {:<4} {:>6.1f} %  median {} iterations\n", what, guesses.name,
             contender.name, of_successes.size(), count, 100.0 * static_cast<double>(of_successes.size()) / count,
             of_successes.empty() ? 0 : of_successes[of_successes.size() / 2]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 500;
  const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
  bench::Campaign campaign(argc, argv);
  for (const bool prey_observed : {true, false}) {
    model::Problem clean = counted(prey_observed);
    const auto truth = fit::evaluate(clean, {});
    for (std::size_t i = 0; i < clean.measurements.size(); ++i)
      clean.measurements[i].value = truth.simulations[i].simulation;
    for (const Guesses& guesses :
         {Guesses{"paper's guess", paper}, Guesses{"U[-1,3]^4", uniform}, Guesses{"log-U[0.01,10]^4", log_uniform}})
      for (const Contender& contender : contenders())
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), contender.family) != wanted.end())
          run(campaign, clean, prey_observed ? "complete" : "partial", guesses, contender, count);
  }
  campaign.finish();
}
