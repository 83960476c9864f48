// What each of the rules is worth: every number that `estimate::Rules::each` reaches is halved and doubled, one at a
// time, and whole fits are made with it (docs/decisions/tuned-numbers.md). A new noise realisation is drawn for each:
//   predator and prey, complete and partial data, guesses log-uniform in [0.01, 10]^4, obeyed to the letter on nodes at
//   the measurements; partial data on nodes of the program's choice, from a stated and from a drawn guess, and with
//   three further starts; FitzHugh-Nagumo and Lorenz, one state seen; a slow decay on a log scale; Robertson's stiff
//   reaction; Laplace noise; a source that changes at an unknown time.
// Success: a proved minimum whose objective is within 0.01 of what is found from the truth. Work: operations of the
// ledger, relative to those with the rules as they are; "same" if neither they nor the objective of any fit changed.
//   rules_campaign [count [part of a rule's name]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "campaign.hpp"
#include "estimate/answer/answer.hpp"
#include "fit/solution.hpp"
#include "hidden_states.hpp"
#include "predator_prey.hpp"
#include "stiff_problems.hpp"

namespace {

using namespace salvo;
using estimate::Options;
using Guess = std::map<std::string, double>;

struct Case {
  std::string name{};
  model::Problem clean{};  // its guesses are the truth
  double noise = 0;
  std::function<Guess(Random&)> draw{};
  Options options{};
  int share = 1;  // of the fits: one in so many
};

// With the data that the guesses predict.
model::Problem simulated(model::Problem problem) {
  const auto exact = fit::evaluate(problem, {});
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation;
  return problem;
}

model::Problem counted(bool prey_is_seen) {
  model::Problem problem = bench::predator_prey();
  for (int t = 0; t <= 10; ++t) {
    problem.measurements.push_back({.observable = 0, .time = 1.0 * t});
    if (prey_is_seen || t % 5 == 0) problem.measurements.push_back({.observable = 1, .time = 1.0 * t});
  }
  return simulated(std::move(problem));
}

// A problem of one state x with x(0) = 1, seen as `formula` at t = 0, 0.5, ...
model::Problem of_one_state(const std::string& equation, const std::vector<std::pair<std::string, double>>& truth,
                            const std::string& formula, double sigma, int count) {
  model::Problem problem;
  const auto node = [&](const std::string& text) {
    return std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
  };
  problem.time = problem.graph.symbol("t");
  for (const auto& [id, value] : truth)
    problem.parameters.push_back({id, problem.graph.symbol(id), model::Estimated{.guess = value}});
  problem.states = {{"x", problem.graph.symbol("x"), node(equation)}};
  problem.observables = {{"seen", node(formula), problem.graph.constant(sigma)}};
  problem.experiments = {{.id = "default", .initial = {problem.graph.constant(1)}}};
  for (int k = 0; k < count; ++k) problem.measurements.push_back({.time = 0.5 * k});
  return problem;
}

model::Problem slow_decay() {
  model::Problem problem = of_one_state("-k*x", {{"A", 3}, {"k", 0.06}}, "A*x", 0.1, 9);
  std::get<model::Estimated>(problem.parameters[1].value).scale = model::Scale::log;
  return simulated(std::move(problem));
}

model::Problem laplace_decay() {
  model::Problem problem = of_one_state("-k*x", {{"A", 3}, {"k", 0.4}}, "A*x", 0.1, 12);
  problem.observables[0].distribution = model::Distribution::laplace;
  return simulated(std::move(problem));
}

model::Problem stiff_reaction() {
  model::Problem problem = bench::robertson().problem();
  for (model::Parameter& parameter : problem.parameters)
    std::get<model::Estimated>(parameter.value).scale = model::Scale::log;
  problem.observables[0].noise = problem.graph.constant(0.005);
  for (int k = 0; k <= 12; ++k) problem.measurements.push_back({.time = 0.04 * std::pow(2.5, k)});
  return simulated(std::move(problem));
}

// Every number of `at`, times a factor.
Guess scattered(const Guess& at, double decades, Random& random) {
  Guess out = at;
  for (auto& [id, value] : out) value *= std::pow(10.0, decades * (2 * random.uniform() - 1));
  return out;
}

std::vector<Case> cases() {
  const auto log_uniform = [](Random& random) {
    return scattered({{"p1", 0.316}, {"p2", 0.316}, {"p3", 0.316}, {"p4", 0.316}}, 1.5, random);
  };
  const auto near = [](Guess at, double decades) {
    return [at, decades](Random& random) { return scattered(at, decades, random); };
  };
  const Options from_file{.guess_from = estimate::GuessFrom::file};
  const Options drawn{.guess_from = estimate::GuessFrom::draw};
  const Options at_measurements{.nodes = model::NodesAtMeasurements{}};
  Options with_starts = from_file;
  with_starts.starts = 4;
  std::vector<Case> out{
      {"complete, nodes", counted(true), 0.05, log_uniform, at_measurements},
      {"partial, nodes", counted(false), 0.05, log_uniform, at_measurements},
      {"partial, a guess", counted(false), 0.05, log_uniform, {}, 8},
      {"partial, a drawn guess", counted(false), 0.05, log_uniform, drawn, 4},
      {"partial, starts", counted(false), 0.05, log_uniform, with_starts, 8},
      {"log scale", slow_decay(), 0.1, near({{"A", 2}, {"k", 0.3}}, 0.5), from_file, 2},
      {"stiff", stiff_reaction(), 0.005, near({{"k1", 0.04}, {"k2", 3e7}, {"k3", 1e4}}, 0.5), from_file, 8},
      {"Laplace", laplace_decay(), 0.1, near({{"A", 2}, {"k", 1}}, 0.5), from_file, 4},
      {"change point",
       simulated(of_one_state("piecewise(a, t < tau, b) - c*x", {{"a", 2}, {"b", 0.5}, {"c", 1}, {"tau", 3.2}}, "x",
                              0.1, 16)),
       0.1, near({{"a", 1}, {"b", 1}, {"c", 1}, {"tau", 2}}, 0.5), from_file, 2}};
  bench::HiddenStates chaotic = bench::lorenz();
  chaotic.name = "Lorenz over 10 units, x seen";
  chaotic.end = 10;
  for (const auto& [which, share] : {std::pair{bench::fitzhugh_nagumo(), 4}, std::pair{chaotic, 8}}) {
    const auto draw = [which](Random& random) {
      Guess guess;
      const std::vector<double> p = which.draw(random);
      for (std::size_t k = 0; k < p.size(); ++k) guess[which.truth[k].first] = p[k];
      return guess;
    };
    out.push_back({which.name, bench::clean_problem(which), which.noise, draw, {}, share});
  }
  return out;
}

// Calls visit("solve.trust.good", number) for each number of a tree of rules.
template <class Rules, class Visit>
void walk(Rules& rules, const std::string& path, Visit&& visit) {
  Rules::each(rules, [&](const char* name, auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(value)>>)
      visit(path + name, value);
    else
      walk(value, path + name + ".", visit);
  });
}

