#include "solve/quadratic/constrained_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/random.hpp"
#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

const RankTest rule{.tolerance = 1e-9};

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Constrained {
  Matrix F{};
  std::vector<double> f{};
  LinearConstraints constraints{};

  Eigen::Map<const MatrixXd> matrix() const { return {F.data.data(), F.rows, F.cols}; }
  Eigen::Map<const VectorXd> constant() const { return {f.data(), F.rows}; }
  Eigen::Map<const MatrixXd> rows() const {
    return {constraints.C.data.data(), constraints.C.rows, constraints.C.cols};
  }
  Eigen::Map<const VectorXd> offsets() const { return {constraints.c.data(), constraints.C.rows}; }
  double distance(const VectorXd& x) const { return (matrix() * x + constant()).norm(); }
  double violation(const VectorXd& x) const {
    double most = 0;
    const VectorXd values = rows() * x + offsets();
    for (Index i = 0; i < values.size(); ++i)
      most = std::max(most, constraints.equality[i] ? std::abs(values[i]) : values[i]);
    return most;
  }
};

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

// Constraints around a point that meets them all, so that they are no contradiction.
Constrained random_problem(std::uint64_t seed, int cols, int equalities, int inequalities) {
  Random random(seed);
  const int count = equalities + inequalities;
  Constrained out{test::random_matrix(random, cols + 2, cols), test::random_vector(random, cols + 2)};
  out.constraints.C = test::random_matrix(random, count, cols);
  const VectorXd inside = vector(test::random_vector(random, cols));
  const VectorXd values = out.rows() * inside;
  for (int i = 0; i < count; ++i) {
    out.constraints.equality.push_back(i < equalities);
    out.constraints.c.push_back(-values[i] - (i < equalities ? 0 : 0.5 * random.uniform()));
  }
  return out;
}

// The least distance over all sets of active inequalities.
double best_by_enumeration(const Constrained& problem) {
  const int n = problem.F.cols;
  const int count = problem.constraints.C.rows;
  double best = INFINITY;
  for (int code = 0; code < (1 << count); ++code) {
    std::vector<int> held;
    for (int i = 0; i < count; ++i)
      if (problem.constraints.equality[i] || (code >> i & 1) != 0) held.push_back(i);
    const Index k = static_cast<Index>(held.size());
    if (k > n) continue;
    MatrixXd kkt = MatrixXd::Zero(n + k, n + k);
    VectorXd rhs(n + k);
    kkt.topLeftCorner(n, n) = problem.matrix().transpose() * problem.matrix();
    rhs.head(n) = -problem.matrix().transpose() * problem.constant();
    for (Index j = 0; j < k; ++j) {
      kkt.block(n + j, 0, 1, n) = problem.rows().row(held[j]);
      kkt.block(0, n + j, n, 1) = problem.rows().row(held[j]).transpose();
      rhs[n + j] = -problem.offsets()[held[j]];
    }
    const VectorXd x = kkt.fullPivLu().solve(rhs).head(n);
    if (problem.violation(x) < 1e-9) best = std::min(best, problem.distance(x));
  }
  return best;
}

TEST(ConstrainedLeastSquares, FindsTheBestOfAllActiveSets) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const int n = 1 + static_cast<int>(seed % 5);
    const int equalities = static_cast<int>(seed / 7 % static_cast<std::uint64_t>(n));
    const Constrained problem = random_problem(seed, n, equalities, 1 + static_cast<int>(seed % 7));
    const ConstrainedSolution solution = constrained_least_squares(problem.F, problem.f, problem.constraints, rule);
    EXPECT_TRUE(solution.conflict.empty());
    EXPECT_LE(problem.violation(vector(solution.x)), 1e-10);
    EXPECT_NEAR(problem.distance(vector(solution.x)), best_by_enumeration(problem), 1e-9);
  }
}

TEST(ConstrainedLeastSquares, GivesMultipliersThatBalanceTheGradient) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const Constrained problem = random_problem(seed, 4, 1, 6);
    const ConstrainedSolution solution = constrained_least_squares(problem.F, problem.f, problem.constraints, rule);
    const VectorXd multipliers = vector(solution.multipliers);
    const VectorXd gradient =
        problem.matrix().transpose() * (problem.matrix() * vector(solution.x) + problem.constant());
    EXPECT_LE((gradient + problem.rows().transpose() * multipliers).norm(), 1e-10);
    for (int i = 1; i < 7; ++i) {
      EXPECT_GE(solution.multipliers[i], -1e-12);
      if (!solution.active[i]) {
        EXPECT_EQ(solution.multipliers[i], 0);
      }
    }
  }
}

