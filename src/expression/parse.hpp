#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

struct ParseError {
  int column = 0;  // of the formula's text, from 1
  std::string message{};
  std::string hint{};
};

struct NameUse {
  std::string name{};
  int column = 0;
};

struct Formula {
  NodeId node = no_node;
  std::vector<NameUse> names{};  // every name, with the column of its first use
  int mixed_logic = 0;           // the column where && and || first meet without parentheses; 0: nowhere
};
// What to say of it.
inline constexpr std::string_view mixed_logic_warning =
    "&& and || have the same rank: without parentheses they are read from left to right";

// Reads one formula into the graph. Names become symbols; whether they are known is the caller's business.
// The grammar, by falling precedence: calls and parentheses; ^ (to the right); unary + - !; * /; + -;
// < <= > >= == != (not one after the other: a < b < c is refused); && || (equal rank, to the left).
std::variant<Formula, ParseError> parse(Graph& graph, std::string_view text);

// Words that a formula uses for itself and that cannot name anything: the functions, true, false, inf and nan, in this
// spelling only.
bool is_reserved(std::string_view name);

// May this text be a name: [A-Za-z_][A-Za-z0-9_]* ?
bool is_name(std::string_view text);

}  // namespace salvo::expression
