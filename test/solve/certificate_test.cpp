#include "solve/certificate/certificate.hpp"

#include <gtest/gtest.h>

#include "regression.hpp"

namespace salvo::solve {
namespace {

struct Certified {
  Certificate certificate{};
  nlp::Point lower{};
};
Certified certified(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request = {},
                    const Rules& rules = {}) {
  Certified out;
  out.certificate = certify(problem, q, request, 1e-8, rules, {}, out.lower);
  return out;
}

TEST(Certificate, HoldsAtAMinimum) {
  const Certified at = certified(test::rosenbrock(), {1, 1});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_LE(at.certificate.gain.value(), 1e-6);
  EXPECT_EQ(at.certificate.rank, 2);
  EXPECT_TRUE(at.certificate.probes.empty());
  EXPECT_TRUE(at.lower.empty());
}

TEST(Certificate, ProvesNothingOnceItsWorkIsSpentOrTheRunIsToStop) {
  Ledger ledger(1);
  ledger.charge(2);
  nlp::Point lower;
  const Certificate spent = certify(test::rosenbrock(), {1, 1}, {}, 1e-8, {}, {.share = {&ledger, 1}}, lower);
  EXPECT_EQ(spent.missing, "the work that was allowed was spent before the answer was proved");
  EXPECT_TRUE(spent.gain) << "that was measured before";
  EXPECT_FALSE(spent.rank);
  EXPECT_FALSE(spent.contraction);
  const RunContext interrupted{.interrupted = [] { return true; }};
  EXPECT_EQ(certify(test::rosenbrock(), {1, 1}, {}, 1e-8, {}, interrupted, lower).missing,
            "the run was told to stop before the answer was proved");
}

TEST(Certificate, IsTheSameForVeryManyUnknownsWithoutTheirSpectrum) {
  const Rules none_are_few{.certificate = {.few_unknowns = 0}};
  const Certified by_spectrum = certified(test::rosenbrock(), {1, 1});
  const Certified by_triangle = certified(test::rosenbrock(), {1, 1}, {}, none_are_few);
  EXPECT_TRUE(by_triangle.certificate.holds()) << by_triangle.certificate.missing;
  EXPECT_EQ(by_triangle.certificate.rank, 2);
  EXPECT_NEAR(by_triangle.certificate.gain.value(), by_spectrum.certificate.gain.value(), 1e-12);
  EXPECT_NEAR(by_triangle.certificate.contraction.value(), by_spectrum.certificate.contraction.value(), 1e-3);
  EXPECT_FALSE(certified(test::rosenbrock(1), {0, 0}, {}, none_are_few).certificate.holds());
  EXPECT_FALSE(certified(test::rosenbrock(), {1 + 1e-2, 1 + 2e-2}, {}, none_are_few).certificate.holds());
}

// At (0, 0) one full step leads to x = 1, or to what is left of it: the objective is 1/2 there and 0 at the minimum.
TEST(Certificate, SaysWhatAFurtherStepWouldGain) {
  const test::Regression problem = test::rosenbrock(1);
  const Certified at = certified(problem, {0, 0});
  EXPECT_FALSE(at.certificate.holds());
  EXPECT_NE(at.certificate.missing.find("a further step would gain"), std::string::npos) << at.certificate.missing;
  ASSERT_FALSE(at.lower.empty());
  EXPECT_LT(problem.objective(at.lower), 0.5);
  EXPECT_NEAR(at.certificate.gain.value(), 0.5 - problem.objective(at.lower), 1e-12);
}

TEST(Certificate, HoldsWithinItsGainOfAMinimum) {
  EXPECT_TRUE(certified(test::rosenbrock(), {1 + 1e-4, 1 + 2e-4}).certificate.holds());
  EXPECT_FALSE(certified(test::rosenbrock(), {1 + 1e-2, 1 + 2e-2}).certificate.holds());
}

// A valley along y = x^2, so narrow that a ten-thousandth of the full step from (0, 0) lies high on its wall. The
// objective falls along the floor all the same: by x for short steps.
TEST(Certificate, DoesNotHoldInABentValleyWhoseFloorFalls) {
  const test::Regression problem = test::rosenbrock(3e7);
  const Certified at = certified(problem, {0, 0});
  EXPECT_FALSE(at.certificate.holds());
  ASSERT_FALSE(at.lower.empty());
  EXPECT_LT(problem.objective(at.lower), 0.5 - 1e-6);
}

// (x + 1, c x^2 + x - 1) at 1e-3 with J'J = 2, H = 2 - 2c: the information promises g^2 / 4, the Hessian
// g^2 / 2H with g = H x.
TEST(Certificate, MeasuresItsGainByTheHessianWhereTheInformationPromisesTooMuch) {
  const double c = -30;
  const test::Regression problem(1, [&](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] + 1, c * q[0] * q[0] + q[0] - 1}, .J = {{1}, {2 * c * q[0] + 1}}};
  });
  const double H = 2 - 2 * c;
  const double x = 1.5e-4;
  ASSERT_GT(std::pow(H * x, 2) / 4, 1e-6);
  ASSERT_LT(0.5 * H * x * x, 1e-6);
  const Certified at = certified(problem, {x});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_NEAR(at.certificate.gain.value(), 0.5 * H * x * x, 0.1 * 0.5 * H * x * x);
}

