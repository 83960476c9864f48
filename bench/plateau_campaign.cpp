// How often a fit ends on a plateau: slow rates on logarithmic scales, seen over a small part of their time, where a
// step may lead so far out that nothing changes any more. Five models, without bounds and with wide ones, a new rate
// and new noise for each fit, one guess for all. A fit is on a plateau if its objective is worse by more than 0.01 than
// the best that is known, which descents from the truth and from slower and faster rates have found.
//   plateau_campaign [data sets of each kind, 20]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "campaign.hpp"
#include "estimate/estimate.hpp"
#include "expression/parse.hpp"
#include "fit/evaluate.hpp"

namespace {

using namespace salvo;

struct Quantity {
  std::string id{};
  double truth = 0, guess = 0;
};
struct SlowModel {
  std::string name{};
  std::vector<std::pair<std::string, std::string>> equations{};
  std::vector<std::string> initial{};
  std::vector<Quantity> rates{};  // on logarithmic scales; the first is the slow one, and its truth is drawn
  std::vector<Quantity> others{};
  std::string seen{};
  double noise = 0, step = 0;
  int count = 0;
};

std::vector<SlowModel> slow_models() {
  return {{"decay", {{"x", "-k*x"}}, {"A"}, {{"k", 0, 0.3}}, {{"A", 3, 2}}, "x", 0.1, 0.5, 9},
          {"turnover", {{"x", "p - d*x"}}, {"0"}, {{"d", 0, 0.1}, {"p", 2, 1}}, {}, "x", 0.15, 0.5, 10},
          {"reversible reaction",
           {{"x", "-f*x + b*(A - x)"}},
           {"A"},
           {{"b", 0, 0.3}, {"f", 0.2, 0.5}},
           {{"A", 3, 2}},
           "x",
           0.05,
           0.5,
           12},
          {"waning immunity",
           {{"S", "-r*S*I + w*(1 - S - I)"}, {"I", "r*S*I - I/4"}},
           {"0.99", "0.01"},
           {{"w", 0, 0.3}, {"r", 0.8, 0.5}},
           {},
           "I",
           0.01,
           2,
           15},
          {"logistic growth",
           {{"x", "r*x - c*x^2"}},
           {"A"},
           {{"c", 0, 0.3}, {"r", 0.3, 0.5}},
           {{"A", 1, 2}},
           "x",
           0.1,
           0.5,
           12}};
}

constexpr double lowest_bound = 1e-12, highest_bound = 1e3;

model::Problem problem_of(const SlowModel& which, double slow, bool has_bounds, Random& random) {
  model::Problem problem;
  const auto formula = [&](const std::string& text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  problem.time = problem.graph.symbol("t");
  const auto add = [&](const Quantity& each, double truth, model::Scale scale) {
    model::Estimated estimated{.guess = truth, .scale = scale};
    if (has_bounds && scale != model::Scale::lin) {
      estimated.lower = lowest_bound;
      estimated.upper = highest_bound;
    }
    problem.parameters.push_back({each.id, problem.graph.symbol(each.id), estimated});
  };
  for (const Quantity& rate : which.rates) add(rate, &rate == &which.rates[0] ? slow : rate.truth, model::Scale::log);
  for (const Quantity& other : which.others) add(other, other.truth, model::Scale::lin);
  for (const auto& [name, text] : which.equations)
    problem.states.push_back({name, problem.graph.symbol(name), formula(text)});
  problem.observables = {{"seen", formula(which.seen), problem.graph.constant(which.noise)}};
  model::Experiment experiment{.id = "default"};
  for (const std::string& text : which.initial) experiment.initial.emplace_back(formula(text));
  problem.experiments = {experiment};
  for (int j = 1; j <= which.count; ++j) problem.measurements.push_back({.time = j * which.step});
  const auto exact = fit::evaluate(problem, {});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation + which.noise * random.normal();
  return problem;
}

struct Ended {
  bool on_plateau = false;
  bool is_proved = false;
};

}  // namespace

template <>
struct salvo::Parts<Ended> {
  static auto of(auto& ended) { return std::tie(ended.on_plateau, ended.is_proved); }
};

namespace {

Ended fit_one(const SlowModel& which, bool has_bounds, int n) {
  Random random = Random::stream(2028, static_cast<std::uint64_t>(n));
  const double slow = std::pow(10, -1.9 + 0.7 * random.uniform());
  model::Problem problem = problem_of(which, slow, has_bounds, random);
  const auto objective_from = [&](double first) {
    std::get<model::Estimated>(problem.parameters[0].value).guess = first;
    const auto found = estimate::estimate(problem, {.nodes = model::SingleInterval{}}, {});
    return estimate::is_proved(found.best.answer) ? found.best.answer.run.objective
                                                  : std::numeric_limits<double>::infinity();
  };
  double best = std::numeric_limits<double>::infinity();
  for (const double factor : {1.0, 0.1, 3.0, 1e-3}) best = std::min(best, objective_from(factor * slow));
  std::size_t k = 0;
  for (const auto* some : {&which.rates, &which.others})
    for (const Quantity& each : *some) std::get<model::Estimated>(problem.parameters[k++].value).guess = each.guess;
  const auto found = estimate::estimate(problem, {}, {});
  const estimate::Answer& answer = found.best.answer;
  return {.on_plateau = !(answer.run.objective <= best + 0.01), .is_proved = estimate::is_proved(answer)};
}

void run(bench::Campaign& campaign, const SlowModel& which, bool has_bounds, int count) {
  const auto ended = campaign.run<Ended>(which.name + (has_bounds ? ", bounds" : ""), count,
                                         [&](int n) { return fit_one(which, has_bounds, n); });
  const auto worse = std::count_if(ended.begin(), ended.end(), [](const Ended& each) { return each.on_plateau; });
  const auto proved = std::count_if(ended.begin(), ended.end(), [](const Ended& each) { return each.is_proved; });
  fmt::print("{:<22} {:<12} {:>3} of {} on a plateau, {} proved\n", which.name,
             has_bounds ? "wide bounds" : "no bounds", worse, count, proved);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  bench::Campaign campaign(argc, argv);
  for (const SlowModel& which : slow_models())
    for (const bool has_bounds : {false, true}) run(campaign, which, has_bounds, count);
  campaign.finish();
}
