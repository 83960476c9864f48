#include "compile/delays.hpp"

#include <gtest/gtest.h>

#include "compile/compiled_model.hpp"
#include "compile/delay_compiler.hpp"
#include "compile/earlier_values.hpp"
#include "helpers/problems.hpp"

namespace salvo::compile::delays_tests {
namespace {

model::Problem with(const test::Equations& equations) {
  test::Builder builder(equations);
  builder.parameter("tau", test::estimated(1)).parameter("s", test::estimated(0.5)).parameter("c", 2.0);
  builder.observable("first", equations[0].first, "1").experiment("a", {"1", "1"});
  return builder.build();
}

TEST(DelayedFormulas, FindEqualPairsOnce) {
  const auto model = compile(with({{"x", "-delay(x, tau)*y + delay(x*y, tau)"}, {"y", "delay(x, tau) - delay(y, c)"}}));
  ASSERT_TRUE(model->looks_back());
  EXPECT_EQ(model->delays->count(), 3);  // x and y by tau, y by c
  EXPECT_EQ(model->delays->texts.size(), 2u);
  EXPECT_EQ(model->observed(), 5);
}

TEST(DelayedFormulas, AddUpNestedDelays) {
  const auto model = compile(with({{"x", "delay(delay(x, tau), s)"}, {"y", "-y"}}));
  ASSERT_EQ(model->delays->count(), 1);
  const double p[] = {1, 0.5, 0, 0};
  EXPECT_EQ(model->delays_at(p, 1), std::vector<double>{1.5});
}

TEST(DelayedFormulas, HaveNoPastWhereEverythingStandsStill) {
  const model::Problem problem = without_past(with({{"x", "1 - delay(x*y, tau)"}, {"y", "-y"}}));
  EXPECT_FALSE(compile(problem)->looks_back());
}

TEST(DelayedFormulas, ReadAKnownPastInPlaceOfStates) {
  const model::Problem problem = with({{"x", "1 - delay(x, tau)"}, {"y", "-delay(y, tau)"}});
  const std::vector<double> time{0, 1};
  const auto curve = std::make_shared<model::InputCurve>(model::Interpolation::linear, time, time);
  const std::vector<KnownPast> known{{0, model::Interpolation::linear, {curve}}};
  const EarlierValues earlier = with_earlier_values(problem, known);
  EXPECT_EQ(earlier.states.size(), 1u);
  EXPECT_EQ(earlier.delay_of_input, (std::vector<int>{-1, 0}));
}

}  // namespace
}  // namespace salvo::compile::delays_tests