// A gradient that is an error promises 5e-5; of that a billionth is found.
TEST(Certificate, HoldsWhereGoingThereGainsNextToNothing) {
  const test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {1e-2}, .J = {{1}}, .objective = 5 + 1e-9 * q[0]}; });
  const Certified at = certified(problem, {0});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_GT(at.certificate.gain.value(), 0);
  EXPECT_LE(at.certificate.gain.value(), 1e-6);
  EXPECT_TRUE(at.lower.empty());
}

// The objective jumps by 1 where x > 0, close to which it falls. The step of both unknowns meets the jump, that of y
// alone gains its whole 1/2.
TEST(Certificate, DoesNotHoldBesideAJumpAlongWhichTheObjectiveFalls) {
  const test::Regression problem(2, [](const nlp::Point& q) {
    const double r[] = {q[0] - 1, q[1] - 1};
    return test::Residuals{
        .r = {r[0], r[1]}, .J = {{1, 0}, {0, 1}}, .objective = (r[0] * r[0] + r[1] * r[1]) / 2 + (q[0] > 0 ? 1 : 0)};
  });
  const Certified beside = certified(problem, {0, 0});
  EXPECT_FALSE(beside.certificate.holds());
  EXPECT_NEAR(beside.certificate.gain.value(), 0.5, 1e-12);
  EXPECT_EQ(beside.lower, (nlp::Point{0, 1}));
  EXPECT_TRUE(certified(problem, {0, 1}).certificate.holds()) << "no way leads down from there";
}

TEST(Certificate, HoldsOnABoundThatThePointIsPressedAgainst) {
  test::Regression problem = test::rosenbrock();
  problem.bound(0, -2, 0.5);
  problem.failing([](const nlp::Point& q) { return q[0] > 0.5; });
  EXPECT_TRUE(certified(problem, {0.5, 0.25}).certificate.holds());
}

TEST(Certificate, DoesNotHoldOnAnEdgeBeyondWhichNothingCanBeComputed) {
  test::Regression problem = test::rosenbrock();
  problem.failing([](const nlp::Point& q) { return q[0] > 0.5; });
  EXPECT_EQ(certified(problem, {0.5, 0.25}).certificate.missing,
            "the objective falls towards values at which the model cannot be computed: theta is out of reach");
}

// r = p^2 - 1 at p = 0: the gradient is zero, and the minima are at -1 and 1.
TEST(Certificate, LeavesASaddle) {
  const test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {q[0] * q[0] - 1}, .J = {{2 * q[0]}}}; });
  const Certified at = certified(problem, {0});
  EXPECT_FALSE(at.certificate.holds());
  ASSERT_EQ(at.certificate.probes.size(), 1u);
  EXPECT_EQ(at.certificate.probes[0].verdict, Probed::lower);
  EXPECT_NEAR(at.certificate.probes[0].change, -0.5, 1e-12);
  ASSERT_EQ(at.lower.size(), 1u);
  EXPECT_NEAR(std::abs(at.lower[0]), 1, 1e-12);
  EXPECT_LT(problem.objective(at.lower), problem.objective({0}));
}

