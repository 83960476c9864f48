#include "solve/certificate/restricted_problem.hpp"

#include <gtest/gtest.h>

#include "regression.hpp"

namespace salvo::solve {
namespace {

// |q - (2, 1)|^2 / 2
test::Regression distance() {
  return {2, [](const nlp::Point& q) { return test::Residuals{.r = {q[0] - 2, q[1] - 1}, .J = {{1, 0}, {0, 1}}}; }};
}
// A row c with its gradient.
nlp::Constraints row(double c, const std::vector<double>& gradient, bool is_equality) {
  nlp::Constraints out{.c = {c}, .equality = {is_equality}, .by_theta = Matrix(1, 2)};
  for (int k = 0; k < 2; ++k) out.by_theta(0, k) = gradient[k];
  return out;
}
// q0 + q1 <= most, or equal to it.
auto sum_at_most(double most, bool is_equality = false) {
  return [=](const nlp::Point& q) { return row(q[0] + q[1] - most, {1, 1}, is_equality); };
}
// q0^2 + q1^2 = 1
nlp::Constraints on_circle(const nlp::Point& q) {
  return row(q[0] * q[0] + q[1] * q[1] - 1, {2 * q[0], 2 * q[1]}, true);
}

struct CertifiedWithin {
  Certificate certificate{};
  nlp::Point lower{};
};
CertifiedWithin certified_within(const nlp::Problem& problem, const nlp::Point& q, const IsAllowed& is_allowed = {}) {
  CertifiedWithin out;
  out.certificate = certify_restricted(problem, q, {}, 1e-8, {}, is_allowed, {}, out.lower);
  return out;
}

TEST(RestrictedCertificate, IsThatOfTheWholeProblemWhereNoConstraintIsMet) {
  const CertifiedWithin at = certified_within(distance().constrained(sum_at_most(60)), {2, 1});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_EQ(at.certificate.rank, 2);
  EXPECT_FALSE(certified_within(distance().constrained(sum_at_most(60)), {1, 1}).certificate.holds());
}

TEST(RestrictedCertificate, HoldsAtAMinimumThatAConstraintMakes) {
  for (const bool is_equality : {false, true}) {
    const CertifiedWithin at = certified_within(distance().constrained(sum_at_most(2, is_equality)), {1.5, 0.5});
    EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
    EXPECT_LE(at.certificate.gain.value(), 1e-12);
    EXPECT_EQ(at.certificate.rank, 2) << "one direction by the rows, one by the constraint";
  }
}

TEST(RestrictedCertificate, SeesASlopeAlongAConstraint) {
  const CertifiedWithin at = certified_within(distance().constrained(sum_at_most(2)), {0.5, 1.5});
  EXPECT_FALSE(at.certificate.holds());
  EXPECT_NEAR(at.certificate.gain.value(), 1, 1e-9);
  ASSERT_EQ(at.lower.size(), 2U);
  EXPECT_NEAR(at.lower[0] + at.lower[1], 2, 1e-9);
}

// The objective falls away from the constraint: its multiplier has the wrong sign.
TEST(RestrictedCertificate, LetsGoOfAConstraintThatNothingPushesAgainst) {
  const CertifiedWithin at = certified_within(distance().constrained(sum_at_most(4)), {2.5, 1.5});
  EXPECT_FALSE(at.certificate.holds());
  ASSERT_EQ(at.lower.size(), 2U);
  EXPECT_LT(at.lower[0] + at.lower[1], 4);
  EXPECT_FALSE(certified_within(distance().constrained(sum_at_most(4, true)), {2.5, 1.5}).lower.size() == 2)
      << "an equality holds on both sides";
}

// On a circle the nearest point to (2, 1) is a minimum, and the one opposite is a maximum that has no slope.
TEST(RestrictedCertificate, FollowsConstraintsThatBend) {
  const double length = std::sqrt(5);
  const CertifiedWithin nearest = certified_within(distance().constrained(on_circle), {2 / length, 1 / length});
  EXPECT_TRUE(nearest.certificate.holds()) << nearest.certificate.missing;
  const CertifiedWithin opposite = certified_within(distance().constrained(on_circle), {-2 / length, -1 / length});
  EXPECT_FALSE(opposite.certificate.holds());
  ASSERT_EQ(opposite.lower.size(), 2U);
  EXPECT_NEAR(std::hypot(opposite.lower[0], opposite.lower[1]), 1, 1e-9);
}

// Nothing is proved either, since the objective falls towards what is not allowed.
TEST(RestrictedCertificate, DoesNotCountWhatIsNotAllowed) {
  const CertifiedWithin at = certified_within(distance(), {1, 1}, [](const nlp::Point& q) { return q[0] <= 1; });
  EXPECT_TRUE(at.lower.empty());
  EXPECT_NE(at.certificate.missing.find("a constraint or a bound is in the way"), std::string::npos);
}

// A bound that is pushed against takes a direction away, one that is not does not.
TEST(RestrictedCertificate, CountsBoundsAsConstraints) {
  const CertifiedWithin at = certified_within(distance().bound(0, 0, 1), {1, 1});
  EXPECT_TRUE(at.certificate.holds()) << at.certificate.missing;
  EXPECT_EQ(at.certificate.rank, 2);
  EXPECT_FALSE(certified_within(distance().bound(0, 1, 5), {1, 1}).certificate.holds());
}

TEST(RestrictedCertificate, SaysThatConstraintsDoNotHold) {
  test::Regression problem = distance();
  problem.constrained(sum_at_most(60));
  nlp::Blocks blocks;
  ASSERT_TRUE(problem.linearize({2, 1}, blocks).ok);
  const RestrictedProblem restricted(problem, {2, 1}, blocks, 1e-6, {});
  EXPECT_EQ(restricted.taken(), 0);
  EXPECT_FALSE(restricted.values({100, 0}, {}, blocks).ok);
  EXPECT_EQ(certified_within(problem, {40, 40}).certificate.missing, "the constraints do not hold");
}

// Against differences of the objective, along a constraint that bends.
TEST(RestrictedProblem, HasTheGradientOfItsValues) {
  const test::Regression problem = distance().constrained(on_circle);
  nlp::Blocks blocks;
  ASSERT_TRUE(problem.linearize({0.6, 0.8}, blocks).ok);
  const RestrictedProblem restricted(problem, {0.6, 0.8}, blocks, 1e-6, {});
  ASSERT_EQ(restricted.layout().unknowns, 1);
  const double h = 1e-5;
  for (const double y : {0.0, 0.3}) {
    nlp::Gradients gradients;
    ASSERT_TRUE(restricted.adjoint({y}, {}, {}, gradients).ok);
    nlp::Blocks above, below, at;
    ASSERT_TRUE(restricted.values({y + h}, {}, above).ok && restricted.values({y - h}, {}, below).ok);
    EXPECT_NEAR(gradients.objective_by_q.at(0), (above.objective - below.objective) / (2 * h), 1e-8);
    ASSERT_TRUE(restricted.linearize({y}, {}, at).ok);
    double by_rows = 0;
    for (int i = 0; i < 2; ++i) by_rows += at.priors.by_theta(i, 0) * at.priors.r[i];
    EXPECT_NEAR(by_rows, gradients.objective_by_q[0], 1e-12);
  }
}

}  // namespace
}  // namespace salvo::solve
