#pragma once

#include <span>
#include <string>
#include <string_view>

#include "expression/graph.hpp"

namespace salvo::expression {

// How a function of the formula language is made of the graph's operations.
enum class Form : std::uint8_t {
  direct,         // op(x)
  reciprocal,     // 1 / op(x)
  of_reciprocal,  // op(1 / x)
  fold,           // op(op(x, y), z) ...
  logarithm,      // log(x) or log(x, base)
  power,          // pow(x, y)
  piecewise,      // piecewise(value, condition, ..., otherwise)
  delay,          // delay(x, tau)
};

struct Function {
  std::string_view name{};
  Op op = Op::constant;
  Form form = Form::direct;
};

// Null where there is no such function.
const Function* find_function(std::string_view name);

// The name of the function that is this operation and nothing else.
std::string_view direct_name(Op op);

std::span<const std::string> function_names();

// What the function wants, as a sentence; empty if it can be called with so many arguments.
std::string complaint_about_count(const Function& function, std::size_t count);

// "write log(x) or log(x, base)"
std::string usage(const Function& function);

NodeId build_call(Graph& graph, const Function& function, std::span<const NodeId> arguments);

}  // namespace salvo::expression
