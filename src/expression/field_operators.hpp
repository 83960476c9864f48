#pragma once

#include <span>
#include <string>
#include <string_view>

#include "expression/graph.hpp"

// What formulas say of fields: derivatives in space, integrals, values at a place. The graph only holds what was
// written; where a field lives, and so what these are as numbers, is known to those who divide space into cells.
namespace salvo::expression {

struct FieldOperator {
  std::string_view name{};
  Op op = Op::derivative_x;
  std::string_view usage{};  // "write dx(u)"
};

// Null where there is none of this name. Followed by a parenthesis, the name is the operation; alone it is free.
const FieldOperator* find_field_operator(std::string_view name);
std::string_view field_operator_name(Op op);

// What it wants, as a sentence; empty if it can be called with so many arguments.
std::string complaint_about_count(const FieldOperator& function, std::size_t count);
NodeId build_call(Graph& graph, const FieldOperator& function, std::span<const NodeId> arguments);

inline bool is_field_operator(Op op) { return op >= Op::derivative_x; }

}  // namespace salvo::expression
