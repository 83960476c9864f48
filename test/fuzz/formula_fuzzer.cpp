#include <algorithm>
#include <array>

#include "expression/differentiate.hpp"
#include "expression/field_operators.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"
#include "fuzz/folder.hpp"

namespace {

// Earlier values and operations on fields become symbols and formulas before anybody differentiates.
bool is_of_numbers(const salvo::expression::Graph& graph, salvo::expression::NodeId formula) {
  using namespace salvo::expression;
  const auto nodes = reached_from(graph, std::array{formula}, [](NodeId) { return false; });
  return std::none_of(nodes.begin(), nodes.end(),
                      [&](NodeId node) { return graph[node].op == Op::delay || is_field_operator(graph[node].op); });
}

}  // namespace

// Any bytes as a formula: it is refused at one of its columns, or what is printed of it reads like it; and if it is one
// of numbers, it can be differentiated.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  using namespace salvo::expression;
  const std::string_view text = fuzz::as_text(data, size);
  Graph graph;
  const auto parsed = parse(graph, text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    fuzz::require(error->column >= 1 && error->column <= static_cast<int>(size) + 1 && !error->message.empty());
    return 0;
  }
  const auto& formula = std::get<Formula>(parsed);
  const std::string printed = print(graph, formula.node);
  const auto again = parse(graph, printed);
  constexpr std::size_t deep = 150;  // what is printed may be nested deeper than what was read
  if (size < deep)
    fuzz::require(std::holds_alternative<Formula>(again) && std::get<Formula>(again).node == formula.node);
  if (!is_of_numbers(graph, formula.node)) return 0;
  const NodeId x = graph.symbol("x");
  static_cast<void>(jacobian(graph, std::array{formula.node}, std::array{x}));
  return 0;
}
