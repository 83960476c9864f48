#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/words.hpp"
#include "formats/problem/sections.hpp"

namespace salvo::formats {
namespace {

using model::Measurement;
using yaml::Node;

struct Span {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  void add(double time) {
    if (!std::isfinite(time)) return;  // a steady state
    first = std::min(first, time);
    last = std::max(last, time);
  }
  bool is_far_from(double start) const { return last > first && std::abs(first - start) > last - first; }
};

std::vector<Span> spans_of_experiments(const model::Problem& problem) {
  std::vector<Span> spans(problem.experiments.size());
  for (const auto* list : {&problem.measurements, &problem.validation})
    for (const Measurement& m : *list) spans[static_cast<std::size_t>(m.experiment)].add(m.time);
  return spans;
}

bool has_entries(const Node* section) {
  return section != nullptr && (!section->items.empty() || !section->entries.empty() || section->is_text());
}

// Does anything in the file depend on what the time is, rather than on how much of it has passed?
bool uses_time(const Draft& draft, const Node& root) {
  for (const char* section : {"events", "doses", "inputs"})
    if (has_entries(root.find(section))) return true;
  if (const Node* experiments = root.find("experiments"))
    for (const yaml::Entry& entry : experiments->entries)
      if (has_entries(entry.value.find("events"))) return true;
  std::vector<NodeId> formulas;
  for (const model::State& state : draft.problem.states) formulas.push_back(state.derivative);
  for (const model::Observable& observable : draft.problem.observables) {
    formulas.push_back(observable.formula);
    if (observable.noise) formulas.push_back(*observable.noise);
  }
  const std::vector<NodeId> symbols = expression::symbols_of(draft.problem.graph, formulas);
  return std::find(symbols.begin(), symbols.end(), draft.problem.time) != symbols.end();
}

bool some_initial_value_is_known(const model::Problem& problem) {
  return std::any_of(problem.experiments.begin(), problem.experiments.end(), [](const model::Experiment& experiment) {
    return std::any_of(experiment.initial.begin(), experiment.initial.end(),
                       [](const model::Initial& value) { return std::holds_alternative<NodeId>(value); });
  });
}

// Calendar years without a start: when nothing is known at 0, nobody means to begin there. A field is always known
// there.
void begin_with_the_data(Draft& draft, const Node& root, const std::vector<Span>& spans) {
  std::vector<model::Experiment>& experiments = draft.problem.experiments;
  Span all;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    if (draft.start_is_stated[e]) continue;
    all.add(spans[e].first);
    all.add(spans[e].last);
  }
  if (!draft.problem.fields.empty()) return;
  if (!all.is_far_from(0) || some_initial_value_is_known(draft.problem) || uses_time(draft, root)) return;
  bool is_one_time = true;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    if (draft.start_is_stated[e] || spans[e].first > spans[e].last) continue;
    experiments[e].start = spans[e].first;
    is_one_time = is_one_time && spans[e].first == all.first;
  }
  draft.problem.remarks.push_back(
      is_one_time ? fmt::format("no start is stated; integration begins at the first measurement, t = {}",
                                number_text(all.first))
                  : "no start is stated; integration begins at the first measurement of each experiment");
}

void warn_of_late_data(Draft& draft, const Node& data, const std::vector<Span>& spans) {
  for (std::size_t e = 0; e < spans.size(); ++e) {
    const double start = draft.problem.experiments[e].start;
    if (!spans[e].is_far_from(start)) continue;
    draft.warn(
        data.place,
        fmt::format("the first measurement, at {}, is further from the start, {}, than the data are long",
                    number_text(spans[e].first), number_text(start)),
        fmt::format("if the integration should begin with the data, write start: {}", number_text(spans[e].first)));
    return;
  }
}

}  // namespace

void settle_start(Draft& draft, const Node& root) {
  const std::vector<Span> spans = spans_of_experiments(draft.problem);
  begin_with_the_data(draft, root, spans);
  for (const Draft::EarlyRow& row : draft.early_rows) {
    const auto e = static_cast<std::size_t>(row.experiment);
    if (draft.problem.experiments[e].start > spans[e].first) draft.data_issues.push_back(row.issue);
  }
  if (draft.data_issues.empty()) warn_of_late_data(draft, *root.find("data"), spans);
}

}  // namespace salvo::formats
