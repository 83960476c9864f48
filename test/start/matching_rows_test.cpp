#include "start/matching_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "measured.hpp"
#include "start/start_nodes.hpp"

namespace salvo::start {
namespace {

// A problem, what its data show, and the rows that match them.
struct Rows {
  explicit Rows(model::Problem problem, bool coarse = false)
      : sample{"", std::move(problem), model::NodesAtMeasurements{}},
        shooting(test::lay_out(sample, {})),
        observed(observed_at_guess(*shooting)) {
    for (ObservedState& state : observed.front().states) state.coarse = coarse && state.curve;
    rows.emplace(*shooting, observed);
  }
  NormalEquations at(const std::vector<double>& unknowns, bool derivatives = true) {
    NormalEquations out;
    EXPECT_TRUE(rows->evaluate(unknowns, derivatives, out));
    return out;
  }
  test::Sample sample;
  std::unique_ptr<shooting::ShootingProblem> shooting;
  std::vector<ObservedStates> observed;
  std::optional<MatchingRows> rows;
};

// x' = k with data on x = 1 + 2 t at 0, 1, ..., 4: every increment shows 2 and the equations say k.
model::Problem line() {
  test::Builder builder(test::Equations{{"x", "k"}});
  builder.parameter("k", test::estimated(1)).observable("see", "x", "0.1").experiment("default", {test::estimated(1)});
  for (int t = 0; t <= 4; ++t) builder.measure(0, 0, t, 1 + 2 * t);
  return builder.build();
}

TEST(MatchingRows, CompareIncrementsWithIntegrals) {
  Rows rows(line());
  const double error = increment_error(rows.observed[0].states[0], 0, 1);
  const NormalEquations at = rows.at({0.5, 1});
  EXPECT_EQ(at.rows, 4);
  EXPECT_NEAR(at.half_squares, 4 * std::pow((2 - 0.5) / error, 2) / 2, 1e-9 * at.half_squares);
  EXPECT_NEAR(at.gradient[0], -4 * (2 - 0.5) / (error * error), 1e-9 * std::abs(at.gradient[0]));
  EXPECT_NEAR(at.normal(0, 0), 4 / (error * error), 1e-9 * at.normal(0, 0));
  EXPECT_EQ(at.normal(1, 1), 0);  // the initial value is on the curve
  EXPECT_TRUE(rows.rows->are_linear());
}

TEST(MatchingRows, RaiseTheErrorsOfAStateThatFitsPoorly) {
  Rows rows(line());
  rows.at({2, 1});
  EXPECT_FALSE(rows.rows->weigh_by_residuals());
  const double before = rows.at({0.5, 1}).half_squares;
  EXPECT_GT(before, 4);
  EXPECT_TRUE(rows.rows->weigh_by_residuals());
  EXPECT_NEAR(rows.at({0.5, 1}).half_squares, 4 / 2.0, 1e-9);  // every residual is now one error
}

// The gradient against differences of the squares.
void expect_derivatives(Rows& rows, const std::vector<double>& unknowns) {
  const NormalEquations at = rows.at(unknowns);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const double h = 1e-6;
    std::vector<double> up = unknowns, down = unknowns;
    up[k] += h, down[k] -= h;
    const double difference = (rows.at(up, false).half_squares - rows.at(down, false).half_squares) / (2 * h);
    EXPECT_NEAR(at.gradient[k], difference, 1e-6 * (1 + std::abs(difference))) << k;
  }
}

TEST(MatchingRows, DerivativesAreThoseOfTheRowsWithAPrior) {
  test::Builder builder(test::Equations{{"x", "-k*x^2"}});
  model::Estimated k = test::estimated(0.7);
  k.prior = model::Prior{.location = 0.9, .spread = 0.05};
  builder.parameter("k", k).observable("see", "x", "0.1").experiment("default", {test::estimated(1)});
  Rows rows(test::measured(builder, {2}, {0.5}, {0}, 4, 0.5));
  EXPECT_FALSE(rows.rows->are_linear());
  EXPECT_EQ(rows.at({0.7, 2}).rows, 9);  // eight increments and the prior
  expect_derivatives(rows, {0.7, 2});
}

TEST(MatchingRows, DerivativesAreThoseOfTheRowsWhereStatesAreHidden) {
  Rows rows(test::measured(test::lorenz(0.1), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 1, 0.05));
  EXPECT_EQ(rows.rows->unknowns(), 6);
  EXPECT_EQ(rows.rows->first_of_chain(0), 3);
  expect_derivatives(rows, {9, 26, 2.5, 1, 0.3, 0.2});
}

TEST(MatchingRows, DerivativesAreThoseOfTheRowsWhereCurvesAreCoarse) {
  Rows rows(test::measured(test::predator_prey_without_data(test::estimated(0.4), test::estimated(1)), {0.4, 1},
                           {1, 1, 1, 1}, {0, 1}, 10, 1),
            true);
  expect_derivatives(rows, {0.9, 1.1, 0.8, 1.05, 0.4, 1});
}

// x is smooth enough for a curve; y is measured twice, and compared with its simulation.
TEST(MatchingRows, CompareSingleMeasurementsWithStates) {
  test::Builder builder(test::Equations{{"x", "-k*x"}, {"y", "m"}});
  builder.parameter("k", test::estimated(1)).parameter("m", test::estimated(1));
  builder.observable("see_x", "x", "0.1").observable("see_y", "y", "0.5");
  builder.experiment("default", {test::estimated(1), test::estimated(1)});
  for (int t = 0; t <= 6; ++t) builder.measure(0, 0, t, 0);
  builder.measure(0, 1, 2, 5).measure(0, 1, 4, 6);
  Rows rows(builder.build());
  const NormalEquations at = rows.at({1, 3, 0, -1});  // y = -1 + 3 t
  EXPECT_EQ(at.rows, 8);
  EXPECT_NEAR(at.half_squares, (std::pow((5 - 5) / 0.5, 2) + std::pow((11 - 6) / 0.5, 2)) / 2, 1e-9);
  EXPECT_NEAR(at.gradient[1], 4 * (11 - 6) / 0.25, 1e-8);
  EXPECT_NEAR(at.gradient[3], (11 - 6) / 0.25, 1e-8);
}

// A factorisation of n unknowns costs n^3 / 3, and more where trajectories are simulated.
TEST(MatchingRows, CountWhatTheyCost) {
  const double along_curves = Rows(line()).rows->operations();
  EXPECT_GT(along_curves, 8. / 3);
  const model::Problem hidden = test::measured(test::lorenz(0.1), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 1, 0.05);
  EXPECT_GT(Rows(hidden).rows->operations(), 10 * along_curves);
}

}  // namespace
}  // namespace salvo::start
