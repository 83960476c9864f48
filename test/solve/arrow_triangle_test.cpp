#include "solve/elimination/arrow_triangle.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::BlockProblem;

// J D as one dense matrix.
MatrixXd scaled_rows(const BlockProblem& problem) {
  MatrixXd J = test::dense(problem).J.cast<double>();
  for (Eigen::Index k = 0; k < J.cols(); ++k) J.col(k) *= problem.sizes[k];
  return J;
}

VectorXd some_vector(Eigen::Index n) { return VectorXd::LinSpaced(n, -1, 2); }

class UnbrokenChains : public testing::TestWithParam<int> {
 protected:
  // The second chain has nothing to estimate but theta.
  BlockProblem problem = test::random_blocks(
      7, 3, 2, {{.links = 0, .rows_per_node = 6}, {.links = 0, .free_initial = 0}, {.links = 0, .rows_per_node = 12}},
      GetParam());
};

TEST_P(UnbrokenChains, HaveTheSquaresOfAllTheirRows) {
  const auto arrow = ArrowTriangle::of(problem.layout, problem.blocks, problem.sizes);
  ASSERT_TRUE(arrow);
  const MatrixXd J = scaled_rows(problem);
  const VectorXd v = some_vector(J.cols());
  EXPECT_LT((arrow->transposed_times(arrow->times(v)) - J.transpose() * (J * v)).norm(), 1e-12 * J.squaredNorm());
  EXPECT_NEAR(arrow->times(v).norm(), (J * v).norm(), 1e-12 * J.norm());
}

TEST_P(UnbrokenChains, AreSolvedByTheirTriangle) {
  const auto arrow = ArrowTriangle::of(problem.layout, problem.blocks, problem.sizes);
  ASSERT_TRUE(arrow);
  const VectorXd v = some_vector(problem.layout.unknowns);
  EXPECT_LT((arrow->solve(arrow->times(v)) - v).norm(), 1e-10);
  EXPECT_LT((arrow->solve_transposed(arrow->transposed_times(v)) - v).norm(), 1e-10);
}

TEST_P(UnbrokenChains, BoundTheirSingularValues) {
  const auto arrow = ArrowTriangle::of(problem.layout, problem.blocks, problem.sizes);
  ASSERT_TRUE(arrow);
  const VectorXd singular = Eigen::JacobiSVD<MatrixXd>(scaled_rows(problem)).singularValues();
  EXPECT_GE(arrow->norm_bound(), singular.maxCoeff());
  EXPECT_LE(1 / arrow->inverse().norm_bound(), singular.minCoeff());
  EXPECT_LE(arrow->norm_bound(), 10 * singular.maxCoeff());
  EXPECT_GE(1 / arrow->inverse().norm_bound(), 0.1 * singular.minCoeff());
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutPriors, UnbrokenChains, testing::Values(0, 2));

TEST(ArrowTriangle, ThereIsNoneWhereChainsHaveNodesOrRowsDoNotSeeAll) {
  const auto has_one = [](const std::vector<test::ChainShape>& shapes) {
    const BlockProblem problem = test::random_blocks(8, 3, 2, shapes);
    return ArrowTriangle::of(problem.layout, problem.blocks, problem.sizes).has_value();
  };
  EXPECT_TRUE(has_one({{.links = 0, .rows_per_node = 6}}));
  EXPECT_FALSE(has_one({{.links = 0, .rows_per_node = 6}, {.links = 1, .rows_per_node = 6}}));
  EXPECT_FALSE(has_one({{.links = 0, .rows_per_node = 1}}));
}

}  // namespace
}  // namespace salvo::solve
