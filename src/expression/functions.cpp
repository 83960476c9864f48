#include "expression/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/contract.hpp"

namespace salvo::expression {
namespace {

// Where two names mean the same operation, formulas are printed with the first.
constexpr Function functions[] = {
    {"exp", Op::exp, Form::direct},
    {"ln", Op::log, Form::direct},
    {"log", Op::log, Form::logarithm},
    {"log2", Op::log2, Form::direct},
    {"log10", Op::log10, Form::direct},
    {"sqrt", Op::sqrt, Form::direct},
    {"pow", Op::power, Form::power},
    {"abs", Op::abs, Form::direct},
    {"sign", Op::sign, Form::direct},
    {"min", Op::minimum, Form::fold},
    {"max", Op::maximum, Form::fold},
    {"piecewise", Op::select, Form::piecewise},
    {"delay", Op::delay, Form::delay},
    {"sin", Op::sin, Form::direct},
    {"cos", Op::cos, Form::direct},
    {"tan", Op::tan, Form::direct},
    {"csc", Op::sin, Form::reciprocal},
    {"sec", Op::cos, Form::reciprocal},
    {"cot", Op::tan, Form::reciprocal},
    {"arcsin", Op::asin, Form::direct},
    {"arccos", Op::acos, Form::direct},
    {"arctan", Op::atan, Form::direct},
    {"arccsc", Op::asin, Form::of_reciprocal},
    {"arcsec", Op::acos, Form::of_reciprocal},
    {"arccot", Op::atan, Form::of_reciprocal},
    {"sinh", Op::sinh, Form::direct},
    {"cosh", Op::cosh, Form::direct},
    {"tanh", Op::tanh, Form::direct},
    {"csch", Op::sinh, Form::reciprocal},
    {"sech", Op::cosh, Form::reciprocal},
    {"coth", Op::tanh, Form::reciprocal},
    {"arcsinh", Op::asinh, Form::direct},
    {"arccosh", Op::acosh, Form::direct},
    {"arctanh", Op::atanh, Form::direct},
    {"arccsch", Op::asinh, Form::of_reciprocal},
    {"arcsech", Op::acosh, Form::of_reciprocal},
    {"arccoth", Op::atanh, Form::of_reciprocal},
    {"asin", Op::asin, Form::direct},
    {"acos", Op::acos, Form::direct},
    {"atan", Op::atan, Form::direct},
    {"asinh", Op::asinh, Form::direct},
    {"acosh", Op::acosh, Form::direct},
    {"atanh", Op::atanh, Form::direct},
};

std::string arguments_text(std::size_t count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

// Bases 2 and 10 have operations of their own, which are exact at whole powers.
NodeId logarithm(Graph& graph, NodeId x, NodeId base) {
  if (graph.is_constant(base, 2)) return graph.make(Op::log2, x);
  if (graph.is_constant(base, 10)) return graph.make(Op::log10, x);
  return graph.divide(graph.make(Op::log, x), graph.make(Op::log, base));
}

NodeId piecewise(Graph& graph, std::span<const NodeId> arguments) {
  NodeId result = arguments.back();
  for (std::size_t i = arguments.size() - 1; i >= 2; i -= 2) {
    result = graph.make(Op::select, arguments[i - 1], arguments[i - 2], result);
  }
  return result;
}

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* place = std::find_if(std::begin(functions), std::end(functions),
                                   [&](const Function& function) { return function.name == name; });
  return place == std::end(functions) ? nullptr : place;
}

std::string_view direct_name(Op op) {
  const auto* place = std::find_if(std::begin(functions), std::end(functions), [&](const Function& function) {
    return function.op == op && function.form == Form::direct;
  });
  SALVO_EXPECTS(place != std::end(functions));
  return place->name;
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Function& function : functions) list.emplace_back(function.name);
    return list;
  }();
  return names;
}

std::string complaint_about_count(const Function& function, std::size_t count) {
  const auto wants = [&](std::string_view what) {
    return fmt::format("{} takes {}, here it gets {}", function.name, what, arguments_text(count));
  };
  switch (function.form) {
    case Form::direct:
    case Form::reciprocal:
    case Form::of_reciprocal: return count == 1 ? "" : wants("1 argument");
    case Form::fold: return count >= 1 ? "" : wants("1 argument or more");
    case Form::logarithm: return count == 1 || count == 2 ? "" : wants("1 or 2 arguments");
    case Form::power: return count == 2 ? "" : wants("2 arguments");
    case Form::delay: return count == 2 ? "" : wants("2 arguments, a formula and a delay");
    case Form::piecewise: return count >= 3 && count % 2 == 1 ? "" : wants("an odd number of arguments, at least 3");
  }
  return {};
}

std::string usage(const Function& function) {
  switch (function.form) {
    case Form::direct:
    case Form::reciprocal:
    case Form::of_reciprocal: return fmt::format("write {}(x)", function.name);
    case Form::fold: return fmt::format("write {}(x, y, ...)", function.name);
    case Form::logarithm: return "write log(x) or log(x, base)";
    case Form::power: return "write pow(x, y), or x^y";
    case Form::delay: return "write delay(x, tau), or x(t - tau)";
    case Form::piecewise: return "write piecewise(value, condition, otherwise)";
  }
  return {};
}

namespace {

NodeId folded_by_halves(Graph& graph, Op op, std::span<const NodeId> arguments) {
  if (arguments.size() == 1) return arguments[0];
  const std::size_t half = (arguments.size() + 1) / 2;
  const NodeId first = folded_by_halves(graph, op, arguments.first(half));
  return graph.make(op, first, folded_by_halves(graph, op, arguments.subspan(half)));
}

// One after the other; very many by halves: where one argument takes over from another, its derivative is made of those
// below alone, and all of them together of n log n nodes and not of n^2.
NodeId folded(Graph& graph, Op op, std::span<const NodeId> arguments) {
  constexpr std::size_t very_many = 64;
  if (arguments.size() > very_many) return folded_by_halves(graph, op, arguments);
  NodeId result = arguments[0];
  for (const NodeId next : arguments.subspan(1)) result = graph.make(op, result, next);
  return result;
}

}  // namespace

NodeId build_call(Graph& graph, const Function& function, std::span<const NodeId> arguments) {
  switch (function.form) {
    case Form::direct: return graph.make(function.op, arguments[0]);
    case Form::reciprocal: return graph.divide(graph.constant(1), graph.make(function.op, arguments[0]));
    case Form::of_reciprocal: return graph.make(function.op, graph.divide(graph.constant(1), arguments[0]));
    case Form::fold: return folded(graph, function.op, arguments);
    case Form::logarithm:
      return arguments.size() == 1 ? graph.make(Op::log, arguments[0]) : logarithm(graph, arguments[0], arguments[1]);
    case Form::power:
    case Form::delay: return graph.make(function.op, arguments[0], arguments[1]);
    case Form::piecewise: return piecewise(graph, arguments);
  }
  return no_node;
}

}  // namespace salvo::expression
