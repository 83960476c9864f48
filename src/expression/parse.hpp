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

// delay(of, by), before anything is put in for names.
struct DelayUse {
  NodeId of = no_node;
  NodeId by = no_node;
  int column = 0;
  bool is_call = false;  // it was written as x(t - tau)
};

struct Formula {
  NodeId node = no_node;
  std::vector<NameUse> names{};    // every name, with the column of its first use
  std::vector<DelayUse> delays{};  // every one, in the order of the text; inner ones before outer ones
  int mixed_logic = 0;             // the column where && and || first meet without parentheses; 0: nowhere
};
// What to say of it.
inline constexpr std::string_view mixed_logic_warning =
    "&& and || have the same rank: without parentheses they are read from left to right";

// Reads one formula into the graph. Names become symbols; whether they are known is the caller's business.
// The grammar, by falling precedence: calls and parentheses; ^ (to the right); unary + - !; * /; + -;
// < <= > >= == != (not one after the other: a < b < c is refused); && || (equal rank, to the left).
// x(t - tau) is read as delay(x, tau) where x is no function; the time may be called `time`, too.
std::variant<Formula, ParseError> parse(Graph& graph, std::string_view text);

// Words that a formula uses for itself and that cannot name anything: the functions, true, false, inf and nan, in this
// spelling only. `delay` is a function only where a parenthesis follows: many models have a parameter of that name.
bool is_reserved(std::string_view name);

// May this text be a name: [A-Za-z_][A-Za-z0-9_]* ?
bool is_name(std::string_view text);

}  // namespace salvo::expression
