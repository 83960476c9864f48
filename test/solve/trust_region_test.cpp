#include "solve/quadratic/trust_region.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "helpers/blocks.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/spectrum.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A region that owns its matrices; without bounds unless they are set.
struct Case {
  Matrix R{};
  Matrix S{};
  std::vector<double> g{};
  std::vector<double> lower = std::vector<double>(g.size(), -INFINITY);
  std::vector<double> upper = std::vector<double>(g.size(), INFINITY);
  double radius = 1;
  double negligible = 0;

  TrustRegionStep solve() const {
    FreeSpectra none;
    return solve_trust_region({R, S, g, lower, upper, radius, negligible}, none);
  }
  double decrease(const VectorXd& d) const { return predicted_decrease(R, S, g, {d.data(), d.data() + d.size()}); }
  MatrixXd B() const {
    MatrixXd out = map(R).transpose() * map(R);
    if (S.rows > 0) out += map(S);
    return out;
  }
};

Matrix symmetric(Random& random, int n, double size) {
  const Matrix half = test::random_matrix(random, n, n, size);
  return to_matrix(map(half) + map(half).transpose());
}
Matrix diagonal(const std::vector<double>& entries) { return to_matrix(MatrixXd(map(entries).asDiagonal())); }
double norm(const std::vector<double>& d) { return map(d).norm(); }

// The best of all points of the disc, by a grid that is refined around its best point: the other method, for two
// unknowns.
double best_of_disc(const Case& region) {
  VectorXd best = VectorXd::Zero(2);
  VectorXd centre = best;
  for (double width = region.radius; width > 1e-6 * region.radius; width *= 0.5) {
    constexpr int cells = 24;
    for (int i = -cells; i <= cells; ++i)
      for (int j = -cells; j <= cells; ++j) {
        VectorXd d(2);
        d << centre[0] + width * i / cells, centre[1] + width * j / cells;
        if (d.norm() > region.radius) d *= region.radius / d.norm() * (1 - 1e-15);
        if (region.decrease(d) > region.decrease(best)) best = d;
      }
    centre = best;
  }
  return region.decrease(best);
}

// What makes a step the best one of the ball: (B + shift) d = -g with B + shift >= 0, and a shift only at the radius
// ([ConnGouldToint00], corollary 7.2.2).
void expect_best_of_ball(const Case& region) {
  const TrustRegionStep step = region.solve();
  const VectorXd d = map(step.d);
  const VectorXd g = map(region.g);
  const double shift = -d.dot(region.B() * d + g) / d.squaredNorm();
  const double size = g.norm() + region.B().norm() * d.norm();
  EXPECT_LE((region.B() * d + g + shift * d).norm(), 1e-9 * size);
  const std::vector<double> e = spectrum_of(to_matrix(region.B())).e;
  EXPECT_GE(*std::min_element(e.begin(), e.end()) + shift, -1e-9 * region.B().norm());
  EXPECT_LE(d.norm(), region.radius * (1 + 1e-5));
  if (step.at_radius)
    EXPECT_NEAR(d.norm(), region.radius, 1e-5 * region.radius);
  else
    EXPECT_NEAR(shift, 0, 1e-9 * region.B().norm());
}

TEST(TrustRegion, GivesTheBestStepOfTheBall) {
  Random random(21);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const int n = 1 + k % 5;
    Case region{.R = test::random_matrix(random, n, n), .g = test::random_vector(random, n)};
    if (k % 2 == 1) region.S = symmetric(random, n, 0.1 + k % 4);
    region.radius = std::pow(10, -2 + 4 * random.uniform());
    expect_best_of_ball(region);
  }
}

TEST(TrustRegion, GivesTheBestPointOfADiscThatIsSearched) {
  Random random(22);
  for (int k = 0; k < 30; ++k) {
    Case region{.R = test::random_matrix(random, 2, 2), .g = test::random_vector(random, 2)};
    if (k % 2 == 1) region.S = symmetric(random, 2, 2);
    region.radius = 0.3 + random.uniform();
    const double best = best_of_disc(region);
    EXPECT_NEAR(region.solve().predicted, best, 1e-5 * best) << k;
  }
}

TEST(TrustRegion, TakesTheNewtonStepInsideItsRadius) {
  Random random(23);
  const Case region{.R = test::random_matrix(random, 5, 3), .g = test::random_vector(random, 3), .radius = 1e6};
  const TrustRegionStep step = region.solve();
  EXPECT_FALSE(step.at_radius);
  EXPECT_LE((region.B() * map(step.d) + map(region.g)).norm(), 1e-10);
  EXPECT_NEAR(step.predicted, -0.5 * map(region.g).dot(map(step.d)), 1e-10);
}

