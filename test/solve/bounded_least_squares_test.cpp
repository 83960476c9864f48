#include "solve/quadratic/bounded_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <optional>

#include "base/random.hpp"
#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

const RankTest rank_test{.tolerance = 1e-9};

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Bounded {
  Matrix F{};
  std::vector<double> f{}, lower{}, upper{};

  double value(const std::vector<double>& x) const {
    const Eigen::Map<const MatrixXd> matrix(F.data.data(), F.rows, F.cols);
    return (matrix * Eigen::Map<const VectorXd>(x.data(), F.cols) + Eigen::Map<const VectorXd>(f.data(), F.rows))
        .norm();
  }
};

Bounded random_problem(std::uint64_t seed, int rows, int cols) {
  Random random(seed);
  Bounded out{test::random_matrix(random, rows, cols), test::random_vector(random, rows)};
  for (int i = 0; i < cols; ++i) {
    const double kind = random.uniform();
    out.lower.push_back(kind < 0.2 ? 0 : kind < 0.4 ? -INFINITY : -0.3 * random.uniform());
    out.upper.push_back(kind > 0.8 ? 0 : kind > 0.6 ? INFINITY : 0.3 * random.uniform());
  }
  return out;
}

// The least value over all ways to hold unknowns at a bound or leave them free.
double best_by_enumeration(const Bounded& problem) {
  const int n = problem.F.cols;
  const Eigen::Map<const MatrixXd> matrix(problem.F.data.data(), problem.F.rows, n);
  const Eigen::Map<const VectorXd> f(problem.f.data(), problem.F.rows);
  double best = INFINITY;
  for (int code = 0; code < std::pow(3, n); ++code) {
    VectorXd x = VectorXd::Zero(n);
    std::vector<int> free;
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      if (rest % 3 == 0)
        free.push_back(i);
      else
        x[i] = rest % 3 == 1 ? problem.lower[i] : problem.upper[i];
      possible = possible && std::isfinite(x[i]);
    }
    if (!possible) continue;
    if (!free.empty()) {
      MatrixXd part(problem.F.rows, static_cast<Eigen::Index>(free.size()));
      for (std::size_t k = 0; k < free.size(); ++k) part.col(static_cast<Eigen::Index>(k)) = matrix.col(free[k]);
      const VectorXd solution = part.colPivHouseholderQr().solve(-(f + matrix * x));
      for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = solution[static_cast<Eigen::Index>(k)];
    }
    for (int i = 0; i < n; ++i)
      possible = possible && x[i] >= problem.lower[i] - 1e-12 && x[i] <= problem.upper[i] + 1e-12;
    if (possible) best = std::min(best, (matrix * x + f).norm());
  }
  return best;
}

TEST(BoundedLeastSquares, FindsTheBestOfAllActiveSets) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const int n = 1 + static_cast<int>(seed % 5);
    const Bounded problem = random_problem(seed, n + 2, n);
    const BoundedSolution solution =
        bounded_least_squares(problem.F, problem.f, problem.lower, problem.upper, rank_test);
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(solution.x[i], problem.lower[i]);
      EXPECT_LE(solution.x[i], problem.upper[i]);
      if (solution.held[i]) {
        EXPECT_TRUE(solution.x[i] == problem.lower[i] || solution.x[i] == problem.upper[i]);
      }
    }
    EXPECT_NEAR(problem.value(solution.x), best_by_enumeration(problem), 1e-10) << "seed " << seed;
  }
}

TEST(BoundedLeastSquares, WithoutBoundsIsPlainLeastSquares) {
  Bounded problem = random_problem(400, 7, 4);
  problem.lower.assign(4, -INFINITY);
  problem.upper.assign(4, INFINITY);
  const BoundedSolution solution = bounded_least_squares(problem.F, problem.f, problem.lower, problem.upper, rank_test);
  const std::vector<double> plain = least_squares(problem.F, problem.f, std::vector<bool>(4, false), rank_test);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(solution.x[i], plain[i], 1e-13);
  EXPECT_EQ(solution.rank, 4);
  EXPECT_EQ(solution.held, std::vector<bool>(4, false));
}

TEST(BoundedLeastSquares, DoesNotMoveAlongWhatItCannotSee) {
  Random random(401);
  Matrix F = test::random_matrix(random, 6, 3);
  for (int i = 0; i < 6; ++i) F(i, 2) = 2 * F(i, 0);  // x0 + 2 x2 is all that can be seen
  const std::vector<double> f = test::random_vector(random, 6);
  const std::vector<double> wide(3, 1e3);
  const BoundedSolution solution = bounded_least_squares(F, f, std::vector<double>(3, -1e3), wide, rank_test);
  EXPECT_EQ(solution.rank, 2);
  EXPECT_NEAR(solution.x[2], 2 * solution.x[0], 1e-12);  // orthogonal to the null direction (2, 0, -1)
}

TEST(BoundedLeastSquares, HeldUnknownsStayAtZero) {
  const Bounded problem = random_problem(402, 6, 3);
  const std::vector<double> x = least_squares(problem.F, problem.f, {false, true, false}, rank_test);
  EXPECT_EQ(x[1], 0);
  EXPECT_NE(x[0], 0);
}

TEST(BoundedLeastSquares, TakesNoUnknownsAndNoRows) {
  EXPECT_TRUE(bounded_least_squares(Matrix(3, 0), {1, 2, 3}, {}, {}, rank_test).x.empty());
  EXPECT_EQ(bounded_least_squares(Matrix(0, 2), {}, {-1, -1}, {1, 1}, rank_test).x, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace salvo::solve
