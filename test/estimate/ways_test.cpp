#include <numbers>

#include "estimate/ways/way.hpp"
#include "laid_out.hpp"
#include "random_restart_way.hpp"

namespace salvo::estimate {
namespace {

// cos(3 t), seen often. From a guess of 1 a descent of w ends in another minimum.
model::Problem fast_oscillation() {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::within(0.6, 0.1, 6)).observable("seen", "x + 0*v", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j <= 60; ++j) builder.measure(0, 0, 0.2 * j, std::cos(3 * 0.2 * j));
  return builder.build();
}

TEST(AWayOfOnesOwn, IsAFileAndARow) {
  const Strategy strategy{
      {"a test", {}, {{.way = &trajectory, .until = 0.5}, {.way = &test::random_restart, .rounds = 40}}}};
  const test::Estimated fit(fast_oscillation(), {}, strategy);
  EXPECT_EQ(fit.estimation.plan.situation, "a test");
  ASSERT_GE(fit.estimation.tried.size(), 2U);
  EXPECT_EQ(fit.estimation.tried[0].way, &trajectory);
  EXPECT_EQ(fit.estimation.tried[1].way, &test::random_restart);
  EXPECT_EQ(fit.answer().way, "random restart");
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_NEAR(fit.value("w"), 3, 1e-5);
}

// Rounds end with the first answer that leaves nothing to doubt.
TEST(AWayOfOnesOwn, IsTriedNoLongerThanItHasTo) {
  const Strategy strategy{{"a test", {}, {{.way = &trajectory}, {.way = &test::random_restart, .rounds = 40}}}};
  const test::Estimated fit(test::seen_decay(), {}, strategy);
  EXPECT_EQ(fit.estimation.tried.size(), 1U);
  EXPECT_EQ(fit.answer().way, "trajectory");
}

}  // namespace
}  // namespace salvo::estimate
