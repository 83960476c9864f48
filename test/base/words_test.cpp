#include "base/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace salvo {
namespace {

const std::vector<std::string> methods{"scalar", "gauss-newton", "lagrangian", "auto"};

TEST(NearestWord, ForgivesASlipOfThePen) {
  EXPECT_EQ(nearest_word("scalr", methods), "scalar");            // a letter is missing
  EXPECT_EQ(nearest_word("lagrangiann", methods), "lagrangian");  // one too many
  EXPECT_EQ(nearest_word("auot", methods), "auto");               // two are swapped
  EXPECT_EQ(nearest_word("gauss_newton", methods), "gauss-newton");
}

TEST(NearestWord, PrefersTheNearest) {
  const std::vector<std::string> known{"dopri8", "dopri5", "rk4"};
  EXPECT_EQ(nearest_word("dopri5", known), "dopri5");
  EXPECT_EQ(nearest_word("dopr5", known), "dopri5");
}

TEST(NearestWord, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest_word("simplex", methods), std::nullopt);
  EXPECT_EQ(nearest_word("k", std::vector<std::string>{"x", "yz"}), std::nullopt);  // every letter would change
  EXPECT_EQ(nearest_word("a", std::vector<std::string>{}), std::nullopt);
  EXPECT_EQ(nearest_word(std::string(10'000, 'a'), std::vector<std::string>{std::string(10'000, 'a')}), std::nullopt);
}

TEST(HintForUnknown, SuggestsOrLists) {
  EXPECT_EQ(hint_for_unknown("scalr", methods), "did you mean 'scalar'?");
  EXPECT_EQ(hint_for_unknown("simplex", methods), "known: scalar, gauss-newton, lagrangian, auto");
  EXPECT_EQ(hint_for_unknown("simplex", std::vector<std::string>{}), "");
}

TEST(HintForUnknown, CutsALongList) {
  std::vector<std::string> many;
  for (int i = 10; i < 30; ++i) many.push_back("species" + std::to_string(i));
  const std::string hint = hint_for_unknown("k", many);
  EXPECT_NE(hint.find("species21 and 8 more"), std::string::npos) << hint;
  EXPECT_EQ(hint.find("species22"), std::string::npos) << hint;
}

TEST(NumberText, IsShort) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-2), "-2");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(-std::nan("")), "nan");
}

TEST(NumberText, ReadsBackAsTheSameNumber) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double value = random.normal() * std::pow(10.0, 600 * random.uniform() - 300);
    EXPECT_EQ(parse_number(number_text(value)), value);
  }
}

TEST(ParseNumber, ReadsWholeTextsOnly) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("+1e-3"), 1e-3);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* text : {"", "+", "+-1", "++1", "1,5", "1.5 ", " 1", "1x", "nan", "1e999", "abc", "0x10"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(HintForUnknown, NamesCharactersThatCannotBeSeen) {
  const std::vector<std::string> known{"time", "prey"};
  EXPECT_EQ(hint_for_unknown("time\u00a0", known), "it holds a character that is not visible: write 'time' again");
  EXPECT_EQ(hint_for_unknown("\ufefftime", known), "it holds a character that is not visible: write 'time' again");
  EXPECT_EQ(hint_for_unknown("tyme", known), "did you mean 'time'?");
}

TEST(Counted, KnowsThePlural) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(2, "quantity", "quantities"), "2 quantities");
}

TEST(AmountText, HasNoExponentWhereThingsAreCounted) {
  EXPECT_EQ(amount_text(16), "16");
  EXPECT_EQ(amount_text(34.271), "34.271");
  EXPECT_EQ(amount_text(99999.7), "100000");
  EXPECT_EQ(amount_text(199994), "199994");
}

TEST(Listed, TellsTheFirstOnesAndHowManyAreLeft) {
  const std::vector<std::string> words{"a", "b", "c", "d"};
  const std::span<const std::string> all(words);
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed(all.first(1)), "a");
  EXPECT_EQ(listed(all.first(2)), "a and b");
  EXPECT_EQ(listed(all), "a, b, c and d");
  EXPECT_EQ(listed(all, 2), "a, b and 2 others");
  EXPECT_EQ(listed(all, 3), "a, b, c and d");  // never "1 others", and "1 other" would save nothing
}

}  // namespace
}  // namespace salvo
