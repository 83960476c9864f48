#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "expression/parse.hpp"

namespace salvo::expression {

struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::string_view text{};
  int column = 0;    // from 1, in characters of the formula
  double value = 0;  // of a number

  bool is_sign(std::string_view sign) const { return kind == Kind::sign && text == sign; }
};

// The formula cut into tokens, the last of which is the end; or the first thing in it that is no token.
std::variant<std::vector<Token>, ParseError> tokenize(std::string_view text);

}  // namespace salvo::expression
