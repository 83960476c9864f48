#include "expression/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace salvo::expression {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Longer signs first, so that "<=" is not read as "<".
constexpr std::string_view signs[] = {"<=", ">=", "==", "!=", "&&", "||", "(", ")", ",",
                                      "+",  "-",  "*",  "/",  "^",  "<",  ">", "!", ":"};

struct Stray {
  std::string_view text{};
  std::string_view hint{};
};
constexpr Stray strays[] = {
    {"**", "write ^ for a power"},
    {"=", "write == to compare"},
    {"&", "write && for 'and'"},
    {"|", "write || for 'or'"},
    {"\u2212", "write the minus sign as -"},
    {"\u2010", "write the minus sign as -"},
    {"\u2011", "write the minus sign as -"},
    {"\u2012", "write the minus sign as -"},
    {"\u2013", "write the minus sign as -"},
    {"\u2014", "write the minus sign as -"},
    {"\u00d7", "write * for a product"},
    {"\u00b7", "write * for a product"},
    {"\u22c5", "write * for a product"},
    {"\u2217", "write * for a product"},
    {"\u00f7", "write / for a quotient"},
    {"\u2215", "write / for a quotient"},
    {"\u00b2", "write ^2 for the square"},
    {"\u00b3", "write ^3 for the cube"},
    {"\u2264", "write <="},
    {"\u2265", "write >="},
    {"\u2260", "write !="},
    {"\u221e", "write inf for infinity"},
    {"\u00a0", "write an ordinary space"},
    {"[", "use round parentheses"},
    {"]", "use round parentheses"},
    {"{", "use round parentheses"},
    {"}", "use round parentheses"},
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<Token>, ParseError> run() {
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) advance(1);
      if (at_ == text_.size()) break;
      if (!read_token()) return *error_;
    }
    tokens_.push_back({.kind = Token::Kind::end, .text = {}, .column = column_});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool read_token() {
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return read_number();
    if (is_letter(peek())) return read_name();
    return read_sign();
  }

  void push(Token::Kind kind, std::size_t length, double value = 0) {
    tokens_.push_back({.kind = kind, .text = text_.substr(at_, length), .column = column_, .value = value});
    advance(length);
  }

  void advance(std::size_t length) {  // over ASCII, where a byte is a character
    at_ += length;
    column_ += static_cast<int>(length);
  }

  bool fail(std::string message, std::string hint) {
    error_ = ParseError{column_, std::move(message), std::move(hint)};
    return false;
  }

  std::size_t number_length() const {
    std::size_t length = 0;
    while (is_digit(peek(length))) ++length;
    if (peek(length) == '.') ++length;
    while (is_digit(peek(length))) ++length;
    if (peek(length) != 'e' && peek(length) != 'E') return length;
    std::size_t with_exponent = length + 1;
    if (peek(with_exponent) == '+' || peek(with_exponent) == '-') ++with_exponent;
    if (!is_digit(peek(with_exponent))) return length;
    while (is_digit(peek(with_exponent))) ++with_exponent;
    return with_exponent;
  }

  bool read_number() {
    const std::string_view number = text_.substr(at_, number_length());
    double value = 0;
    const auto outcome = std::from_chars(number.data(), number.data() + number.size(), value);
    if (outcome.ec != std::errc{}) {
      return fail(fmt::format("the number {} is out of range", number),
                  "numbers reach from 1e-307 to 1e308; infinity is written inf");
    }
    push(Token::Kind::number, number.size(), value);
    return true;
  }

  bool read_name() {
    std::size_t length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    push(Token::Kind::name, length);
    return true;
  }

  bool read_sign() {
    const std::string_view rest = text_.substr(at_);
    if (rest.substr(0, 2) == "**") return stray();
    const auto* sign = std::find_if(std::begin(signs), std::end(signs),
                                    [&](std::string_view known) { return rest.substr(0, known.size()) == known; });
    if (sign == std::end(signs)) return stray();
    push(Token::Kind::sign, sign->size());
    return true;
  }

  bool stray() {
    const std::string_view rest = text_.substr(at_);
    for (const Stray& known : strays) {
      if (rest.substr(0, known.text.size()) == known.text) {
        return fail(fmt::format("a formula cannot contain '{}'", known.text), std::string(known.hint));
      }
    }
    const auto code = static_cast<unsigned char>(rest[0]);
    if (code < 0x20 || code == 0x7f) return fail(fmt::format("an unprintable character (code {})", code), "remove it");
    std::size_t length = 1;
    while (length < rest.size() && is_continuation(rest[length])) ++length;
    const bool is_ascii = code < 0x80;
    return fail(fmt::format("a formula cannot contain '{}'", is_ascii ? rest.substr(0, 1) : rest.substr(0, length)),
                is_ascii ? "" : "names are made of the letters a-z and A-Z, digits and _");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int column_ = 1;
  std::vector<Token> tokens_;
  std::optional<ParseError> error_;
};

}  // namespace

std::variant<std::vector<Token>, ParseError> tokenize(std::string_view text) { return Lexer(text).run(); }

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace salvo::expression
