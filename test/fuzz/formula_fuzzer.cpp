#include <array>

#include "expression/differentiate.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "fuzz/folder.hpp"

// Any bytes as a formula: it is refused at one of its columns, or it can be differentiated, and what is printed of it
// reads like it.
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
  const NodeId x = graph.symbol("x");
  static_cast<void>(jacobian(graph, std::array{formula.node}, std::array{x}));
  return 0;
}
