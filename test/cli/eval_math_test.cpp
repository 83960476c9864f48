#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

Outcome value_of(const std::string& formula) { return Folder().salvo("eval-math '" + formula + "'"); }

TEST(EvalMath, PrintsOneNumber) {
  EXPECT_EQ(value_of("3/2").out, "1.5\n");
  EXPECT_EQ(value_of("2 + 3 * 4").out, "14\n");
}

TEST(EvalMath, TakesAFormulaThatBeginsWithAMinus) {
  EXPECT_EQ(value_of("-2^2").out, "-4\n");
  EXPECT_EQ(value_of("-3").out, "-3\n");
  EXPECT_EQ(Folder().salvo("eval-math -- -3").out, "-3\n");
}

TEST(EvalMath, SpellsWhatIsNotFinite) {
  EXPECT_EQ(value_of("1/0").out, "inf\n");
  EXPECT_EQ(value_of("log(0)").out, "-inf\n");
  EXPECT_EQ(value_of("0/0").out, "nan\n");
}

TEST(EvalMath, RefusesAComparisonOfAComparisonAndWarnsOfAndBesideOr) {
  EXPECT_EQ(value_of("1 < 2 < 3").code, 2);
  const Outcome mixed = value_of("1 || 0 && 0");
  EXPECT_EQ(mixed.out, "0\n");
  EXPECT_NE(mixed.err.find("same rank"), std::string::npos) << mixed.err;
  EXPECT_EQ(value_of("1 || (0 && 0)").err, "");
}

TEST(EvalMath, KnowsPiAndE) {
  EXPECT_DOUBLE_EQ(std::stod(value_of("pi").out), std::acos(-1.0));
  EXPECT_DOUBLE_EQ(std::stod(value_of("e*e").out), std::exp(2.0));
}

TEST(EvalMath, SaysInWhichColumnAFormulaIsWrong) {
  const Outcome outcome = value_of("1 + (2");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("formula:1:"), std::string::npos);
}

TEST(EvalMath, DoesNotGuessTheValueOfAName) {
  const Outcome outcome = value_of("2*speed");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("formula:1:3: 'speed'"), std::string::npos);
}

TEST(EvalMath, WantsAFormula) { EXPECT_EQ(Folder().salvo("eval-math").code, 1); }

}  // namespace
}  // namespace salvo::test
