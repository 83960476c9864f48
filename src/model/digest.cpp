#include "model/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/sha256.hpp"
#include "expression/reach.hpp"

namespace salvo::model {
namespace {

using expression::Op;

bool is_commutative(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::minimum || op == Op::maximum || op == Op::equal ||
         op == Op::not_equal || op == Op::logical_and || op == Op::logical_or;
}

// A text for every formula, of one length: formulas share their parts, and written out they may be longer than any
// memory.
class FormulaDigests {
 public:
  FormulaDigests(const expression::Graph& graph, const std::vector<NodeId>& roots) {
    for (const NodeId id : expression::reached_from(graph, roots, [](NodeId) { return false; })) {
      const expression::Node& node = graph[id];
      std::vector<std::string> arguments;
      for (int i = 0; i < expression::argument_count(node.op); ++i) arguments.push_back(of(node.arguments[i]));
      if (is_commutative(node.op)) std::sort(arguments.begin(), arguments.end());
      std::string text = fmt::format("{} {}", static_cast<int>(node.op),
                                     graph.is_symbol(id) ? graph.symbol_name(id) : fmt::format("{}", node.value));
      for (const std::string& argument : arguments) text += " " + argument;
      digests_.emplace(id, sha256(text));
    }
  }
  const std::string& of(NodeId id) const { return digests_.at(id); }

 private:
  std::unordered_map<NodeId, std::string> digests_;
};

std::vector<NodeId> all_formulas(const Problem& problem) {
  std::vector<NodeId> all;
  for (const State& state : problem.states) {  // none of cells
    all.push_back(state.derivative);
    all.push_back(state.history);
  }
  for (const Field& field : problem.fields) {
    all.push_back(field.derivative);
    for (const Boundary& boundary : field.boundary) all.insert(all.end(), boundary.terms.begin(), boundary.terms.end());
  }
  for (const Observable& observable : problem.observables) {
    all.push_back(observable.formula);
    if (observable.noise) all.push_back(*observable.noise);
  }
  for (const Event& event : problem.events) {
    if (const auto* at = std::get_if<AtTimes>(&event.trigger))
      all.insert(all.end(), at->times.begin(), at->times.end());
    if (const auto* when = std::get_if<When>(&event.trigger)) all.push_back(when->condition);
    for (const Assignment& assignment : event.assignments) all.push_back(assignment.value);
  }
  for (const Experiment& experiment : problem.experiments)
    for (const auto& entry : experiment.overrides) all.push_back(entry.second);
  std::erase(all, expression::no_node);
  return all;
}

std::string text_of(const Event& event, const FormulaDigests& formulas) {
  std::string text = "event";
  if (const auto* at = std::get_if<AtTimes>(&event.trigger))
    for (const NodeId time : at->times) text += fmt::format(" at {}", formulas.of(time));
  if (const auto* when = std::get_if<When>(&event.trigger))
    text += fmt::format(" when {}", formulas.of(when->condition));
  for (const Assignment& assignment : event.assignments)
    text += fmt::format(" {} = {}", assignment.state, formulas.of(assignment.value));
  for (const int experiment : event.experiments) text += fmt::format(" in {}", experiment);
  return text + "\n";
}

std::string text_of(const Space& space) {
  return fmt::format("{} from {} to {} {} {}\n", space.id, space.from, space.to, space.cells,
                     to_string(space.geometry));
}

// The places of things when they are sorted by their names.
template <class Thing>
std::vector<int> ranks(const std::vector<Thing>& things) {
  std::vector<int> order(things.size()), rank(things.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return things[a].id < things[b].id; });
  for (int k = 0; k < static_cast<int>(order.size()); ++k) rank[order[k]] = k;
  return rank;
}

}  // namespace

std::string data_digest(const Problem& problem) {
  const std::vector<int> experiment = ranks(problem.experiments);
  const std::vector<int> observable = ranks(problem.observables);
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };  // any order will do
  const auto key = [&](int i) {
    const Measurement& m = problem.measurements[i];
    return std::tuple(experiment[m.experiment], observable[m.observable], bits(m.time), bits(m.value),
                      bits(m.sigma.value_or(0)), m.censored, bits(m.place[0].value_or(0)),
                      bits(m.place[1].value_or(0)));
  };
  std::vector<int> order(problem.measurements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::string text;
  for (const int i : order) {
    const Measurement& m = problem.measurements[i];
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", problem.experiments[m.experiment].id,
                   problem.observables[m.observable].id, m.time, m.value, static_cast<int>(m.censored),
                   m.sigma.value_or(0));
    for (const OptionalNumber& position : m.place)
      if (position) fmt::format_to(std::back_inserter(text), "at {}\n", *position);
  }
  return sha256(text);
}

std::string model_digest(const Problem& problem) {
  const FormulaDigests formulas(problem.graph, all_formulas(problem));
  const auto formula = [&](NodeId id) { return id == expression::no_node ? std::string() : formulas.of(id); };
  std::string text;
  for (const State& state : std::span(problem.states).first(ordinary_states(problem)))
    text += fmt::format("{}{} = {}\n", state.id, state.is_algebraic ? ": 0" : "'", formula(state.derivative));
  for (const State& state : problem.states)
    if (state.history != expression::no_node) text += fmt::format("{} was {}\n", state.id, formula(state.history));
  for (const Space& space : problem.space) text += text_of(space);
  for (const Field& field : problem.fields) {
    text += fmt::format("{}' = {}", field.id, formula(field.derivative));
    for (const Boundary& boundary : field.boundary) {
      text += fmt::format(" {}", to_string(boundary.kind));
      for (const NodeId term : boundary.terms) text += formula(term);
    }
    text += fmt::format(" {} {}\n", to_string(problem.scheme.advection), problem.scheme.order);
  }
  for (const Observable& observable : problem.observables)
    text += fmt::format("{} = {} {} {} {}\n", observable.id, formula(observable.formula),
                        formula(observable.noise.value_or(expression::no_node)), to_string(observable.distribution),
                        observable.shape);
  for (const Event& event : problem.events) text += text_of(event, formulas);
  for (const Experiment& experiment : problem.experiments) {
    text += fmt::format("{} from {}", experiment.id, experiment.start);
    for (const auto& [parameter, value] : experiment.overrides)
      text += fmt::format(" {} = {}", problem.parameters[parameter].id, formula(value));
    text += "\n";
  }
  return sha256(text);
}

}  // namespace salvo::model
