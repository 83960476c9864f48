#include "expression/field_operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.hpp"

namespace salvo::expression {
namespace {

constexpr FieldOperator operators[] = {
    {"dx", Op::derivative_x, "write dx(u)"},
    {"dy", Op::derivative_y, "write dy(u)"},
    {"dxx", Op::second_derivative_x, "write dxx(u)"},
    {"dyy", Op::second_derivative_y, "write dyy(u)"},
    {"div", Op::divergence, "write div(D*grad(u))"},
    {"grad", Op::gradient, "write div(D*grad(u))"},
    {"integral", Op::integral, "write integral(u, x), or integral(u, x, from, to)"},
    {"mean", Op::mean, "write mean(u, x), or mean(u, x, from, to)"},
};

bool has_range(Op op) { return op == Op::integral || op == Op::mean; }

}  // namespace

const FieldOperator* find_field_operator(std::string_view name) {
  const auto* place = std::find_if(std::begin(operators), std::end(operators),
                                   [&](const FieldOperator& each) { return each.name == name; });
  return place == std::end(operators) ? nullptr : place;
}

std::string_view field_operator_name(Op op) {
  const auto* place = std::find_if(std::begin(operators), std::end(operators),
                                   [&](const FieldOperator& each) { return each.op == op; });
  SALVO_EXPECTS(place != std::end(operators));
  return place->name;
}

std::string complaint_about_count(const FieldOperator& function, std::size_t count) {
  const bool is_right = has_range(function.op) ? count == 2 || count == 4 : count == 1;
  if (is_right) return {};
  return fmt::format("{} takes {}, here it gets {} argument{}", function.name,
                     has_range(function.op) ? "2 or 4 arguments" : "1 argument", count, count == 1 ? "" : "s");
}

NodeId build_call(Graph& graph, const FieldOperator& function, std::span<const NodeId> arguments) {
  if (!has_range(function.op)) return graph.make(function.op, arguments[0]);
  const NodeId over =
      arguments.size() == 2 ? arguments[1] : graph.make(Op::stretch, arguments[1], arguments[2], arguments[3]);
  return graph.make(function.op, arguments[0], over);
}

}  // namespace salvo::expression
