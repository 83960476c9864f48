#include "integrate/stiffness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "flight.hpp"
#include "helpers/problems.hpp"
#include "stiff_problems.hpp"

namespace salvo::integrate {
namespace {

double decay_of(const std::vector<std::vector<double>>& matrix) {
  const int d = static_cast<int>(matrix.size());
  std::vector<int> row, column;
  std::vector<double> nonzeros;
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) {
      row.push_back(i);
      column.push_back(j);
      nonzeros.insert(nonzeros.end(), {matrix[i][j], -1});  // the second lane is not looked at
    }
  std::vector<double> room(2 * d);
  return fastest_decay(compile::make_lines(row, column, d), nonzeros.data(), 2, room);
}

TEST(FastestDecay, IsTheLargestEigenvalueIfThatIsNegative) {
  EXPECT_NEAR(decay_of({{-1, 0}, {0, -100}}), 100, 1e-6);
  // Eigenvalues -1000 and -1 to vectors that are far from perpendicular.
  EXPECT_NEAR(decay_of({{-1, 999}, {0, -1000}}), 1000, 1);
  EXPECT_EQ(decay_of({{-1, 0}, {0, 100}}), 0);    // grows
  EXPECT_EQ(decay_of({{0, 50}, {-50, 0}}), 0);    // turns
  EXPECT_EQ(decay_of({{-1, 50}, {-50, -1}}), 0);  // turns while it decays
  EXPECT_EQ(decay_of({{0, 0}, {0, 0}}), 0);       // stands still
  EXPECT_EQ(decay_of({{-1, NAN}, {0, -100}}), 0);
}

TEST(Stiffness, IsForetoldWhereStepsWouldBeManyAndNothingMovesAsFast) {
  EXPECT_TRUE(foretells_stiffness(1e5, 100, 10));
  EXPECT_FALSE(foretells_stiffness(1, 100, 1e-6));  // few steps
  EXPECT_FALSE(foretells_stiffness(20, 100, 20));   // chaos: many steps, and all of them to see something
  EXPECT_FALSE(foretells_stiffness(0, 1e9, 1));
}

// Explicit steps are a small part of what steps for stiff equations cost then.
TEST(Auto, GivesUpExplicitStepsEarlyInStiffEquations) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    test::Flight<4> flight(compile::compile(test::Robertson::problem()), model::AutoIntegrator{rtol},
                           {{0, {40}, {1, 0, 0}, {0.04, 3e7, 1e4}}, {0, {1e5}, {0.5, 0, 0.5}, {0.1, 1e7, 1e4}}});
    flight.integrate();
    for (int l = 0; l < 2; ++l) {
      EXPECT_EQ(flight.record.ending[l].outcome, Outcome::stiff) << rtol;
      EXPECT_LE(flight.record.steps[l], 40) << rtol;
    }
  }
}

// Thousands of steps, and each of them sees something new.
TEST(Auto, StaysWithExplicitStepsInALongOscillationAndInChaos) {
  test::Builder lorenz(test::Equations{{"x", "10*(y - x)"}, {"y", "x*(28 - z) - y"}, {"z", "x*y - 8/3*z"}});
  lorenz.observable("x", "x", "1").experiment("default", {"1", "1", "20"});
  test::Builder relaxation(test::Equations{{"x", "y"}, {"y", "3*(1 - x^2)*y - x"}});
  relaxation.observable("x", "x", "1").experiment("default", {"2", "0"});
  for (const double rtol : {1e-4, 1e-8}) {
    test::Flight<1> chaos(compile::compile(lorenz.build()), model::AutoIntegrator{rtol}, {{0, {100}, {1, 1, 20}, {}}});
    chaos.integrate();
    EXPECT_TRUE(chaos.record.ending[0].ok()) << rtol;
    test::Flight<1> waves(compile::compile(relaxation.build()), model::AutoIntegrator{rtol}, {{0, {300}, {2, 0}, {}}});
    waves.integrate();
    EXPECT_TRUE(waves.record.ending[0].ok()) << rtol;
  }
}

}  // namespace
}  // namespace salvo::integrate
