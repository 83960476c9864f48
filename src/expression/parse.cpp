#include "expression/parse.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <unordered_set>

#include "expression/complaints.hpp"
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
    const NodeId base = operand();
    if (base == no_node || !accept("^")) return base;
    const NodeId exponent = unary();
    return exponent == no_node ? no_node : graph_.make(Op::power, base, exponent);
  }

  NodeId made(Op op, NodeId argument) { return argument == no_node ? no_node : graph_.make(op, argument); }

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
    if (current().is_sign("(")) return call(token);
    if (const auto number = named_number(token.text)) return graph_.constant(*number);
    if (find_function(token.text) != nullptr) return fail(function_without_arguments(token));
    const NodeId symbol = graph_.symbol(token.text);
    if (named_.insert(symbol).second) {
      formula_.names.push_back({std::string(token.text), token.column});
    }
    return symbol;
  }

  NodeId call(const Token& name) {
    const Function* function = find_function(name.text);
    if (function == nullptr) return fail(unknown_function(name));
    const std::size_t opening = at_++;
    std::vector<NodeId> arguments;
    if (!current().is_sign(")")) {
      do {
        arguments.push_back(expression(lowest_rank));
        if (arguments.back() == no_node) return no_node;
      } while (accept(","));
    }
    if (!close(opening)) return no_node;
    if (const std::string complaint = complaint_about_count(*function, arguments.size()); !complaint.empty()) {
      return fail({name.column, complaint, usage(*function)});
    }
    return build_call(graph_, *function, arguments);
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

bool is_reserved(std::string_view name) { return find_function(name) != nullptr || named_number(name).has_value(); }

}  // namespace salvo::expression