TEST(ConstrainedLeastSquares, TakesRowsThatSayTheSameTwice) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const Constrained once = random_problem(seed, 3, 1, 4);
    Constrained twice = once;
    twice.constraints.C.resize(10, 3);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 3; ++j)
        twice.constraints.C(i, j) = once.constraints.C(i, j),
                               twice.constraints.C(i + 5, j) = 2 * once.constraints.C(i, j);
    for (int i = 0; i < 5; ++i) {
      twice.constraints.c.push_back(2 * once.constraints.c[i]);
      twice.constraints.equality.push_back(once.constraints.equality[i]);
    }
    const auto expected = constrained_least_squares(once.F, once.f, once.constraints, rule);
    const auto found = constrained_least_squares(twice.F, twice.f, twice.constraints, rule);
    EXPECT_TRUE(found.conflict.empty());
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(found.x[j], expected.x[j], 1e-9);
  }
}

// A corner through which more rows pass than there are unknowns.
TEST(ConstrainedLeastSquares, TakesADegenerateCorner) {
  Constrained problem{Matrix(2, 2), {-2, -3}};
  problem.F(0, 0) = problem.F(1, 1) = 1;
  problem.constraints.C.resize(5, 2);
  for (int i = 0; i < 5; ++i) {  // all of them hold with equality at (1, 1)
    problem.constraints.C(i, 0) = 0.25 * i;
    problem.constraints.C(i, 1) = 1 - 0.25 * i;
    problem.constraints.c.push_back(-1);
    problem.constraints.equality.push_back(false);
  }
  const auto solution = constrained_least_squares(problem.F, problem.f, problem.constraints, rule);
  EXPECT_LE(problem.violation(vector(solution.x)), 1e-12);
  EXPECT_NEAR(problem.distance(vector(solution.x)), best_by_enumeration(problem), 1e-12);
}

TEST(ConstrainedLeastSquares, MovesAlongWhatItCannotSeeOnlyIfAConstraintAsksForIt) {
  Matrix F(1, 2);
  F(0, 0) = 1;  // x1 is not seen
  LinearConstraints constraints{Matrix(1, 2), {-1}, {false}};
  constraints.C(0, 0) = constraints.C(0, 1) = 1;  // x0 + x1 <= 1
  const auto free = constrained_least_squares(F, {-0.5}, constraints, rule);
  EXPECT_NEAR(free.x[0], 0.5, 1e-12);
  EXPECT_NEAR(free.x[1], 0, 1e-12);
  const auto asked = constrained_least_squares(F, {-3}, constraints, rule);
  EXPECT_NEAR(asked.x[0], 3, 1e-5);
  EXPECT_NEAR(asked.x[1], -2, 1e-5);
}

TEST(ConstrainedLeastSquares, NamesTheRowsInConflictAndComesAsNearAsItCan) {
  // x0 >= 2 and x0 <= 1 contradict each other; x1 <= 5 has no part in it.
  Constrained problem{Matrix(2, 2), {-7, -6}};
  problem.F(0, 0) = problem.F(1, 1) = 1;
  problem.constraints = {Matrix(3, 2), {2, -5, -1}, {false, false, false}};
  problem.constraints.C(0, 0) = -1;
  problem.constraints.C(1, 1) = 1;
  problem.constraints.C(2, 0) = 1;
  const auto solution = constrained_least_squares(problem.F, problem.f, problem.constraints, rule);
  EXPECT_EQ(solution.conflict, (std::vector<int>{0, 2}));
  EXPECT_NEAR(solution.x[0], 1, 1e-4);
  EXPECT_NEAR(solution.x[1], 5, 1e-9);
}

TEST(ConstrainedLeastSquares, ARowWithoutUnknownsHoldsOrIsAConflictOfItsOwn) {
  const auto with = [](double c) {
    return constrained_least_squares(Matrix(0, 1), {}, {Matrix(1, 1), {c}, {false}}, rule).conflict;
  };
  EXPECT_TRUE(with(-1).empty());
  EXPECT_EQ(with(1), (std::vector<int>{0}));
}

TEST(ConstrainedLeastSquares, WithBoundsAsRowsIsBoundedLeastSquares) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Matrix F = test::random_matrix(random, 6, 4);
    const std::vector<double> f = test::random_vector(random, 6);
    const std::vector<double> lower{-0.1, 0, -0.3, -0.2};
    const std::vector<double> upper{0.2, 0.1, 0, 0.3};
    LinearConstraints rows{Matrix(8, 4), {}, std::vector<bool>(8, false)};
    for (int i = 0; i < 4; ++i) rows.C(i, i) = -1, rows.C(i + 4, i) = 1;
    for (int i = 0; i < 4; ++i) rows.c.push_back(lower[i]);
    for (int i = 0; i < 4; ++i) rows.c.push_back(-upper[i]);
    const auto expected = bounded_least_squares(F, f, lower, upper, rule);
    const auto found = constrained_least_squares(F, f, rows, rule);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(found.x[i], expected.x[i], 1e-10);
  }
}

}  // namespace
}  // namespace salvo::solve