TEST(Certificate, LeavesASaddleOfSeveralUnknowns) {
  const test::Regression problem(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] * q[0] - 0.25, 3 * (q[1] - 2)}, .J = {{2 * q[0], 0}, {0, 3}}};
  });
  const Certified at = certified(problem, {0, 2});
  EXPECT_FALSE(at.certificate.holds());
  EXPECT_EQ(at.certificate.rank, 1);
  ASSERT_EQ(at.lower.size(), 2u);
  EXPECT_LT(problem.objective(at.lower), problem.objective({0, 2}) - 1e-4);
  EXPECT_NEAR(at.lower[1], 2, 1e-12);
}

// p q = 1 from (0, 0): nothing changes along p alone or q alone.
TEST(Certificate, LeavesAProductOfTwoUnknownsAtZero) {
  const test::Regression problem(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] * q[1] - 1}, .J = {{q[1], q[0]}}};
  });
  const Certified at = certified(problem, {0, 0});
  EXPECT_FALSE(at.certificate.holds());
  ASSERT_EQ(at.lower.size(), 2u);
  EXPECT_LT(problem.objective(at.lower), problem.objective({0, 0}) - 1e-4);
}

// Of a product of three, second derivatives vanish as well.
TEST(Certificate, LeavesAProductOfThreeUnknownsAtZero) {
  const test::Regression problem(3, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] * q[1] * q[2] - 1}, .J = {{q[1] * q[2], q[0] * q[2], q[0] * q[1]}}};
  });
  EXPECT_FALSE(certified(problem, {0, 0, 0}).certificate.holds());
}

// Minima at -0.01 and 0.01, lower by 5e-5: at 0.03 the objective is higher already.
TEST(Certificate, LeavesASaddleBetweenMinimaThatAreClose) {
  const test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {100 * (q[0] * q[0] - 1e-4)}, .J = {{200 * q[0]}}}; });
  const Certified at = certified(problem, {0});
  EXPECT_FALSE(at.certificate.holds());
  ASSERT_EQ(at.lower.size(), 1u);
  EXPECT_NEAR(std::abs(at.lower[0]), 0.01, 1e-12);
}

// |u| - 0.92 u at u = 2.3e-5 with the information of what lies above the corner: a step by it covers a twelfth of the
// way and promises 7e-8, while 1.8e-6 is to be had.
TEST(Certificate, LooksBeyondShortStepsTowardsACorner) {
  const test::Regression problem(1, [](const nlp::Point& q) {
    const double rounded = std::sqrt(q[0] * q[0] + 1e-16);
    const double large = 1e4;
    return test::Residuals{.r = {q[0] / std::sqrt(rounded), large},
                           .J = {{1 / std::sqrt(rounded)}, {-0.92 / large}},
                           .objective = rounded - 0.92 * q[0]};
  });
  EXPECT_FALSE(certified(problem, {2.3e-5}, {.smoothing = 1e-8}).certificate.holds());
  EXPECT_TRUE(certified(problem, {2.3e-8}, {.smoothing = 1e-8}).certificate.holds());
}

// Rounding that has grown along a trajectory: another error for every last digit.
TEST(Certificate, DoesNotHoldWhereTheLeastChangesMatter) {
  const auto with_error = [](double size) {
    return test::Regression(1, [size](const nlp::Point& q) {
      const double r = q[0] - 1;
      return test::Residuals{.r = {r}, .J = {{1}}, .objective = 0.5 * r * r + size * std::sin(2e15 * r)};
    });
  };
  const Certified lost = certified(with_error(1), {1});
  EXPECT_FALSE(lost.certificate.holds());
  EXPECT_FALSE(lost.certificate.is_resolved);
  const Certified blurred = certified(with_error(1e-3), {1});
  EXPECT_TRUE(blurred.certificate.holds()) << blurred.certificate.missing;
  EXPECT_GT(blurred.certificate.resolution.value(), 1e-4);
}

// A fit that chose its answer among many errors stands where most of those beside it are small: the largest tells. A
// jump on one side alone is none.
TEST(Certificate, MeasuresErrorsByTheLargestOfThem) {
  const auto beside = [](double on_both, double ahead) {
    return test::Regression(1, [=](const nlp::Point& q) {
      const double r = q[0] - 1;
      const double error = r == 0 ? 0 : r > 2e-15 ? ahead : on_both;
      return test::Residuals{.r = {r}, .J = {{1}}, .objective = 0.5 * r * r + error};
    });
  };
  EXPECT_FALSE(certified(beside(0.05, 1), {1}).certificate.is_resolved);
  EXPECT_TRUE(certified(beside(0.05, 0.05), {1}).certificate.is_resolved);
  EXPECT_TRUE(certified(beside(0, 1), {1}).certificate.is_resolved);
}

