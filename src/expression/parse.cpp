#include "expression/parse.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <unordered_set>

#include "expression/complaints.hpp"
#include "expression/earlier.hpp"
#include "expression/field_operators.hpp"
#include "expression/functions.hpp"
#include "expression/lexer.hpp"

namespace salvo::expression {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20U;
constexpr int deepest_nesting = 200;

std::optional<double> named_number(std::string_view name) {
  if (name == "true") return 1.0;
  if (name == "false") return 0.0;
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

// An operator between two operands; all of these group to the left.
struct Infix {
  std::string_view sign{};
  int rank = 0;
  Op op = Op::add;
  bool is_swapped = false;  // a > b is b < a
};
constexpr Infix infixes[] = {
    {"&&", 1, Op::logical_and}, {"||", 1, Op::logical_or},       {"<", 2, Op::less},     {"<=", 2, Op::less_equal},
    {">", 2, Op::less, true},   {">=", 2, Op::less_equal, true}, {"==", 2, Op::equal},   {"!=", 2, Op::not_equal},
    {"+", 3, Op::add},          {"-", 3, Op::subtract},          {"*", 4, Op::multiply}, {"/", 4, Op::divide},
};
constexpr int lowest_rank = 1;
constexpr int rank_of_comparisons = 2;

const Infix* find_infix(const Token& token) {
  for (const Infix& infix : infixes) {
    if (token.is_sign(infix.sign)) return &infix;
  }
  return nullptr;
}

// Recursive descent. A rule returns no_node once something is wrong; the first thing wrong is kept.
class Parser {
 public:
  Parser(Graph& graph, std::span<const Token> tokens) : graph_(graph), tokens_(tokens) {}

  std::variant<Formula, ParseError> run() {
    formula_.node = expression(lowest_rank);
    if (!error_ && current().kind != Token::Kind::end) fail(unexpected_token(tokens_, at_));
    if (error_) return *error_;
    return std::move(formula_);
  }

 private:
  const Token& current() const { return tokens_[at_]; }

  bool accept(std::string_view sign) {
    if (!current().is_sign(sign)) return false;
    ++at_;
    return true;
  }

  NodeId fail(ParseError error) {
    if (!error_) error_ = std::move(error);
    return no_node;
  }

  NodeId expression(int rank) {
    NodeId left = unary();
    const Infix* before = nullptr;
    while (left != no_node) {
      const Infix* infix = find_infix(current());
      if (infix == nullptr || infix->rank < rank) break;
      if (before != nullptr && infix->rank == rank_of_comparisons && before->rank == rank_of_comparisons)
        return fail(chained_comparison(current()));
      if (before != nullptr && infix->rank == lowest_rank && before->rank == lowest_rank && infix->op != before->op &&
          formula_.mixed_logic == 0)
        formula_.mixed_logic = current().column;
      before = infix;
      ++at_;
      const NodeId right = expression(infix->rank + 1);
      if (right == no_node) return no_node;
      left = infix->is_swapped ? graph_.make(infix->op, right, left) : graph_.make(infix->op, left, right);
    }
    return left;
  }

  // Every way to nest deeper passes through here.
  NodeId unary() {
    if (depth_ > deepest_nesting) {
      return fail({current().column, fmt::format("the formula is nested more than {} levels deep", deepest_nesting),
                   "give a part of it a name of its own"});
    }
    ++depth_;
    const NodeId result = signed_power();
    --depth_;
    return result;
  }

  NodeId signed_power() {
    if (accept("+")) return unary();
    if (accept("-")) return made(Op::negate, unary());
    if (accept("!")) return made(Op::logical_not, unary());
    const NodeId base = with_place(operand());
    if (base == no_node || !accept("^")) return base;
    const NodeId exponent = unary();
    return exponent == no_node ? no_node : graph_.make(Op::power, base, exponent);
  }

  NodeId made(Op op, NodeId argument) { return argument == no_node ? no_node : graph_.make(op, argument); }

  // u(at: 950), u(at: 950, 20) on a rectangle.
  bool begins_place() const {
    return current().is_sign("(") && tokens_[at_ + 1].text == "at" && tokens_[at_ + 2].is_sign(":");
  }

  NodeId with_place(NodeId of) {
    while (of != no_node && begins_place()) {
      const std::size_t opening = at_;
      at_ += 3;
      NodeId where = expression(lowest_rank);
      if (where != no_node && accept(",")) {
        const NodeId second = expression(lowest_rank);
        where = second == no_node ? no_node : graph_.make(Op::pair, where, second);
      }
      if (where == no_node || !close(opening)) return no_node;
      of = graph_.make(Op::at, of, where);
    }
    return of;
  }

  NodeId operand() {
    const Token& token = current();
    if (token.kind == Token::Kind::number) {
      ++at_;
      return graph_.constant(token.value);
    }
    if (token.kind == Token::Kind::name) return name_or_call();
    if (!token.is_sign("(")) return fail(missing_operand(tokens_, at_));
    const std::size_t opening = at_++;
    const NodeId inside = expression(lowest_rank);
    return inside == no_node || !close(opening) ? no_node : inside;
  }

  bool close(std::size_t opening) {
    if (accept(")")) return true;
    fail(current().kind == Token::Kind::end ? never_closed(tokens_[opening]) : unexpected_token(tokens_, at_));
    return false;
  }

  NodeId name_or_call() {
    const Token& token = tokens_[at_++];
    if (current().is_sign("(") && !begins_place()) return call(token);
    if (const auto number = named_number(token.text)) return graph_.constant(*number);
    if (is_reserved(token.text)) return fail(function_without_arguments(token));
    return named(token);
  }

  NodeId named(const Token& token) {
    const NodeId symbol = graph_.symbol(token.text);
    if (named_.insert(symbol).second) {
      formula_.names.push_back({std::string(token.text), token.column});
    }
    return symbol;
  }

  // What stands in the parentheses of a call; nothing once something is wrong.
  std::optional<std::vector<NodeId>> call_arguments() {
    const std::size_t opening = at_++;
    std::vector<NodeId> arguments;
    if (!current().is_sign(")")) {
      do {
        arguments.push_back(expression(lowest_rank));
        if (arguments.back() == no_node) return std::nullopt;
      } while (accept(","));
    }
    return close(opening) ? std::optional(std::move(arguments)) : std::nullopt;
  }

  NodeId call(const Token& name) {
    const Function* function = find_function(name.text);
    const FieldOperator* on_fields = find_field_operator(name.text);
    if (function == nullptr && on_fields == nullptr) return earlier_value(name);
    const std::optional<std::vector<NodeId>> found = call_arguments();
    if (!found) return no_node;
    const std::vector<NodeId>& arguments = *found;
    if (on_fields != nullptr) return call_on_fields(*on_fields, name, arguments);
    if (const std::string complaint = complaint_about_count(*function, arguments.size()); !complaint.empty()) {
      return fail({name.column, complaint, usage(*function)});
    }
    if (function->op == Op::delay) formula_.delays.push_back({arguments[0], arguments[1], name.column});
    return build_call(graph_, *function, arguments);
  }

  // x(t - tau), after x. Whatever has no time in its parentheses is a function that there is not.
  NodeId earlier_value(const Token& name) {
    const auto refuse = [&] {
      error_ = unknown_function(name);
      return no_node;
    };
    if (is_misspelt_function(name)) return refuse();
    const NodeId of = named(name);
    ++at_;
    const NodeId argument = expression(lowest_rank);
    if (argument == no_node || !accept(")")) return refuse();
    for (const std::string_view time : {"t", "time"}) {
      const std::optional<NodeId> symbol = graph_.find_symbol(time);
      const NodeId by = symbol ? time_before(graph_, argument, *symbol) : no_node;
      if (by == no_node) continue;
      formula_.delays.push_back({of, by, name.column, true});
      return graph_.is_constant(by, 0) ? of : graph_.make(Op::delay, of, by);
    }
    return refuse();
  }

  NodeId call_on_fields(const FieldOperator& function, const Token& name, const std::vector<NodeId>& arguments) {
    const bool has_symbol = arguments.size() < 2 || graph_.is_symbol(arguments[1]);
    const std::string complaint = has_symbol
                                      ? complaint_about_count(function, arguments.size())
                                      : fmt::format("the second argument of {} must be a coordinate", function.name);
    if (!complaint.empty()) return fail({name.column, complaint, std::string(function.usage)});
    return build_call(graph_, function, arguments);
  }

  Graph& graph_;
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula formula_;
  std::unordered_set<NodeId> named_;
  std::optional<ParseError> error_;
};

}  // namespace

std::variant<Formula, ParseError> parse(Graph& graph, std::string_view text) {
  if (text.size() > longest_text) {
    return ParseError{1, "the formula is longer than 1 MiB", "give parts of it names of their own"};
  }
  const auto tokens = tokenize(text);
  if (const auto* error = std::get_if<ParseError>(&tokens)) return *error;
  return Parser(graph, std::get<std::vector<Token>>(tokens)).run();
}

bool is_reserved(std::string_view name) {
  const Function* function = find_function(name);
  return (function != nullptr && function->op != Op::delay) || named_number(name).has_value();
}

}  // namespace salvo::expression
