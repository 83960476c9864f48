#include "statistics/uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/blocks.hpp"
#include "solve/elimination/full_rank_root.hpp"

namespace salvo::statistics {
namespace {

using test::BlockProblem;
using test::ChainShape;
using test::LongMatrix;

// theta, then v_0 of each chain: where each quantity stands in q.
std::vector<int> quantities(const nlp::Layout& layout) {
  std::vector<int> out;
  for (int i = 0; i < layout.thetas; ++i) out.push_back(i);
  for (const auto& chain : layout.chains)
    for (int i = 0; i < chain.size[0]; ++i) out.push_back(chain.offset[0] + i);
  return out;
}

// Inverse information on the null space of the equations, by one dense computation.
LongMatrix covariance_of(const BlockProblem& problem, const test::Dense& full) {
  const LongMatrix basis = test::null_space(full).basis;
  const LongMatrix J = full.J * basis;
  const LongMatrix all = basis * test::inverse(J.transpose() * J) * basis.transpose();
  const std::vector<int> where = quantities(problem.layout);
  const Eigen::Index n = static_cast<Eigen::Index>(where.size());
  LongMatrix out(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k) out(i, k) = all(where[i], where[k]);
  return out;
}

// The equations are the gaps; `fixed` unknowns do not move.
LongMatrix dense_covariance(const BlockProblem& problem, const std::vector<int>& fixed = {}) {
  test::Dense full = test::dense(problem);
  for (const int i : fixed) {
    full.G.conservativeResize(full.G.rows() + 1, Eigen::NoChange);
    full.G.bottomRows(1).setZero();
    full.G(full.G.rows() - 1, i) = 1;
    full.g.conservativeResize(full.G.rows());
    full.g[full.g.size() - 1] = 0;
  }
  return covariance_of(problem, full);
}

Uncertainty uncertainty_of(const BlockProblem& problem, const nlp::Point& q = {}) {
  return uncertainty(problem.layout, problem.blocks, q.empty() ? nlp::Point(problem.layout.unknowns, 0.0) : q,
                     problem.sizes);
}

void expect_covariance(const Uncertainty& result, const LongMatrix& expected, double tolerance) {
  ASSERT_EQ(result.covariance.rows, expected.rows());
  for (int i = 0; i < result.covariance.rows; ++i)
    for (int k = 0; k < result.covariance.cols; ++k) {
      const double size = std::sqrt(static_cast<double>(expected(i, i) * expected(k, k)));
      EXPECT_NEAR(result.covariance(i, k), static_cast<double>(expected(i, k)), tolerance * size) << i << ", " << k;
    }
}

TEST(Uncertainty, CovarianceIsTheInverseInformationWhereTrianglesAreEnough) {
  const std::vector<std::vector<ChainShape>> shapes{
      {{.links = 10, .growth = 0.5}},
      {{.links = 6, .free_initial = 0, .growth = 0.5}},
      {{.links = 6, .free_initial = 1, .growth = 0.5}, {.links = 1, .rows_per_node = 1, .growth = 0.5}},
      {{.links = 0, .rows_per_node = 6}, {.links = 0, .free_initial = 1, .rows_per_node = 6}},
      {{.links = 0, .rows_per_node = 6}, {.links = 2, .growth = 0.5}}};
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    SCOPED_TRACE(n);
    const BlockProblem problem = test::random_blocks(60 + n, 3, 2, shapes[n], static_cast<int>(n));
    ASSERT_TRUE(solve::full_rank_root(problem.layout, problem.blocks, problem.sizes, 1e-7));
    const Uncertainty result = uncertainty_of(problem);
    expect_covariance(result, dense_covariance(problem), 1e-10);
    EXPECT_EQ(result.free_and_seen, result.covariance.rows);
    EXPECT_TRUE(result.null_directions.empty());
  }
}

TEST(Uncertainty, LeavesWhatTheRowsHardlySeeToSingularValues) {
  BlockProblem problem = test::random_blocks(64, 3, 2, {{.links = 10, .growth = 0.5}});
  const auto nearly_alike = [](Matrix& by_theta) {
    for (int i = 0; i < by_theta.rows; ++i) by_theta(i, 1) = by_theta(i, 0) + 1e-9 * by_theta(i, 1);
  };
  for (auto& rows : problem.blocks.chains[0].rows) nearly_alike(rows.by_theta);
  for (auto& link : problem.blocks.chains[0].links) nearly_alike(link.by_theta);
  EXPECT_FALSE(solve::full_rank_root(problem.layout, problem.blocks, problem.sizes, 1e-7));
  EXPECT_EQ(uncertainty_of(problem).null_directions.size(), 1U);
}

TEST(Uncertainty, RowsThatAreNoNumbersSeeNothing) {
  for (const double wrong : {std::nan(""), HUGE_VAL}) {
    BlockProblem problem = test::random_blocks(50, 2, 2, {{.links = 0, .rows_per_node = 6}});
    for (double& number : problem.blocks.chains[0].rows[0].by_theta.data) number = wrong;
    const Uncertainty result = uncertainty_of(problem);
    EXPECT_EQ(result.free_and_seen, 0);
    for (const bool seen : result.seen) EXPECT_FALSE(seen);
  }
}

TEST(Uncertainty, CovarianceIsTheInverseInformation) {
  const std::vector<std::vector<ChainShape>> shapes{{{.links = 10}},
                                                    {{.links = 1, .rows_per_node = 5}},
                                                    {{.links = 6, .free_initial = 0}},
                                                    {{.links = 6, .free_initial = 1}, {.links = 3}},
                                                    {{.links = 0, .rows_per_node = 6}}};
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    SCOPED_TRACE(n);
    const BlockProblem problem = test::random_blocks(50 + n, 2, 2, shapes[n], n == 3 ? 2 : 0);
    const Uncertainty result = uncertainty_of(problem);
    expect_covariance(result, dense_covariance(problem), 1e-10);
    EXPECT_TRUE(result.null_directions.empty());
    EXPECT_EQ(result.free_and_seen, result.covariance.rows);
  }
}

