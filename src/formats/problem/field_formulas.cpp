#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "expression/field_operators.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"
#include "formats/problem/fields.hpp"

namespace salvo::formats {
namespace {

using expression::Op;

// One formula's operations on fields, one after the other.
class OperatorCheck {
 public:
  explicit OperatorCheck(const model::Problem& problem) : problem_(problem), graph_(problem.graph) {}

  struct Fault {
    Op op = Op::at;
    std::string message{};
    std::string hint{};
  };
  std::optional<Fault> find(NodeId formula, bool derivatives) {
    for (const NodeId id : expression::reached_from(graph_, {&formula, 1}, [](NodeId) { return false; })) {
      const Op op = graph_[id].op;
      if (!expression::is_field_operator(op) || op == Op::pair || op == Op::stretch) continue;
      if (auto fault = look_at(id, derivatives)) return fault;
    }
    return std::nullopt;
  }

 private:
  static bool is_derivative(Op op) { return op < Op::integral; }
  static bool is_of_y(Op op) { return op == Op::derivative_y || op == Op::second_derivative_y; }
  std::string text(NodeId id) const { return expression::print(graph_, id).substr(0, widest_quoted); }

  std::optional<Fault> look_at(NodeId id, bool derivatives) {
    const expression::Node& node = graph_[id];
    const NodeId of = node.arguments[0];
    if (problem_.space.empty())
      return Fault{node.op, fmt::format("'{}' speaks of space, and there are no fields", text(id)),
                   "fields stand in the sections 'space', 'fields' and 'boundary'"};
    if (model::open_coordinates(problem_, of) == 0 && node.op != Op::divergence)
      return Fault{node.op, fmt::format("{} has no place in space, and so '{}' means nothing", text(of), text(id)),
                   fmt::format("such operations are for fields: {}", listed(field_names()))};
    const bool is_slope = node.op == Op::derivative_x && graph_.is_symbol(of);  // which is known at a place, too
    if (is_derivative(node.op) && !derivatives && !is_slope)
      return Fault{
          node.op, fmt::format("'{}' stands outside the section 'fields'", text(id)),
          "derivatives in space are for the equations of fields; others may use u(at: 3), dx(u)(at: 3), mean(u, x) and "
          "integral(u, x)"};
    if (is_of_y(node.op) && problem_.space.size() < 2)
      return Fault{node.op, fmt::format("'{}' needs a second coordinate", text(id)), "write space: {x: ..., y: ...}"};
    if (node.op == Op::at) return look_at_place(id, node.arguments[1]);
    return is_derivative(node.op) ? std::nullopt : look_at_range(id, node.arguments[1]);
  }

  std::optional<Fault> look_at_place(NodeId id, NodeId where) const {
    const bool has_two = graph_[where].op == Op::pair;
    if (has_two != (problem_.space.size() == 2))
      return Fault{
          Op::at,
          fmt::format("'{}' names {} of {}", text(id), counted(has_two ? 2 : 1, "coordinate"), problem_.space.size()),
          "write u(at: 3) on a line, and u(at: 3, 2) on a rectangle"};
    for (std::size_t i = 0; i < problem_.space.size(); ++i)
      if (auto fault = look_at_position(id, has_two ? graph_[where].arguments[i] : where, problem_.space[i]))
        return fault;
    return std::nullopt;
  }

  std::optional<Fault> look_at_position(NodeId id, NodeId position, const model::Space& space) const {
    const Op op = graph_[id].op;
    if (!graph_.is_constant(position))
      return Fault{op, fmt::format("the place in '{}' must be a number", text(id)), {}};
    const double at = graph_[position].value;
    if (at >= space.from && at <= space.to) return std::nullopt;
    return Fault{op,
                 fmt::format("'{}' is outside the space of {}, which reaches from {} to {}", text(id), space.id,
                             number_text(space.from), number_text(space.to)),
                 "move it inside"};
  }

  std::optional<Fault> look_at_range(NodeId id, NodeId over) const {
    const bool is_stretch = graph_[over].op == Op::stretch;
    const NodeId coordinate = is_stretch ? graph_[over].arguments[0] : over;
    const auto space = std::find_if(problem_.space.begin(), problem_.space.end(),
                                    [&](const model::Space& each) { return each.symbol == coordinate; });
    const Op op = graph_[id].op;
    if (space == problem_.space.end())
      return Fault{op, fmt::format("'{}' goes over {}, which is not a coordinate", text(id), text(coordinate)),
                   "write integral(u, x), or integral(u, x, from, to)"};
    if (!is_stretch) return std::nullopt;
    const auto [unused, from, to] = graph_[over].arguments;
    for (const NodeId end : {from, to})
      if (auto fault = look_at_position(id, end, *space)) return fault;
    if (graph_[from].value < graph_[to].value) return std::nullopt;
    return Fault{op, fmt::format("'{}' ends where it begins, or before", text(id)), "write the smaller limit first"};
  }

  std::vector<std::string> field_names() const {
    std::vector<std::string> names;
    for (const model::Field& field : problem_.fields) names.push_back(field.id);
    return names;
  }
  static std::string listed(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

  static constexpr std::size_t widest_quoted = 60;
  const model::Problem& problem_;
  const expression::Graph& graph_;
};

int column_of(Op op, const std::string& text) {
  const std::string sign = op == Op::at ? "(at" : fmt::format("{}(", expression::field_operator_name(op));
  const std::size_t at = text.find(sign);
  return at == std::string::npos ? 1 : static_cast<int>(at) + 1;
}

}  // namespace

bool check_field_operators(Draft& draft, NodeId node, const FormulaCheck& check) {
  if (!what_it_uses(draft, node).uses_field_operators) return true;
  if (draft.problem.space.empty() && !draft.problem.fields.empty()) return true;  // that there is no space is told
  const auto fault = OperatorCheck(draft.problem).find(node, check.derivatives);
  if (!fault) return true;
  check.log.add(check.place_of(column_of(fault->op, check.text)), fmt::format("{} in {}", fault->message, check.what),
                fault->hint);
  return false;
}

}  // namespace salvo::formats
