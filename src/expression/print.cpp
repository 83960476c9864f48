#include "expression/print.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "expression/field_operators.hpp"
#include "expression/functions.hpp"

namespace salvo::expression {
namespace {

// How tightly a formula holds together; a part that is looser than its place allows stands in parentheses.
enum Rank { loosest, logical, comparison, sum, product, prefix, power, atom };

struct WrittenInfix {
  std::string_view sign{};
  Rank rank = atom;
  bool is_commutative = false;
};

WrittenInfix infix_of(Op op) {
  switch (op) {
    case Op::logical_and: return {" && ", logical, true};
    case Op::logical_or: return {" || ", logical, true};
    case Op::less: return {" < ", comparison, false};
    case Op::less_equal: return {" <= ", comparison, false};
    case Op::equal: return {" == ", comparison, true};
    case Op::not_equal: return {" != ", comparison, true};
    case Op::add: return {" + ", sum, true};
    case Op::subtract: return {" - ", sum, false};
    case Op::multiply: return {"*", product, true};
    case Op::divide: return {"/", product, false};
    default: return {};
  }
}

Rank rank_of(const Node& node) {
  switch (node.op) {
    case Op::constant: return std::signbit(node.value) && !std::isnan(node.value) ? prefix : atom;
    case Op::negate:
    case Op::logical_not: return prefix;
    case Op::power: return power;
    default: return infix_of(node.op).rank;
  }
}

// Prints from the left by a stack of what is still to come, so that no depth of nesting matters.
class Printer {
 public:
  Printer(const Graph& graph, const NodeNames& names) : graph_(graph), names_(names) {}

  std::string run(NodeId root) {
    to_come_.push_back(part(root, loosest));
    while (!to_come_.empty()) {
      const Piece piece = to_come_.back();
      to_come_.pop_back();
      if (piece.node == no_node) {
        text_ += piece.text;
      } else if (rank(piece.node) < piece.loosest_allowed) {
        schedule({text("("), part(piece.node, loosest), text(")")});
      } else {
        expand(piece.node);
      }
    }
    return std::move(text_);
  }

 private:
  struct Piece {
    std::string_view text{};
    NodeId node = no_node;
    Rank loosest_allowed = loosest;
  };
  static Piece text(std::string_view words) { return {.text = words}; }
  static Piece part(NodeId node, Rank loosest_allowed) {
    return {.text = {}, .node = node, .loosest_allowed = loosest_allowed};
  }

  void schedule(const std::vector<Piece>& pieces) { to_come_.insert(to_come_.end(), pieces.rbegin(), pieces.rend()); }

  bool has_name(NodeId id) const { return !names_.empty() && names_.contains(id); }
  Rank rank(NodeId id) const { return has_name(id) ? atom : rank_of(graph_[id]); }
  // Is it this operation, and not known by a name?
  bool is_plain(NodeId id, Op op) const { return graph_[id].op == op && !has_name(id); }

  void expand(NodeId id) {
    if (has_name(id)) {
      text_ += names_.at(id);
      return;
    }
    const Node& node = graph_[id];
    const auto [a, b, c] = node.arguments;
    switch (node.op) {
      case Op::constant: text_ += number_text(node.value); return;
      case Op::symbol: text_ += graph_.symbol_name(id); return;
      case Op::negate: return schedule({text("-"), part(a, prefix)});
      case Op::logical_not: return schedule({text("!"), part(a, prefix)});
      case Op::power: return schedule({part(a, atom), text("^"), part(b, prefix)});
      case Op::minimum: return expand_list("min(", id);
      case Op::maximum: return expand_list("max(", id);
      case Op::select: return expand_piecewise(id);
      case Op::delay: return schedule({text("delay("), part(a, loosest), text(", "), part(b, loosest), text(")")});
      default: break;
    }
    if (is_field_operator(node.op)) {
      expand_field_operator(node);
    } else if (argument_count(node.op) == 1) {
      schedule({text(direct_name(node.op)), text("("), part(a, loosest), text(")")});
    } else {
      expand_infix(node);
    }
  }

  // integral(u, x, 0, 1), u(at: 3), dx(u).
  void expand_field_operator(const Node& node) {
    const auto [a, b, c] = node.arguments;
    switch (node.op) {
      case Op::at: return schedule({part(a, atom), text("(at: "), part(b, loosest), text(")")});
      case Op::pair: return schedule({part(a, loosest), text(", "), part(b, loosest)});
      case Op::stretch: return schedule({part(a, loosest), text(", "), part(b, loosest), text(", "), part(c, loosest)});
      default: break;
    }
    if (argument_count(node.op) == 1)
      return schedule({text(field_operator_name(node.op)), text("("), part(a, loosest), text(")")});
    schedule(
        {text(field_operator_name(node.op)), text("("), part(a, loosest), text(", "), part(b, loosest), text(")")});
  }

  // The parser groups to the left, so the right operand must hold together more tightly.
  void expand_infix(const Node& node) {
    const WrittenInfix infix = infix_of(node.op);
    auto [left, right, unused] = node.arguments;
    if (infix.is_commutative && reads_better_first(right, left, infix.rank)) std::swap(left, right);
    const auto tighter = static_cast<Rank>(infix.rank + 1);
    schedule({part(left, may_follow(node.op, left) ? infix.rank : tighter), text(infix.sign), part(right, tighter)});
  }

  // Comparisons do not follow one another, and && next to || is easily misread.
  bool may_follow(Op op, NodeId left) const {
    const Rank rank = infix_of(op).rank;
    return rank != comparison && (rank != logical || this->rank(left) != logical || graph_[left].op == op);
  }

  // What would need parentheses on the right goes first; then 2*x reads better than x*2, and -x*y better than y*-x.
  bool reads_better_first(NodeId right, NodeId left, Rank rank) const {
    const bool left_is_tight = this->rank(left) > rank;
    const bool right_is_tight = this->rank(right) > rank;
    if (!left_is_tight || !right_is_tight) return left_is_tight;
    const auto is_coefficient = [&](NodeId id) { return graph_.is_constant(id) || this->rank(id) == prefix; };
    return rank == product && is_coefficient(right) && !is_coefficient(left);
  }

  // min(min(a, b), c) is min(a, b, c).
  void expand_list(std::string_view opening, NodeId id) {
    const Op op = graph_[id].op;
    std::vector<Piece> pieces{text(")")};  // from right to left
    while (is_plain(id, op)) {
      auto [left, right, unused] = graph_[id].arguments;
      if (is_plain(right, op)) std::swap(left, right);
      pieces.push_back(part(right, loosest));
      pieces.push_back(text(", "));
      id = left;
    }
    pieces.push_back(part(id, loosest));
    pieces.push_back(text(opening));
    to_come_.insert(to_come_.end(), pieces.begin(), pieces.end());
  }

  // A select in the last place continues the list of cases.
  void expand_piecewise(NodeId id) {
    std::vector<Piece> pieces{text("piecewise(")};
    while (is_plain(id, Op::select)) {
      const auto [condition, if_true, otherwise] = graph_[id].arguments;
      pieces.insert(pieces.end(), {part(if_true, loosest), text(", "), part(condition, loosest), text(", ")});
      id = otherwise;
    }
    pieces.insert(pieces.end(), {part(id, loosest), text(")")});
    schedule(pieces);
  }

  const Graph& graph_;
  const NodeNames& names_;
  std::string text_;
  std::vector<Piece> to_come_;
};

}  // namespace

std::string print(const Graph& graph, NodeId node, const NodeNames& names) { return Printer(graph, names).run(node); }

}  // namespace salvo::expression
