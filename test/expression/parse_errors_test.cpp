#include <gtest/gtest.h>

#include "expression/formula_tools.hpp"
#include "expression/parse.hpp"

namespace salvo::expression {
namespace {

struct Refusal {
  std::string text{};
  int column = 0;
  std::string in_message{};
  std::string in_hint{};
};

ParseError error_of(std::string_view text) {
  Graph graph;
  const auto outcome = parse(graph, text);
  if (const auto* error = std::get_if<ParseError>(&outcome)) return *error;
  ADD_FAILURE() << "no error in: " << text.substr(0, 200);
  return {};
}

void expect_errors(const std::vector<Refusal>& cases) {
  for (const auto& [text, column, in_message, in_hint] : cases) {
    const ParseError error = error_of(text);
    EXPECT_EQ(error.column, column) << text << ": " << error.message;
    EXPECT_NE(error.message.find(in_message), std::string::npos) << text << ": " << error.message;
    EXPECT_NE(error.hint.find(in_hint), std::string::npos) << text << ": " << error.hint;
  }
}

TEST(ParseErrors, SayWhereAParenthesisIsMissing) {
  expect_errors({{"(a + b", 1, "never closed", "add a ')'"},
                 {"a*(b + (c - d)", 3, "never closed", ""},
                 {"2 + sin(x", 8, "never closed", ""},
                 {"sin(", 4, "never closed", ""},
                 {"a + (", 5, "never closed", ""},
                 {"max(a, (b", 8, "never closed", ""}});
}

TEST(ParseErrors, SayWhereAParenthesisIsTooMany) {
  expect_errors(
      {{"a + b)", 6, "')' too many", "remove"}, {")", 1, "')' too many", ""}, {"sin(x))", 7, "too many", ""}});
}

TEST(ParseErrors, SayThatNothingIsThere) {
  expect_errors({{"", 1, "empty", ""}, {"  \t", 1, "empty", ""}, {"2*()", 3, "parentheses are empty", ""}});
}

TEST(ParseErrors, SayWhatIsMissingAndWhere) {
  expect_errors({{"a*", 2, "missing after '*'", ""},
                 {"a + ", 3, "missing after '+'", ""},
                 {"(a - ) * b", 4, "missing after '-'", ""},
                 {"* a", 1, "missing before '*'", ""},
                 {"(/ b)", 2, "missing before '/'", ""},
                 {"a + * b", 5, "missing between '+' and '*'", ""},
                 {"!", 1, "missing after '!'", ""},
                 {"max(a, , b)", 6, "missing after the comma", ""},
                 {"max(, b)", 5, "missing before the comma", ""},
                 {"max(a, )", 6, "missing after the comma", ""}});
}

TEST(ParseErrors, SuggestTheFunctionThatWasMeant) {
  expect_errors({{"1 + sni(x)", 5, "no function 'sni'", "'sin'"},
                 {"sqr(x)", 1, "no function 'sqr'", "'sqrt'"},
                 {"LOG(x)", 1, "no function 'LOG'", "'log'"},
                 {"arcsinn(x)", 1, "no function", "'arcsin'"},
                 {"k(x + 1)", 1, "no function 'k'", "k*("}});
}

TEST(ParseErrors, SayHowManyArgumentsAFunctionTakes) {
  expect_errors({{"1 + log(a, b, c)", 5, "1 or 2 arguments", "log(x, base)"},
                 {"sin()", 1, "1 argument", "sin(x)"},
                 {"sin(a, b)", 1, "gets 2 arguments", "sin(x)"},
                 {"pow(a)", 1, "2 arguments", "x^y"},
                 {"max()", 1, "1 argument or more", "max(x"},
                 {"piecewise(1, a)", 1, "odd number", "piecewise(value, condition, otherwise)"},
                 {"piecewise(1)", 1, "at least 3", ""},
                 {"2*sin", 3, "needs its arguments", "sin(x)"},
                 {"sin x", 1, "needs its arguments", "sin(x)"}});
}

TEST(ParseErrors, HelpWithTheHabitsOfOtherLanguages) {
  expect_errors({{"x**2", 2, "'**'", "^"},
                 {"a = b", 3, "'='", "=="},
                 {"a & b", 3, "'&'", "&&"},
                 {"a | b", 3, "'|'", "||"},
                 {"1 < t < 1.5", 7, "compares a comparison", "a < b && b < c"},
                 {"3 > 2 >= 1", 7, "compares a comparison", "&&"},
                 {"5 == 5 == 1", 8, "compares a comparison", "parentheses"},
                 {"a and b", 3, "operator is missing", "&&"},
                 {"a or b", 3, "operator is missing", "||"},
                 {"not a", 5, "operator is missing", "!"},
                 {"[a + b]", 1, "'['", "round"},
                 {"n!", 2, "'!'", "factorial"},
                 {"a % b", 3, "'%'", ""}});
}

TEST(ParseErrors, HelpWithDecimalCommas) {
  expect_errors({{"1,5", 2, "comma", "1.5"},
                 {"2*(1,25 + x)", 5, "comma", "1.25"},
                 {"a, b", 2, "comma", "arguments of a function"},
                 {"1,", 2, "comma", "arguments of a function"},
                 {"1.2.3", 4, "missing between '1.2' and '.3'", "one decimal point"}});
}

TEST(ParseErrors, HelpWithProductsThatWereNotWritten) {
  expect_errors({{"2x", 2, "missing between '2' and 'x'", "2*x"},
                 {"1 + 2 x", 7, "missing between '2' and 'x'", "2*x"},
                 {"2(x + 1)", 2, "missing between '2' and '('", "2*("},
                 {"(a)(b)", 4, "missing between ')' and '('", ")*("},
                 {"(a)b", 4, "missing between ')' and 'b'", ")*b"},
                 {"(a b)", 4, "missing between 'a' and 'b'", "a*b"}});
}

TEST(ParseErrors, HelpWithCharactersFromTextProcessors) {
  expect_errors({{"a \u2212 b", 3, "\u2212", "-"},
                 {"a \u2013 b", 3, "\u2013", "-"},
                 {"a\u00d7b", 2, "\u00d7", "*"},
                 {"a\u00b7b", 2, "\u00b7", "*"},
                 {"x\u00b2", 2, "\u00b2", "^2"},
                 {"a \u2264 b", 3, "\u2264", "<="},
                 {"a +\u00a0b", 4, "", "ordinary space"},
                 {"1 + \u03b1", 5, "'\u03b1'", "letters"},
                 {std::string("a\x01", 2), 2, "unprintable", ""},
                 {std::string("a\0b", 3), 2, "unprintable", ""}});
}

TEST(ParseErrors, SayThatANumberIsOutOfRange) {
  expect_errors({{"1e999", 1, "1e999 is out of range", "inf"}, {"x + 1e-999", 5, "out of range", ""}});
}

std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(ParseErrors, StopAtTwoHundredLevels) {
  struct Nesting {
    std::string opening{};
    std::string closing{};
  };
  const std::vector<Nesting> nestings{{"(", ")"}, {"-", ""}, {"!", ""}, {"2^", ""}, {"sin(", ")"}, {"1 + (", ")"}};
  for (const auto& [opening, closing] : nestings) {
    Graph graph;
    parsed(graph, repeated(opening, 200) + "x" + repeated(closing, 200));
    for (const int depth : {201, 100'000}) {
      const ParseError error = error_of(repeated(opening, depth) + "x" + repeated(closing, depth));
      EXPECT_NE(error.message.find("more than 200 levels"), std::string::npos) << opening << ": " << error.message;
      EXPECT_EQ(error.column, 1 + 201 * static_cast<int>(opening.size())) << opening;
    }
  }
}

TEST(ParseErrors, StopAtOneMebibyte) {
  Graph graph;
  std::string text(1U << 20U, ' ');
  text.back() = 'x';
  parsed(graph, text);
  text.push_back(' ');
  EXPECT_NE(error_of(text).message.find("1 MiB"), std::string::npos);
}

TEST(ParseErrors, NeverCrashOnRandomText) {
  const std::vector<std::string> pieces{"(",  ")", ",", "+", "-",   "*",  "/",         "^",   "<",    "<=",     "==",
                                        "&&", "!", "x", "1", "1.5", "e9", "piecewise", "max", "sin(", "\u2212", " "};
  Random random(7);
  int sound = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    const int length = below(random, 12);
    for (int i = 0; i < length; ++i) text += pieces[below(random, static_cast<int>(pieces.size()))];
    Graph graph;
    const auto outcome = parse(graph, text);
    if (const auto* error = std::get_if<ParseError>(&outcome)) {
      EXPECT_GE(error->column, 1) << text;
      EXPECT_LE(error->column, static_cast<int>(text.size()) + 1) << text;
      EXPECT_FALSE(error->message.empty()) << text;
    } else {
      ++sound;
    }
  }
  EXPECT_GT(sound, 100);
}

}  // namespace
}  // namespace salvo::expression
