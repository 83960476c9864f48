#include "formats/problem/known_values.hpp"

#include <array>
#include <utility>
#include <variant>

#include "expression/reach.hpp"

namespace salvo::formats {

KnownValues::KnownValues(const model::Problem& problem, int experiment, Estimates estimates) : graph_(problem.graph) {
  for (const model::Parameter& parameter : problem.parameters) {
    if (!parameter.is_estimated())
      symbols_[parameter.symbol] = std::get<double>(parameter.value);
    else if (const auto& guess = std::get<model::Estimated>(parameter.value).guess;
             guess && estimates == Estimates::at_their_guess)
      symbols_[parameter.symbol] = *guess;
  }
  // What an experiment sets is a formula of the parameters as they are without it.
  std::vector<std::pair<NodeId, std::optional<double>>> set;
  for (const auto& [parameter, value] : problem.experiments[static_cast<std::size_t>(experiment)].overrides)
    set.push_back({problem.parameters[static_cast<std::size_t>(parameter)].symbol, of(value)});
  for (const auto& [symbol, value] : set) {
    symbols_.erase(symbol);
    if (value) symbols_[symbol] = *value;
  }
}

std::optional<double> KnownValues::of(NodeId formula) const {
  if (graph_.is_constant(formula)) return graph_[formula].value;
  std::unordered_map<NodeId, double> values;
  const auto is_leaf = [](NodeId) { return false; };
  for (const NodeId id : expression::reached_from(graph_, {&formula, 1}, is_leaf)) {
    const expression::Node& node = graph_[id];
    if (graph_.is_symbol(id)) {
      const auto symbol = symbols_.find(id);
      if (symbol == symbols_.end()) return std::nullopt;
      values[id] = symbol->second;
    } else if (graph_.is_constant(id)) {
      values[id] = node.value;
    } else {
      std::array<double, 3> argument{};
      for (int i = 0; i < expression::argument_count(node.op); ++i) argument[i] = values[node.arguments[i]];
      values[id] = expression::apply(node.op, argument[0], argument[1], argument[2]);
    }
  }
  return values[formula];
}

}  // namespace salvo::formats