TEST(TrustRegion, GoesDownhillAsFarAsItsRadiusWhereNothingCurves) {
  const Case region{.R = Matrix(2, 2), .g = {3, -4}, .radius = 0.5};
  const TrustRegionStep step = region.solve();
  EXPECT_TRUE(step.at_radius);
  EXPECT_NEAR(step.d[0], -0.3, 1e-6);
  EXPECT_NEAR(step.d[1], 0.4, 1e-6);
  EXPECT_NEAR(step.predicted, 2.5, 1e-5);
}

// A direction that R does not see, but the gradient does, takes all of the radius that the others leave.
TEST(TrustRegion, UsesItsRadiusAlongADirectionWithoutCurvature) {
  Random random(24);
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    const Case region{.R = test::random_matrix(random, 2, 3), .g = test::random_vector(random, 3), .radius = 2};
    EXPECT_TRUE(region.solve().at_radius);
    expect_best_of_ball(region);
  }
}

// Rows (1e9, 1e9) and (1, -1): with g = -R'R x for x = (2, -2), which only the second sees, the Newton step is x. The
// product R'R has lost that row.
TEST(TrustRegion, TakesTheFullStepOfRowsOfVeryDifferentWeights) {
  Matrix R(2, 2);
  R(0, 0) = R(0, 1) = 1e9;
  R(1, 0) = 1;
  R(1, 1) = -1;
  const Case region{.R = R, .g = {-4, 4}, .radius = 10};
  const TrustRegionStep step = region.solve();
  EXPECT_FALSE(step.at_radius);
  EXPECT_NEAR(step.d[0], 2, 1e-9);
  EXPECT_NEAR(step.d[1], -2, 1e-9);
  EXPECT_NEAR(step.predicted, 8, 1e-6);
}

TEST(TrustRegion, DoesNotMoveAlongDirectionsThatPromiseNextToNothing) {
  Case region{.R = diagonal({1, 1e-9}), .g = {0.5, 1e-12}, .radius = 4, .negligible = 1e-10};
  EXPECT_EQ(region.solve().d[1], 0);
  EXPECT_NEAR(region.solve().d[0], -0.5, 1e-12);
  region.negligible = 0;
  EXPECT_LT(region.solve().d[1], -3);  // rounding that leads anywhere
}

// However curved it is: that the gradient along it is nothing may be an error, too.
TEST(TrustRegion, DoesNotMoveAlongANegligibleDirectionOfNegativeCurvature) {
  const Case region{.R = Matrix(2, 2), .S = diagonal({2, -1}), .g = {1, 1e-12}, .radius = 4, .negligible = 1e-10};
  const TrustRegionStep step = region.solve();
  EXPECT_EQ(step.d[1], 0);
  EXPECT_NEAR(step.d[0], -0.5, 1e-12);
  EXPECT_FALSE(step.at_radius);
}

TEST(TrustRegion, StaysWhereThereIsNoGradient) {
  const Case region{.R = diagonal({1, 2}), .g = {0, 0}};
  const TrustRegionStep step = region.solve();
  EXPECT_EQ(step.d, (std::vector<double>{0, 0}));
  EXPECT_EQ(step.predicted, 0);
}

Case bounded_case(Random& random, int n, bool curved) {
  Case region{.R = test::random_matrix(random, n, n), .g = test::random_vector(random, n)};
  if (curved) region.S = symmetric(random, n, 1);
  region.radius = std::pow(10, -1 + 2 * random.uniform());
  for (int i = 0; i < n; ++i) {
    if (random.uniform() < 0.7) region.lower[i] = random.uniform() < 0.2 ? 0 : -random.uniform();
    if (random.uniform() < 0.7) region.upper[i] = random.uniform() < 0.2 ? 0 : random.uniform();
  }
  return region;
}

bool is_on_a_bound(const Case& region, const std::vector<double>& d) {
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < d.size(); ++i)
    if (d[i] <= region.lower[i] + rounding || d[i] >= region.upper[i] - rounding) return true;
  return false;
}

TEST(TrustRegion, KeepsItsBoundsAndNeverPromisesToGoUp) {
  Random random(25);
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    const int n = 1 + k % 6;
    Case region = bounded_case(random, n, k % 2 == 1);
    if (k % 3 == 0)
      for (int i = 0; i < n; ++i) region.R(i, n - 1) = 0;  // a singular R
    const TrustRegionStep step = region.solve();
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(step.d[i], region.lower[i]);
      EXPECT_LE(step.d[i], region.upper[i]);
    }
    EXPECT_GE(step.predicted, 0);
    EXPECT_NEAR(step.predicted, region.decrease(map(step.d)), 1e-12 * (1 + step.predicted));
    if (is_on_a_bound(region, step.d)) continue;
    EXPECT_LE(norm(step.d), region.radius * (1 + 1e-5));
  }
}

