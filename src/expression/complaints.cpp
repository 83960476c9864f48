#include "expression/complaints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "expression/functions.hpp"

namespace salvo::expression {
namespace {

bool is_end(const Token& token) { return token.kind == Token::Kind::end; }
bool is_operator(const Token& token) {
  return token.kind == Token::Kind::sign && !token.is_sign("(") && !token.is_sign(")") && !token.is_sign(",") &&
         !token.is_sign(":");
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string hint_for_comma(std::span<const Token> tokens, std::size_t at) {
  const Token& before = tokens[at - 1];
  const Token& after = tokens[at + 1];  // there is one: the end comes last
  if (before.kind == Token::Kind::number && after.kind == Token::Kind::number) {
    return fmt::format("write {}.{} with a decimal point", before.text, after.text);
  }
  return "a comma only separates the arguments of a function";
}

std::string hint_for_neighbours(const Token& left, const Token& right) {
  const std::string word = lower_case(right.text);
  if (word == "and") return "write && for 'and'";
  if (word == "or") return "write || for 'or'";
  if (lower_case(left.text) == "not") return "write ! for 'not'";
  if (left.kind == Token::Kind::number && right.kind == Token::Kind::number) return "a number has one decimal point";
  return fmt::format("for a product write {}*{}", left.text, right.text);
}

}  // namespace

ParseError missing_operand(std::span<const Token> tokens, std::size_t at) {
  const Token& here = tokens[at];
  if (at == 0 && is_end(here)) return {1, "the formula is empty", ""};
  if (at == 0 && here.is_sign(")")) return unexpected_token(tokens, at);
  if (at == 0) return {here.column, fmt::format("something is missing before '{}'", here.text), ""};
  const Token& before = tokens[at - 1];
  if (is_operator(before) && is_operator(here)) {
    return {here.column, fmt::format("something is missing between '{}' and '{}'", before.text, here.text), ""};
  }
  if (is_operator(before)) return {before.column, fmt::format("something is missing after '{}'", before.text), ""};
  if (is_operator(here)) return {here.column, fmt::format("something is missing before '{}'", here.text), ""};
  if (is_end(here) && before.is_sign("(")) return never_closed(before);
  if (before.is_sign(":")) return {before.column, "the place is missing", "write u(at: 3)"};
  if (before.is_sign("(") && here.is_sign(")")) return {before.column, "the parentheses are empty", ""};
  if (before.is_sign(",")) return {before.column, "an argument is missing after the comma", ""};
  return {here.column, "an argument is missing before the comma", ""};
}

ParseError unexpected_token(std::span<const Token> tokens, std::size_t at) {
  const Token& here = tokens[at];
  if (here.is_sign(")")) return {here.column, "there is a ')' too many", "remove it, or open it earlier with '('"};
  if (here.is_sign(",")) return {here.column, "a comma stands outside a function call", hint_for_comma(tokens, at)};
  if (here.is_sign(":")) return {here.column, "a formula cannot contain ':'", "a place is written u(at: 3)"};
  if (here.is_sign("!"))
    return {here.column, "'!' stands before what it negates", "there is no sign for the factorial"};
  const Token& before = tokens[at - 1];
  return {here.column, fmt::format("an operator is missing between '{}' and '{}'", before.text, here.text),
          hint_for_neighbours(before, here)};
}

ParseError never_closed(const Token& opening) {
  return {opening.column, "the parenthesis that opens here is never closed", "add a ')'"};
}

bool is_misspelt_function(const Token& name) { return find_function(lower_case(name.text)) != nullptr; }

ParseError unknown_function(const Token& name) {
  const std::string message = fmt::format("there is no function '{}'", name.text);
  const std::string in_lower_case = lower_case(name.text);
  if (find_function(in_lower_case) != nullptr)
    return {name.column, message, fmt::format("did you mean '{}'?", in_lower_case)};
  if (const auto near = nearest_word(name.text, function_names())) {
    return {name.column, message, fmt::format("did you mean '{}'?", *near)};
  }
  return {name.column, message, fmt::format("for a product write {}*(...)", name.text)};
}

ParseError function_without_arguments(const Token& name) {
  return {name.column, fmt::format("the function '{}' needs its arguments in parentheses", name.text),
          usage(*find_function(name.text))};
}

ParseError chained_comparison(const Token& sign) {
  return {sign.column, fmt::format("'{}' compares a comparison", sign.text),
          "for a range write a < b && b < c; to compare truth values put parentheses around them"};
}

}  // namespace salvo::expression
