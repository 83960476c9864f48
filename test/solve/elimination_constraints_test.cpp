#include <gtest/gtest.h>

#include <cmath>

#include "helpers/blocks.hpp"
#include "solve/elimination/elimination.hpp"

// The elimination with constraints, against one dense system.
namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::random_blocks;

nlp::Constraints random_constraints(Random& random, int count, int block, int thetas, bool equality) {
  return {test::random_vector(random, count), std::vector<bool>(count, equality),
          test::random_matrix(random, count, block), test::random_matrix(random, count, thetas)};
}

// `of_theta` rows of theta alone, and one at each of the given nodes of the first chain.
void add_constraints(BlockProblem& problem, std::uint64_t seed, int of_theta, const std::vector<int>& nodes,
                     bool equality) {
  Random random(seed);
  const int thetas = problem.layout.thetas;
  problem.blocks.constraints = random_constraints(random, of_theta, 0, thetas, equality);
  const nlp::Layout::Chain& chain = problem.layout.chains[0];
  problem.blocks.chains[0].constraints.resize(chain.size.size());
  for (const int j : nodes)
    problem.blocks.chains[0].constraints[j] = random_constraints(random, 1, chain.size[j], thetas, equality);
}

// The dense step with these rows of the constraints as equations.
test::LongVector dense_step(const BlockProblem& problem, const std::vector<bool>& held) {
  test::Dense full = test::dense(problem);
  std::size_t row = 0;
  const auto add = [&](const nlp::Constraints& constraints, int offset) {
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i) {
      if (!held[row++]) continue;
      const Eigen::Index at = full.G.rows();
      full.G.conservativeResize(at + 1, Eigen::NoChange);
      full.G.row(at).setZero();
      for (int k = 0; k < constraints.by_theta.cols; ++k) full.G(at, k) = constraints.by_theta(i, k);
      for (int k = 0; k < constraints.by_block.cols; ++k) full.G(at, offset + k) = constraints.by_block(i, k);
      full.g.conservativeResize(at + 1);
      full.g[at] = constraints.c[i];
    }
  };
  add(problem.blocks.constraints, 0);
  for (std::size_t c = 0; c < problem.blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < problem.blocks.chains[c].constraints.size(); ++j)
      add(problem.blocks.chains[c].constraints[j], problem.layout.chains[c].offset[j]);
  return test::dense_step(full);
}

void expect_step(const BlockProblem& problem, const std::vector<double>& step, const std::vector<bool>& held) {
  const test::LongVector expected = dense_step(problem, held);
  const double size = static_cast<double>(expected.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < step.size(); ++i)
    EXPECT_NEAR(step[i], static_cast<double>(expected[static_cast<Eigen::Index>(i)]), 1e-8 * size) << i;
}

Elimination::Step step_of(const BlockProblem& problem) {
  return Elimination(problem.layout, problem.blocks, problem.sizes, 1e-9)
      .solve(problem.blocks, nlp::Point(problem.layout.unknowns, 0.0));
}

TEST(EliminationWithConstraints, EqualitiesGiveTheStepOfTheDenseSystem) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    BlockProblem problem = random_blocks(seed, 3, 2, {{.links = 7}, {.links = 3, .free_initial = 1}});
    add_constraints(problem, seed, 1, {}, true);
    expect_step(problem, step_of(problem).delta, std::vector<bool>(1, true));
    add_constraints(problem, seed, 1, {0, 4}, true);
    expect_step(problem, step_of(problem).delta, std::vector<bool>(3, true));
  }
}

TEST(EliminationWithConstraints, InequalitiesHoldAndThoseThatActAreActive) {
  int acted = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    BlockProblem problem = random_blocks(seed, 3, 2, {{.links = 6}});
    add_constraints(problem, seed, 2, {1, 3, 6}, false);
    const Elimination::Step step = step_of(problem);
    ASSERT_TRUE(step.conflict.empty());
    std::vector<bool> held(5, false);
    for (const int row : step.active) held[row] = true;
    acted += static_cast<int>(step.active.size());
    expect_step(problem, step.delta, held);
    for (int i = 0; i < 5; ++i) {
      EXPECT_GE(step.multipliers[i], 0);
      EXPECT_EQ(step.multipliers[i] > 0, held[i]);
    }
  }
  EXPECT_GT(acted, 10);
}

TEST(EliminationWithConstraints, TheCorrectionKeepsTheActiveOnes) {
  BlockProblem problem = random_blocks(5, 3, 2, {{.links = 6}});
  add_constraints(problem, 5, 2, {2, 5}, true);
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  const Elimination::Step step = elimination.solve(problem.blocks, nlp::Point(problem.layout.unknowns, 0.0));
  BlockProblem other = problem;
  for (double& c : other.blocks.constraints.c) c *= -0.3;
  for (auto& rows : other.blocks.chains[0].rows)
    for (double& r : rows.r) r += 1;
  expect_step(other, elimination.correct(other.blocks, step), std::vector<bool>(4, true));
}

// A chain that grows by e^2 per link from a known start keeps its ends; bounds and constraints hold there too.
TEST(EliminationWithConstraints, BoundsHoldWhereAKnownStartGrows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    BlockProblem problem =
        random_blocks(seed, 2, 2, {{.links = 14, .free_initial = 0, .rows_per_node = 2, .growth = std::exp(2.0)}});
    const double free = step_of(problem).delta[0];
    problem.layout.lower[0] = -0.5 * std::abs(free);
    problem.layout.upper[0] = 0.5 * std::abs(free);
    const Elimination::Step bounded = step_of(problem);
    EXPECT_NEAR(bounded.delta[0], free < 0 ? problem.layout.lower[0] : problem.layout.upper[0], 1e-9 * std::abs(free));
    EXPECT_TRUE(bounded.held[0]);
  }
}

}  // namespace
}  // namespace salvo::solve
