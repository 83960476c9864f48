#include <fmt/format.h>

#include <numbers>
#include <optional>
#include <vector>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "expression/graph.hpp"
#include "expression/parse.hpp"

namespace salvo::cli {
namespace {

using expression::Graph;
using expression::Node;
using expression::NodeId;
using expression::Op;

std::optional<double> value_of_name(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  return std::nullopt;
}

double evaluate(const Graph& graph, NodeId root) {
  std::vector<double> values(static_cast<std::size_t>(root) + 1);
  const auto argument = [&](NodeId id) { return id == expression::no_node ? 0 : values[static_cast<std::size_t>(id)]; };
  for (NodeId id = 0; id <= root; ++id) {
    const Node& node = graph[id];
    double& value = values[static_cast<std::size_t>(id)];
    if (node.op == Op::constant) {
      value = node.value;
    } else if (node.op == Op::symbol) {
      value = value_of_name(graph.symbol_name(id)).value_or(0);
    } else {
      value = apply(node.op, argument(node.arguments[0]), argument(node.arguments[1]), argument(node.arguments[2]));
    }
  }
  return values[static_cast<std::size_t>(root)];
}

Issue issue_at(int column, std::string message, std::string hint) {
  return {.file = "formula", .line = 1, .column = column, .message = std::move(message), .hint = std::move(hint)};
}

Issues unknown_names(const std::vector<expression::NameUse>& names) {
  Issues issues;
  for (const auto& use : names)
    if (!value_of_name(use.name))
      issues.push_back(issue_at(use.column, fmt::format("'{}' has no value here", use.name),
                                "only numbers, functions, pi and e can be used"));
  return issues;
}

}  // namespace

int eval_math_command(const std::string& formula) {
  Graph graph;
  const auto parsed = expression::parse(graph, formula);
  if (const auto* error = std::get_if<expression::ParseError>(&parsed))
    return refuse({issue_at(error->column, error->message, error->hint)}, false);
  const auto& read = std::get<expression::Formula>(parsed);
  const Issues unknown = unknown_names(read.names);
  if (!unknown.empty()) return refuse(unknown, false);
  if (read.mixed_logic > 0) print_note(expression::mixed_logic_warning);
  print(number_text(evaluate(graph, read.node)) + "\n");
  return exit_code::done;
}

}  // namespace salvo::cli
