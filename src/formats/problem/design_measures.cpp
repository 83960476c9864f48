#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/words.hpp"
#include "formats/problem/design.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Measure;
using yaml::Node;

// Candidates beyond so many tell nothing that fewer do not; times are refined between them in any case.
constexpr double most_times = 10'000;

std::optional<int> observable_index(const Draft& draft, const std::string& id) {
  for (std::size_t i = 0; i < draft.problem.observables.size(); ++i)
    if (draft.problem.observables[i].id == id) return static_cast<int>(i);
  return std::nullopt;
}

bool is_measured(const Draft& draft, int observable) {
  return std::any_of(draft.problem.measurements.begin(), draft.problem.measurements.end(),
                     [&](const model::Measurement& m) { return m.observable == observable; });
}

// Noise that is stated nowhere is estimated from data, if there are any.
void check_noise(Draft& draft, const Node& item, int observable) {
  const model::Observable& its = draft.problem.observables[static_cast<std::size_t>(observable)];
  if (its.noise || its.distribution == model::Distribution::poisson || is_measured(draft, observable)) return;
  draft.log.add(item.place, fmt::format("the noise of '{}' is stated nowhere, and no data could tell it", its.id),
                fmt::format("write {}: {{formula: ..., noise: 0.1}} under 'observables'", its.id));
}

std::vector<int> read_observables_of(Draft& draft, const Node& node) {
  std::vector<int> found;
  const auto read_one = [&](const Node& item) {
    const auto id = read_text(draft, item, "an observable of 'measure'");
    if (!id) return;
    const auto index = observable_index(draft, *id);
    if (!index)
      draft.log.add(item.place, fmt::format("'{}' is not an observable", *id),
                    hint_for_unknown(*id, draft.observable_names()));
    else if (std::find(found.begin(), found.end(), *index) != found.end())
      draft.log.add(item.place, fmt::format("'{}' is named twice", *id), "remove one of them");
    else if (model::open_coordinates(draft.problem, draft.problem.observables[*index].formula) != 0)
      draft.log.add(item.place, fmt::format("'{}' has another value at each place, and a design chooses times", *id),
                    "measure observables at places, as in near: {formula: \"u(at: 3)\"}");
    else
      found.push_back(*index), check_noise(draft, item, *index);
  };
  if (node.kind == Node::Kind::sequence)
    for (const Node& item : node.items) read_one(item);
  else
    read_one(node);
  return found;
}

// from, from + step, ... up to `to`, each rounded as its decimal numbers say.
std::vector<double> read_steps(Draft& draft, const Node& node) {
  check_options(draft, node, "'times' of 'measure'", std::vector<std::string>{"from", "to", "step"});
  const Node* from = node.find("from");
  const Node* to = node.find("to");
  const Node* step = node.find("step");
  if (from == nullptr || to == nullptr || step == nullptr) {
    draft.log.add(node.place, "'times' of 'measure' needs 'from', 'to' and 'step'",
                  "write times: {from: 0, to: 10, step: 0.1}, or a list of times");
    return {};
  }
  const auto first = read_time(draft, *from, "'from' of 'times'");
  const auto last = read_time(draft, *to, "'to' of 'times'");
  const auto by = read_positive(draft, *step, "'step' of 'times'");
  if (!first || !last || !by) return {};
  if (*last < *first) {
    draft.log.add(to->place, fmt::format("'to' is {}, before 'from', {}", number_text(*last), number_text(*first)));
    return {};
  }
  const double count = std::floor((*last - *first) / *by * (1 + 1e-12) + 1e-9);
  if (!(count < most_times)) {
    draft.log.add(step->place, fmt::format("these are more than {} times", number_text(most_times)),
                  "write a longer step; chosen times are refined between the candidates");
    return {};
  }
  std::vector<double> times;
  for (int k = 0; k <= static_cast<int>(count); ++k)  // 53 * 0.05 is not 2.65, but that is meant
    times.push_back(std::min(*parse_number(fmt::format("{:.14g}", *first + k * *by)), *last));
  return times;
}