// The straight way to the best step of the ball, as far as the bounds let it.
TEST(TrustRegion, PromisesNoLessThanTheWayToTheFirstBound) {
  Random random(26);
  int stopped = 0;
  for (int k = 0; k < 500; ++k) {
    Case region = bounded_case(random, 2 + k % 4, k % 2 == 1);
    Case free = region;
    for (std::size_t i = 0; i < region.g.size(); ++i) {
      if (region.lower[i] == 0) region.lower[i] = -0.1;
      if (region.upper[i] == 0) region.upper[i] = 0.1;
      free.lower[i] = -INFINITY;
      free.upper[i] = INFINITY;
    }
    const std::vector<double> ahead = free.solve().d;
    double fraction = 1;
    for (std::size_t i = 0; i < ahead.size(); ++i)
      fraction = std::min(fraction, (ahead[i] > 0 ? region.upper[i] : region.lower[i]) / ahead[i]);
    if (fraction < 1) ++stopped;
    const double to_the_bound = region.decrease(fraction * map(ahead));
    EXPECT_GE(region.solve().predicted, to_the_bound * (1 - 1e-12)) << k;
  }
  EXPECT_GT(stopped, 100);  // or nothing was tested
}

// Where unknowns do not act on each other, each goes to the nearest point that its bounds allow.
TEST(TrustRegion, PutsOnTheirBoundsWhatWouldLeaveThem) {
  const Case region{.R = diagonal({1, 2, 1, 1}),
                    .g = {-3, 4, 1, -1},  // the free step is (3, -1, -1, 1)
                    .lower = {-1, -0.5, -2, 0},
                    .upper = {1, 0.5, 2, 0},
                    .radius = 100};
  const TrustRegionStep step = region.solve();
  const double expected[] = {1, -0.5, -1, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(step.d[i], expected[i], 1e-14) << i;
}

// min (d_1 - 2 + d_2)^2/2 + (d_2 - d_1)^2/2 with d_1 <= 0.5 is at d_2 = (2 - d_1 + d_1)/2 = 1.
TEST(TrustRegion, SolvesTheRestAgainOnceAnUnknownIsOnItsBound) {
  Matrix R(2, 2);
  R(0, 0) = R(0, 1) = R(1, 1) = 1;
  R(1, 0) = -1;
  const Case coupled{.R = R, .g = {-2, -2}, .lower = {-9, -9}, .upper = {0.5, 9}, .radius = 100};
  EXPECT_NEAR(coupled.solve().d[0], 0.5, 1e-14);
  EXPECT_NEAR(coupled.solve().d[1], 1, 1e-14);
  Matrix one_row(1, 2);
  one_row(0, 0) = one_row(0, 1) = 1;  // (d_1 + d_2 - 2)^2/2: what d_1 may not give, d_2 does
  const Case shared{.R = one_row, .g = {-2, -2}, .lower = {-9, -9}, .upper = {0.5, 9}, .radius = 100};
  EXPECT_NEAR(shared.solve().d[0], 0.5, 1e-14);
  EXPECT_NEAR(shared.solve().d[1], 1.5, 1e-12);
}

TEST(TrustRegion, LeavesABoundThatTheGradientDoesNotPressAgainst) {
  const Case region{.R = diagonal({1, 1}), .g = {-0.5, 0.5}, .lower = {0, 0}, .upper = {9, 9}, .radius = 9};
  const TrustRegionStep step = region.solve();
  EXPECT_NEAR(step.d[0], 0.5, 1e-14);
  EXPECT_EQ(step.d[1], 0);
}

// The eigenvalue is 1e19 times as large as the gradient along its direction.
TEST(TrustRegion, StaysFiniteAlongADirectionThatTheGradientHardlySees) {
  for (const double along : {1e-5, 1e-7, 1e-9, 1e-12}) {
    const Case region{.R = Matrix(2, 2), .S = diagonal({-1e10, 1}), .g = {along, 1}};
    const TrustRegionStep step = region.solve();
    EXPECT_GE(step.predicted, 0) << along;
    EXPECT_LE(norm(step.d), region.radius * (1 + 1e-5)) << along;
  }
}

}  // namespace
}  // namespace salvo::solve
