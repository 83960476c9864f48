#pragma once

#include <span>
#include <string_view>

#include "expression/lexer.hpp"

namespace salvo::expression {

// What to tell a person about a formula that cannot be read, token by token.

// An operand should stand at tokens[at].
ParseError missing_operand(std::span<const Token> tokens, std::size_t at);

// An operand is complete and tokens[at] cannot follow it.
ParseError unexpected_token(std::span<const Token> tokens, std::size_t at);

ParseError never_closed(const Token& opening);
// Is it the name of a function but for its capitals?
bool is_misspelt_function(const Token& name);
ParseError unknown_function(const Token& name);
ParseError function_without_arguments(const Token& name);
// a < b < c, at the second sign.
ParseError chained_comparison(const Token& sign);

}  // namespace salvo::expression
