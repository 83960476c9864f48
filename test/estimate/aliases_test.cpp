#include "estimate/ways/aliases.hpp"

#include <numbers>

#include "estimate/ways/image.hpp"
#include "laid_out.hpp"

// Oscillations that are sampled at few times, and the faster and slower ones that say the same there.
namespace salvo::estimate {
namespace {

using std::numbers::pi;

std::vector<Image> aliases_at(const model::Problem& problem, const nlp::Point& q) {
  const Workspace workspace(problem, {});
  return aliases_of(*workspace.unbroken(), q, {}, workspace.rules().answer, {});
}

// cos(w t), seen at t = 1, 2, ...
model::Problem cosine(double guess, model::Scale scale = model::Scale::lin) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::within(guess, 0.01, 20, scale)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j <= 14; ++j) builder.measure(0, 0, j, std::cos(1.1 * j));
  return builder.build();
}

// At whole times cos(w t) is cos((2 pi - w) t) and cos((2 pi + w) t).
TEST(Aliases, OfACosineAreThoseThatTheSamplingDoesNotTellApart) {
  const std::vector<Image> slow = aliases_at(cosine(1.1), {1.1});
  ASSERT_GE(slow.size(), 2U);
  EXPECT_NEAR(slow[0].q[0], 2 * pi - 1.1, 1e-3);
  EXPECT_NEAR(slow[1].q[0], 2 * pi + 1.1, 1e-3);
  const std::vector<Image> fast = aliases_at(cosine(5, model::Scale::log), {std::log(2 * pi - 1.1)});
  ASSERT_GE(fast.size(), 2U);
  EXPECT_NEAR(std::exp(fast[0].q[0]), 1.1, 1e-3);  // the slowest comes first
  EXPECT_NEAR(std::exp(fast[1].q[0]), 2 * pi + 1.1, 5e-3);
}

// A frequency that enters by its square, and an initial velocity that goes along.
TEST(Aliases, ChangeEveryQuantityByItsOwnPower) {
  test::Builder builder({{"x", "v"}, {"v", "-k*x"}});
  builder.parameter("k", test::estimated(1.21)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("1"), test::estimated(0.55)});
  for (int j = 1; j <= 14; ++j) builder.measure(0, 0, j, std::cos(1.1 * j) + 0.5 * std::sin(1.1 * j));
  const std::vector<Image> images = aliases_at(builder.build(), {1.21, 0.55});
  ASSERT_FALSE(images.empty());
  const double pace = (2 * pi + 1.1) / 1.1;  // run backwards, a sine has the other sign
  EXPECT_NEAR(images[0].q[0], 1.21 * pace * pace, 1e-2);
  EXPECT_NEAR(images[0].q[1], 0.55 * pace, 1e-3);
  EXPECT_EQ(images[0].words, "everything runs 6.71 times as fast");
}

TEST(Aliases, AreNoneWhereNothingTurns) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.3)).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 10; ++j) builder.measure(0, 0, j, std::exp(-0.3 * j));
  EXPECT_TRUE(aliases_at(builder.build(), {0.3}).empty());
}

// The pace of a clock is not free, and neither is that of a mean: nothing that is estimated would change it.
TEST(Aliases, AreNoneWhereNoQuantitySetsThePace) {
  test::Builder builder(test::Equations{{"x", "a*cos(1.1*t)"}});
  builder.parameter("a", test::estimated(1)).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("0")});
  for (int j = 1; j <= 10; ++j) builder.measure(0, 0, j, std::sin(1.1 * j) / 1.1);
  EXPECT_TRUE(aliases_at(builder.build(), {1}).empty());
}

// Times without a common measure tell all frequencies apart.
TEST(Aliases, AreNoneForUnevenTimes) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::estimated(1.1)).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j <= 14; ++j)
    builder.measure(0, 0, j + 0.4 * std::sin(j * j), std::cos(1.1 * (j + 0.4 * std::sin(j * j))));
  EXPECT_TRUE(aliases_at(builder.build(), {1.1}).empty());
}

// Whichever of them a guess stands beside, the slowest is the answer, and others are told.
TEST(Aliases, LoseAgainstTheSlowestFromTheirOwnGuessToo) {
  for (const double guess : {1.4, 5.0}) {
    const test::Estimated fit(cosine(guess));
    EXPECT_TRUE(is_proved(fit.answer()));
    EXPECT_NEAR(fit.value("w"), 1.1, 1e-4) << "from " << guess;
    ASSERT_FALSE(fit.estimation.others.empty());
    EXPECT_NEAR(fit.values_of(fit.estimation.others[0].estimates).at("w"), 2 * pi - 1.1, 1e-3);
    EXPECT_GT(fit.estimation.others[0].motion, 2);
  }
}

}  // namespace
}  // namespace salvo::estimate