std::vector<double> read_times_of(Draft& draft, const Node& node) {
  if (node.kind == Node::Kind::map) return read_steps(draft, node);
  std::set<double> times;
  const auto read_one = [&](const Node& item) {
    if (const auto time = read_time(draft, item, "a time of 'measure'")) times.insert(*time);
  };
  if (node.kind == Node::Kind::sequence)
    for (const Node& item : node.items) read_one(item);
  else
    read_one(node);
  return {times.begin(), times.end()};
}

std::vector<int> read_experiments_of(Draft& draft, const Node& node) {
  std::vector<int> found;
  const auto read_one = [&](const Node& item) {
    if (const int e = read_experiment_name(draft, item); e >= 0) found.push_back(e);
  };
  if (node.kind == Node::Kind::sequence)
    for (const Node& item : node.items) read_one(item);
  else
    read_one(node);
  return found;
}

void check_starts(Draft& draft, const Node& times, const Measure& measure) {
  if (measure.times.empty()) return;
  for (int e = 0; e < static_cast<int>(draft.problem.experiments.size()); ++e) {
    const model::Experiment& experiment = draft.problem.experiments[static_cast<std::size_t>(e)];
    const bool is_meant =
        measure.experiments.empty() ||
        std::find(measure.experiments.begin(), measure.experiments.end(), e) != measure.experiments.end();
    if (!is_meant || measure.times.front() >= experiment.start) continue;
    draft.log.add(times.place,
                  fmt::format("the time {} is before the start of experiment {}, {}",
                              number_text(measure.times.front()), experiment.id, number_text(experiment.start)),
                  "nothing is computed before the start");
    return;
  }
}

std::optional<int> read_at_most(Draft& draft, const Node& node) {
  const auto number = read_positive(draft, node, "'at most' of 'measure'");
  if (!number) return std::nullopt;
  if (*number == std::floor(*number) && *number < 1e6) return static_cast<int>(*number);
  draft.log.add(node.place, fmt::format("'at most' of 'measure' is {}; it must be a whole number", node.text));
  return std::nullopt;
}

Measure read_measure(Draft& draft, const Node& node) {
  Measure measure;
  if (!is_map(draft, node, "an entry of 'measure'")) return measure;
  check_options(draft, node, "'measure'",
                std::vector<std::string>{"observables", "times", "experiment", "at most", "cost"});
  for (const char* needed : {"observables", "times"})
    if (node.find(needed) == nullptr)
      draft.log.add(node.place, fmt::format("an entry of 'measure' needs '{}'", needed),
                    "write {observables: [x], times: {from: 0, to: 10, step: 0.1}}");
  if (const Node* observables = node.find("observables"))
    measure.observables = read_observables_of(draft, *observables);
  if (const Node* experiment = node.find("experiment")) measure.experiments = read_experiments_of(draft, *experiment);
  if (const Node* times = node.find("times")) {
    measure.times = read_times_of(draft, *times);
    check_starts(draft, *times, measure);
  }
  if (const Node* most = node.find("at most")) measure.at_most = read_at_most(draft, *most);
  if (const Node* cost = node.find("cost"))
    measure.cost = read_positive(draft, *cost, "the cost of a sample").value_or(1);
  return measure;
}

}  // namespace

std::vector<Measure> read_measures(Draft& draft, const Node& list) {
  std::vector<Measure> measures;
  if (!is_list(draft, list, "'measure' of 'design'")) return measures;
  if (list.items.empty())
    draft.log.add(list.place, "'measure' of 'design' is empty",
                  "write - {observables: [x], times: {from: 0, to: 10, step: 0.1}}");
  for (const Node& item : list.items) measures.push_back(read_measure(draft, item));
  return measures;
}

}  // namespace salvo::formats