// Growth by e^3 per link over 20 links is not information.
TEST(Uncertainty, CovarianceIsRightWhereTheFlowGrows) {
  const BlockProblem problem = test::random_blocks(61, 1, 2, {{.links = 20, .growth = std::exp(3.0)}});
  const Uncertainty result = uncertainty_of(problem);
  const LongMatrix expected = dense_covariance(problem);
  EXPECT_NEAR(result.covariance(0, 0), static_cast<double>(expected(0, 0)), 1e-8 * result.covariance(0, 0));
  EXPECT_TRUE(result.null_directions.empty());
}

TEST(Uncertainty, AQuantityAtItsBoundIsHeldAndTheOthersAreConditional) {
  BlockProblem problem = test::random_blocks(62, 3, 2, {{.links = 8}});
  nlp::Point q(problem.layout.unknowns, 0.0);
  q[1] = 0.7;
  problem.layout.upper[1] = 0.7;
  const Uncertainty result = uncertainty_of(problem, q);
  EXPECT_EQ(result.held, (std::vector<bool>{false, true, false, false, false}));
  const LongMatrix expected = dense_covariance(problem, {1});
  for (const int i : {0, 2, 3, 4})
    EXPECT_NEAR(result.covariance(i, i), static_cast<double>(expected(i, i)), 1e-10 * result.covariance(i, i)) << i;
  EXPECT_EQ(result.free_and_seen, 4);
}

// theta_0 + 2 theta_2 = 0 and, at node 3, v_0 - v_1 = theta_1.
TEST(Uncertainty, ActiveConstraintsAreEquations) {
  BlockProblem problem = test::random_blocks(66, 3, 2, {{.links = 8}});
  nlp::Constraints& of_theta = problem.blocks.constraints;
  of_theta = {{0, -0.5}, {true, false}, Matrix(2, 0), Matrix(2, 3)};  // the second one is far from its limit
  of_theta.by_theta(0, 0) = of_theta.by_theta(1, 1) = 1;
  of_theta.by_theta(0, 2) = 2;
  problem.blocks.chains[0].constraints.resize(9);
  nlp::Constraints& at_node = problem.blocks.chains[0].constraints[3];
  at_node = {{0}, {false}, Matrix(1, 2), Matrix(1, 3)};
  at_node.by_block(0, 0) = 1;
  at_node.by_block(0, 1) = at_node.by_theta(0, 1) = -1;
  const Uncertainty result = uncertainty_of(problem);
  EXPECT_EQ(result.active, (std::vector<int>{0, 2}));
  EXPECT_EQ(result.equalities, 1);
  EXPECT_EQ(result.free_and_seen, 3);

  test::Dense full = test::dense(problem);
  const Eigen::Index rows = full.G.rows();
  full.G.conservativeResize(rows + 2, Eigen::NoChange);
  full.G.bottomRows(2).setZero();
  full.G(rows, 0) = full.G(rows + 1, problem.layout.chains[0].offset[3]) = 1;
  full.G(rows, 2) = 2;
  full.G(rows + 1, problem.layout.chains[0].offset[3] + 1) = full.G(rows + 1, 1) = -1;
  full.g = test::LongVector::Zero(rows + 2);
  expect_covariance(result, covariance_of(problem, full), 1e-9);
}

