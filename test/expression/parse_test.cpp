#include "expression/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "expression/formula_tools.hpp"

namespace salvo::expression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
  std::string text{};
  double expected = 0;
};

void expect_values(const std::vector<Case>& cases) {
  for (const auto& [text, expected] : cases) {
    const double value = evaluate(text);
    if (std::isfinite(expected)) {
      EXPECT_NEAR(value, expected, 1e-14 * std::abs(expected)) << text;
    } else {
      EXPECT_TRUE(is_same_number(value, expected)) << text << " gives " << value;
    }
  }
}

TEST(Parser, ReadsNumbersInEveryWriting) {
  expect_values({{"12", 12},
                 {"1.5", 1.5},
                 {"1e-3", 1e-3},
                 {"1E+2", 100},
                 {".5", 0.5},
                 {"5.", 5},
                 {"5.e2", 500},
                 {"inf", infinity},
                 {"-inf", -infinity},
                 {"nan", std::nan("")},
                 {"true", 1},
                 {"false", 0},
                 {"0.1", 0.1},
                 {"  7\t\r\n", 7},
                 {"4.9e-324", 4.9e-324}});
}

TEST(Parser, KnowsWhichOperatorBindsTighter) {
  expect_values({{"2^2^3", 256},
                 {"9*3^-2", 1},
                 {"-2^4", -16},
                 {"2^-2^2", 1.0 / 16},
                 {"(-2)^4", 16},
                 {"1 + 2 * 3", 7},
                 {"(1 + 2) * 3", 9},
                 {"10 - 4 - 3", 3},
                 {"24 / 4 / 2", 3},
                 {"24 / 4 * 2", 12},
                 {"2 - -3", 5},
                 {"2 * -3", -6},
                 {"--3", 3},
                 {"+-+3", -3},
                 {"!0 + 1", 2},
                 {"!2 == 0", 1},
                 {"-3 < 2", 1},
                 {"1 + 1 == 2", 1},
                 {"1 < 2 + 3", 1}});
}

TEST(Parser, GivesAndAndOrTheSameRank) {
  expect_values({{"true || false && false", 0},
                 {"true || (false && false)", 1},
                 {"false && true || true", 1},
                 {"false && (true || true)", 0}});
}

TEST(Parser, ComparesTruthValuesInParenthesesOnly) {
  expect_values({{"(3 > 2) > 1", 0},
                 {"(5 == 5) == 1", 1},
                 {"1 < 2 && 2 < 3", 1},
                 {"2 >= 2", 1},
                 {"2 > 2", 0},
                 {"2 <= 1", 0},
                 {"2 != 1", 1}});
}

TEST(Parser, NotesWhereAndAndOrMeetWithoutParentheses) {
  const auto mixed = [](const char* text) {
    Graph graph;
    return std::get<Formula>(parse(graph, text)).mixed_logic;
  };
  EXPECT_EQ(mixed("a || b && c"), 8);
  EXPECT_EQ(mixed("max(1, a && b || c)"), 15);
  EXPECT_EQ(mixed("a && b && c"), 0);
  EXPECT_EQ(mixed("a || (b && c)"), 0);
  EXPECT_EQ(mixed("(a && b) || (c && d)"), 0);
}

TEST(Parser, TakesTruthForNumbersAndNumbersForTruth) {
  expect_values({{"3 + true", 4},
                 {"piecewise(1, -0.1, 0)", 1},
                 {"piecewise(1, 0.0, 0)", 0},
                 {"!!2", 1},
                 {"-!!2", -1},
                 {"true ^ true", 1},
                 {"true == 2", 0},
                 {"2 * false + true", 1}});
}

TEST(Parser, KnowsEveryFunction) {
  expect_values({{"log(exp(2))", 2},
                 {"ln(exp(2))", 2},
                 {"log(81, 3)", 4},
                 {"log2(8)", 3},
                 {"log10(1000)", 3},
                 {"log(0)", -infinity},
                 {"sqrt(16)", 4},
                 {"pow(2, 10)", 1024},
                 {"abs(-4)", 4},
                 {"sign(-3)", -1},
                 {"sign(0)", 0},
                 {"sign(3)", 1},
                 {"min(4)", 4},
                 {"min(3, 1, 2)", 1},
                 {"max(3, 1, 2)", 3},
                 {"piecewise(1, false, 2, true, 3)", 2},
                 {"piecewise(1, false, 2, false, 3)", 3}});
}