// Of p_1 + p_2 only the sum is seen.
TEST(Certificate, HoldsAlongADirectionInWhichNothingChanges) {
  const test::Regression problem(3, [](const nlp::Point& q) {
    const double sum = q[0] + q[1];
    return test::Residuals{.r = {sum - 1.1, sum - 0.9, 2 * q[2]}, .J = {{1, 1, 0}, {1, 1, 0}, {0, 0, 2}}};
  });
  const Certified at = certified(problem, {0.3, 0.7, 0});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_EQ(at.certificate.rank, 2);
  ASSERT_EQ(at.certificate.probes.size(), 1u);
  const Probe& probe = at.certificate.probes[0];
  EXPECT_EQ(probe.verdict, Probed::constant);
  EXPECT_NEAR(probe.direction[0] + probe.direction[1], 0, 1e-12);
  EXPECT_NEAR(std::abs(probe.direction[0]), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(probe.direction[2], 0, 1e-12);
  EXPECT_TRUE(at.lower.empty());
}

// r = (p_1 - 1, p_2^2): no information of p_2 at 0, and yet the minimum is there.
TEST(Certificate, CountsADirectionThatRisesWithTheFourthPower) {
  const test::Regression problem(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] - 1, q[1] * q[1]}, .J = {{1, 0}, {0, 2 * q[1]}}};
  });
  const Certified at = certified(problem, {1, 0});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  ASSERT_EQ(at.certificate.probes.size(), 1u);
  EXPECT_EQ(at.certificate.probes[0].verdict, Probed::higher);
  EXPECT_NEAR(at.certificate.probes[0].change, 0.5, 1e-12);  // at a distance of one
  EXPECT_EQ(at.certificate.rank, 2);
}

TEST(Certificate, LooksNoFurtherThanTheBounds) {
  test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {q[0] * q[0] - 1}, .J = {{2 * q[0]}}}; });
  problem.bound(0, 0, 0.5);
  problem.failing([](const nlp::Point& q) { return q[0] < 0 || q[0] > 0.5; });
  const Certified at = certified(problem, {0});
  EXPECT_FALSE(at.certificate.holds());
  EXPECT_EQ(at.lower, nlp::Point{0.5});
}

TEST(Certificate, ProbesInTheUnitsOfTheUnknowns) {
  test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {1e6 * q[0] * q[0] - 1}, .J = {{2e6 * q[0]}}}; });
  problem.sized({1e-3});
  EXPECT_NEAR(std::abs(certified(problem, {0}).lower.at(0)), 1e-3, 1e-15);
}

TEST(Certificate, SaysWhyAPointCannotBeEvaluated) {
  test::Regression problem = test::rosenbrock();
  problem.failing([](const nlp::Point&) { return true; });
  const Certificate certificate = certified(problem, {1, 1}).certificate;
  EXPECT_EQ(certificate.missing, "theta is out of reach");
  EXPECT_FALSE(certificate.gain || certificate.resolution || certificate.contraction || certificate.rank);
}

// (x + 1, c x^2 + x - 1) with c = 2 has H = -2 at 0, a maximum, although J'J = 2 there.
TEST(Certificate, DoesNotHoldAtAMaximumThatTheInformationTakesForAMinimum) {
  const test::Regression problem(1, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] + 1, 2 * q[0] * q[0] + q[0] - 1}, .J = {{1}, {4 * q[0] + 1}}};
  });
  ASSERT_LT(problem.objective({0.01}), problem.objective({0}));
  ASSERT_LT(problem.objective({-0.01}), problem.objective({0}));
  EXPECT_FALSE(certified(problem, {0}).certificate.holds());
  EXPECT_FALSE(certified(problem, {1e-4}).certificate.holds());
}

TEST(Probed, HasAWordForEveryVerdict) {
  EXPECT_EQ(to_string(Probed::constant), "constant");
  EXPECT_EQ(to_string(Probed::higher), "higher");
  EXPECT_EQ(to_string(Probed::lower), "lower");
}

}  // namespace
}  // namespace salvo::solve