TEST(Uncertainty, WhatConstraintsDetermineIsHeld) {
  BlockProblem problem = test::random_blocks(67, 2, 2, {{.links = 5}});
  problem.blocks.constraints = {{0}, {false}, Matrix(1, 0), Matrix(1, 2)};
  problem.blocks.constraints.by_theta(0, 1) = -3;
  const Uncertainty result = uncertainty_of(problem);
  EXPECT_EQ(result.held, (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(result.seen, std::vector<bool>(4, true));
}

// Only theta_0 - 2 theta_2 acts anywhere.
BlockProblem with_theta_0_and_2_acting_together() {
  BlockProblem problem = test::random_blocks(63, 3, 2, {{.links = 8}});
  const auto depend = [](Matrix& by_theta) {
    for (int i = 0; i < by_theta.rows; ++i) by_theta(i, 2) = -2 * by_theta(i, 0);
  };
  for (auto& rows : problem.blocks.chains[0].rows) depend(rows.by_theta);
  for (auto& link : problem.blocks.chains[0].links) depend(link.by_theta);
  return problem;
}

TEST(Uncertainty, NamesADirectionThatTheDataCannotSee) {
  const Uncertainty result = uncertainty_of(with_theta_0_and_2_acting_together());
  ASSERT_EQ(result.null_directions.size(), 1u);
  const std::vector<double>& direction = result.null_directions[0];
  EXPECT_NEAR(direction[0] / direction[2], 2, 1e-8);
  for (const int i : {1, 3, 4}) EXPECT_NEAR(direction[i] / direction[2], 0, 1e-8) << i;
  EXPECT_EQ(result.seen, (std::vector<bool>{false, true, false, true, true}));
  EXPECT_EQ(result.free_and_seen, 4);
  EXPECT_TRUE(std::isfinite(result.covariance(1, 1)));
}

// As above, with theta_0 at a bound: the bound is met by chance, for theta_2 could make up for any other value.
TEST(Uncertainty, ABoundMetAlongANullDirectionDeterminesNothing) {
  BlockProblem problem = with_theta_0_and_2_acting_together();
  nlp::Point q(problem.layout.unknowns, 0.0);
  problem.layout.upper[0] = 0;
  problem.layout.upper[1] = 0;
  const Uncertainty result = uncertainty_of(problem, q);
  EXPECT_EQ(result.held, (std::vector<bool>{false, true, false, false, false}));
  EXPECT_EQ(result.seen, (std::vector<bool>{false, true, false, true, true}));
  ASSERT_EQ(result.null_directions.size(), 1u);
  EXPECT_NEAR(result.null_directions[0][0] / result.null_directions[0][2], 2, 1e-8);
}

TEST(Uncertainty, WhatNoRowTouchesIsUnseen) {
  BlockProblem problem = test::random_blocks(64, 2, 2, {{.links = 5}});
  for (auto& rows : problem.blocks.chains[0].rows)
    for (int i = 0; i < rows.by_theta.rows; ++i) rows.by_theta(i, 0) = 0;
  for (auto& link : problem.blocks.chains[0].links)
    for (int i = 0; i < link.by_theta.rows; ++i) link.by_theta(i, 0) = 0;
  const Uncertainty result = uncertainty_of(problem);
  EXPECT_EQ(result.seen, (std::vector<bool>{false, true, true, true}));
  ASSERT_EQ(result.null_directions.size(), 1u);
  for (const double entry : result.covariance.data) EXPECT_FALSE(std::isnan(entry));
}

TEST(Uncertainty, SmallAndLargeQuantitiesCountAlike) {
  BlockProblem problem = test::random_blocks(65, 2, 2, {{.links = 6}});
  const Uncertainty plain = uncertainty_of(problem);
  const auto shrink = [](Matrix& by_theta) {
    for (int i = 0; i < by_theta.rows; ++i) by_theta(i, 0) *= 1e-9;
  };
  for (auto& rows : problem.blocks.chains[0].rows) shrink(rows.by_theta);
  for (auto& link : problem.blocks.chains[0].links) shrink(link.by_theta);
  problem.sizes[0] *= 1e9;
  const Uncertainty scaled = uncertainty_of(problem);
  EXPECT_TRUE(scaled.null_directions.empty());
  EXPECT_NEAR(scaled.covariance(0, 0), 1e18 * plain.covariance(0, 0), 1e8 * plain.covariance(0, 0));
  EXPECT_NEAR(scaled.covariance(1, 1), plain.covariance(1, 1), 1e-10 * plain.covariance(1, 1));
}

}  // namespace
}  // namespace salvo::statistics