TEST(Parser, TakesWholePowersOutOfLogarithmsExactly) {
  EXPECT_EQ(evaluate("log(1000, 10)"), 3.0);
  EXPECT_EQ(evaluate("log(8, 2)"), 3.0);
}

// Expected values come from the exponential forms and from the inverse functions, not from the definitions in use.
TEST(Parser, KnowsTheTrigonometricFunctions) {
  const double e = std::numbers::e;
  const double pi = std::numbers::pi;
  const double sinh1 = (e - 1 / e) / 2;
  const double cosh1 = (e + 1 / e) / 2;
  expect_values({{"sin(0.5)^2 + cos(0.5)^2", 1},
                 {"tan(0.5)*cot(0.5)", 1},
                 {"sec(0.5)*cos(0.5)", 1},
                 {"csc(0.5)*sin(0.5)", 1},
                 {"sin(arcsin(0.3))", 0.3},
                 {"cos(arccos(0.3))", 0.3},
                 {"tan(arctan(0.3))", 0.3},
                 {"cot(arccot(0.3))", 0.3},
                 {"sec(arcsec(1.3))", 1.3},
                 {"csc(arccsc(1.3))", 1.3},
                 {"arccot(0)", pi / 2},
                 {"arcsec(2)", pi / 3},
                 {"arccsc(2)", pi / 6},
                 {"sinh(1)", sinh1},
                 {"cosh(1)", cosh1},
                 {"tanh(1)", sinh1 / cosh1},
                 {"coth(1)", cosh1 / sinh1},
                 {"sech(1)", 1 / cosh1},
                 {"csch(1)", 1 / sinh1},
                 {"arcsinh(1)", std::log(1 + std::sqrt(2))},
                 {"arccosh(2)", std::log(2 + std::sqrt(3))},
                 {"arctanh(0.5)", std::log(3) / 2},
                 {"arccoth(2)", std::log(3) / 2},
                 {"arcsech(0.5)", std::log(2 + std::sqrt(3))},
                 {"arccsch(1)", std::log(1 + std::sqrt(2))},
                 {"arccoth(1)", infinity}});
}

TEST(Parser, AcceptsTheShortNamesOfInverseFunctions) {
  Graph graph;
  for (const std::string name : {"sin", "cos", "tan", "sinh", "cosh", "tanh"}) {
    EXPECT_EQ(parsed(graph, "a" + name + "(x)"), parsed(graph, "arc" + name + "(x)")) << name;
  }
}

TEST(Parser, ReportsEachNameOnceWhereItIsFirstUsed) {
  Graph graph;
  const auto outcome = parse(graph, "k1*x + log(time)*k1 - e*pi*true");
  const auto& formula = std::get<Formula>(outcome);
  std::vector<std::pair<std::string, int>> uses;
  for (const auto& [name, column] : formula.names) uses.emplace_back(name, column);
  const std::vector<std::pair<std::string, int>> expected{{"k1", 1}, {"x", 4}, {"time", 12}, {"e", 23}, {"pi", 25}};
  EXPECT_EQ(uses, expected);
}

TEST(Parser, LeavesLettersAndConstantsOfOthersToTheCaller) {
  EXPECT_EQ(evaluate("e + pi + t + E1", {{"e", 1}, {"pi", 2}, {"t", 3}, {"E1", 4}}), 10);
  EXPECT_EQ(evaluate("Sin + TRUE", {{"Sin", 1}, {"TRUE", 2}}), 3);
}

TEST(Parser, KnowsWhichWordsAreItsOwn) {
  for (const char* word : {"sin", "arccoth", "asinh", "piecewise", "min", "ln", "true", "false", "inf", "nan"}) {
    EXPECT_TRUE(is_reserved(word)) << word;
  }
  for (const char* word : {"time", "t", "e", "pi", "Sin", "True", "INF", "k1", ""}) {
    EXPECT_FALSE(is_reserved(word)) << word;
  }
}

TEST(Parser, KnowsWhatMayBeAName) {
  for (const char* text : {"x", "_", "k_1", "A9", "sin"}) EXPECT_TRUE(is_name(text)) << text;
  for (const char* text : {"", "1x", "a-b", "a b", "a.b", "\u03b1"}) EXPECT_FALSE(is_name(text)) << text;
}

}  // namespace
}  // namespace salvo::expression