estimate::Rules with(const std::string& changed, double factor) {
  estimate::Rules rules;
  walk(rules, "", [&](const std::string& name, auto& value) {
    using Number = std::remove_reference_t<decltype(value)>;
    if (name == changed) value = static_cast<Number>(factor * static_cast<double>(value));
  });
  return rules;
}

struct Fitted {
  bool is_success = false;
  double objective = 0;
  double operations = 0;
  bool operator==(const Fitted&) const = default;
};

}  // namespace

template <>
struct salvo::Parts<Fitted> {
  static auto of(auto& fitted) { return std::tie(fitted.is_success, fitted.objective, fitted.operations); }
};

namespace {

// A draw of the data of a case, and of the guess for it.
struct Task {
  const Case& of;
  model::Problem problem;
  Guess guess;
  double best = 0;  // objective that is found from the truth

  Fitted fit(const estimate::Rules& rules) const {
    Options options = of.options;
    options.rules = rules;
    options.guess = guess;
    options.max_seconds = 20;
    const fit::Solution solution = fit::Run(problem, options, {}).solve();
    const estimate::Answer& answer = solution.estimation.best.answer;
    return {is_proved(answer) && answer.run.objective <= best + 0.01, answer.run.objective,
            solution.estimation.workspace->ledger().spent()};
  }
};

std::vector<Task> tasks(const std::vector<Case>& all, int count) {
  std::vector<Task> out;
  for (const Case& each : all)
    for (int n = 0; n < (count + each.share - 1) / each.share; ++n) {
      Random random = Random::stream(2024, n);
      Task task{each, each.clean, {}};
      for (auto& m : task.problem.measurements) m.value += each.noise * random.normal();
      const estimate::Estimation from_truth = estimate::estimate(task.problem, {}, {});
      task.best = from_truth.best.answer.run.objective;
      task.guess = each.draw(random);
      out.push_back(std::move(task));
    }
  return out;
}

std::vector<Fitted> fit_all(const std::vector<Task>& tasks, const estimate::Rules& rules) {
  std::vector<Fitted> out;
  for (const Task& task : tasks) out.push_back(task.fit(rules));
  return out;
}

int successes(const std::vector<Fitted>& all) {
  return static_cast<int>(std::count_if(all.begin(), all.end(), [](const Fitted& each) { return each.is_success; }));
}

// The geometric mean over the fits: the dearest of them should not be all that is seen.
std::string work_ratio(const std::vector<Fitted>& changed, const std::vector<Fitted>& usual) {
  if (changed == usual) return "same";
  double sum = 0;
  for (std::size_t i = 0; i < usual.size(); ++i)
    sum += std::log(std::max(changed[i].operations, 1.0) / std::max(usual[i].operations, 1.0));
  return fmt::format("{:.2f}", std::exp(sum / static_cast<double>(usual.size())));
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 8;
  const std::string wanted = argc > 2 ? argv[2] : "";
  const std::vector<Case> all = cases();
  const std::vector<Task> set = tasks(all, count);
  bench::Campaign campaign(argc, argv);
  const auto usual =
      campaign.run<Fitted>("as they are", static_cast<int>(set.size()), [&](int n) { return set[n].fit({}); });
  fmt::print("{} of {} fits succeed with the rules as they are:", successes(usual), set.size());
  for (const Case& each : all) {
    int of_case = 0;
    for (std::size_t i = 0; i < set.size(); ++i) of_case += &set[i].of == &each && usual[i].is_success ? 1 : 0;
    fmt::print(" {} {} of {};", each.name, of_case, (count + each.share - 1) / each.share);
  }
  fmt::print(
      "\n\n| rule | value | half | double | work of half | of double |\n| --- | --- | --- | --- | --- | --- |\n");
  std::fflush(stdout);
  std::vector<std::pair<std::string, double>> rules;
  const estimate::Rules as_they_are;
  walk(as_they_are, "", [&](const std::string& name, auto& value) {
    if (name.find(wanted) != std::string::npos) rules.emplace_back(name, static_cast<double>(value));
  });
  const auto lines = campaign.run<std::string>("rule", static_cast<int>(rules.size()), [&](int k) {
    const auto& [name, value] = rules[k];
    const std::vector<Fitted> half = fit_all(set, with(name, 0.5));
    const std::vector<Fitted> twice = fit_all(set, with(name, 2));
    const std::string line = fmt::format("| {} | {:.4g} | {} | {} | {} | {} |\n", name, value, successes(half),
                                         successes(twice), work_ratio(half, usual), work_ratio(twice, usual));
    fmt::print(stderr, "{}", line);
    return line;
  });
  for (const std::string& line : lines) fmt::print("{}", line);
  campaign.finish();
}
