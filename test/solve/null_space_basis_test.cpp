#include "solve/elimination/null_space_basis.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;

MatrixXd random_matrix(int rows, int cols, std::uint64_t seed) {
  Random random(seed);
  return MatrixXd::NullaryExpr(rows, cols, [&random] { return random.normal(); });
}

// E x + e = 0 for every x of the set, the basis orthonormal, the particular solution the shortest of all; the last two
// as far as the size of E allows.
void expect_solutions(const MatrixXd& E) {
  const NullSpaceBasis set(E);
  const MatrixXd& basis = set.basis();
  const MatrixXd e = random_matrix(static_cast<int>(E.rows()), 3, 9);
  const MatrixXd x = set.particular(e);
  ASSERT_EQ(basis.cols(), E.cols() - E.rows());
  EXPECT_LE((basis.transpose() * basis - MatrixXd::Identity(basis.cols(), basis.cols())).norm(),
            1e-14 * (1 + E.norm()));
  EXPECT_LE((E * basis).norm(), 1e-12 * E.norm());
  EXPECT_LE((E * x + e).norm(), 1e-12 * e.norm() * (1 + E.norm()));
  EXPECT_LE((basis.transpose() * x).norm(), 1e-14 * (1 + E.norm()) * e.norm());
}

TEST(NullSpaceBasis, HoldsAllSolutions) {
  expect_solutions(random_matrix(3, 7, 1));
  expect_solutions(random_matrix(20, 50, 2));
}

TEST(NullSpaceBasis, OfAGraphHoldsAllSolutionsToo) {
  for (const auto& [rows, cols] : {std::pair{2, 3}, {40, 60}, {5, 0}}) {
    MatrixXd E(rows, cols + rows);
    E << 30 * random_matrix(rows, cols, 3), -MatrixXd::Identity(rows, rows);
    expect_solutions(E);
    EXPECT_FALSE(NullSpaceBasis(E).is_ill_conditioned());
  }
}

}  // namespace
}  // namespace salvo::solve
