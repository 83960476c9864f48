#include "solve/elimination/full_rank_elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/allocations.hpp"
#include "helpers/blocks.hpp"
#include "solve/elimination/elimination.hpp"
#include "solve/elimination/general_elimination.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::ChainShape;
using test::random_blocks;

constexpr double tolerance = 1e-9;

bool is_full_rank(const BlockProblem& problem) {
  CondensedChains condensed;
  condensed.take(problem.layout, problem.blocks, problem.sizes);
  FullRankElimination plain;
  return condensed.all() && plain.take(problem.layout, problem.blocks, problem.sizes, condensed.chains, tolerance);
}

Elimination::Step general_step(const BlockProblem& problem, const nlp::Point& q) {
  CondensedChains condensed;
  condensed.take(problem.layout, problem.blocks, problem.sizes);
  return GeneralElimination(problem.layout, problem.blocks, problem.sizes, condensed, tolerance)
      .solve(problem.blocks, q);
}

void expect_equal(const std::vector<double>& step, const std::vector<double>& expected) {
  ASSERT_EQ(step.size(), expected.size());
  double largest = 0;
  for (const double entry : expected) largest = std::max(largest, std::abs(entry));
  for (std::size_t i = 0; i < step.size(); ++i) EXPECT_NEAR(step[i], expected[i], 1e-10 * largest) << i;
}

// Tall chains, chains with fewer rows than unknowns, and known initial values.
const std::vector<std::vector<ChainShape>> mild{
    {{.links = 10, .growth = 0.5}},
    {{.links = 8, .growth = 0.5}, {.links = 1, .rows_per_node = 1, .growth = 0.5}},
    {{.links = 12, .free_initial = 0, .growth = 0.5}, {.links = 6, .free_initial = 1, .growth = 0.5}}};

TEST(FullRankElimination, GivesTheStepOfTheFullSystem) {
  for (const int priors : {0, 2})
    for (const auto& shapes : mild) {
      const BlockProblem problem = random_blocks(5, 4, 2, shapes, priors);
      ASSERT_TRUE(is_full_rank(problem));
      const auto step = Elimination(problem.layout, problem.blocks, problem.sizes, 1e-9)
                            .solve(problem.blocks, nlp::Point(problem.layout.unknowns, 0.0));
      const test::LongVector expected = test::dense_step(problem);
      expect_equal(step.delta, std::vector<double>(expected.begin(), expected.end()));
    }
}

TEST(FullRankElimination, KeepsBoundsLikeTheGeneralOne) {
  BlockProblem problem = random_blocks(6, 4, 2, mild[1]);
  ASSERT_TRUE(is_full_rank(problem));
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const auto free = general_step(problem, q);
  for (int i = 0; i < 2; ++i) {
    problem.layout.lower[i] = -std::abs(free.delta[i]) / 2;
    problem.layout.upper[i] = std::abs(free.delta[i]) / 2;
  }
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  const auto step = elimination.solve(problem.blocks, q);
  const auto expected = general_step(problem, q);
  EXPECT_EQ(step.held, expected.held);
  EXPECT_NE(step.held, std::vector<bool>(4, false));
  expect_equal(step.delta, expected.delta);
}

TEST(FullRankElimination, IsLeftToChainsWhoseRowsSeeTheInitialState) {
  BlockProblem problem = random_blocks(7, 3, 2, {{.links = 9, .growth = 0.5}});
  EXPECT_TRUE(is_full_rank(problem));
  for (double& entry : problem.blocks.chains[0].links[0].by_block.data) entry = 0;  // forgotten after one interval
  nlp::Rows& at_start = problem.blocks.chains[0].rows[0];
  for (int i = 0; i < 2; ++i) at_start.by_block(i, 1) = 2 * at_start.by_block(i, 0);
  EXPECT_FALSE(is_full_rank(problem));
}

TEST(FullRankElimination, MovesAsLittleAsItMayAlongAThetaThatNothingDependsOn) {
  BlockProblem problem = random_blocks(8, 3, 2, {{.links = 9, .growth = 0.5}});
  for (auto& rows : problem.blocks.chains[0].rows)
    for (int i = 0; i < rows.by_theta.rows; ++i) rows.by_theta(i, 1) = 0;
  for (auto& link : problem.blocks.chains[0].links)
    for (int i = 0; i < link.by_theta.rows; ++i) link.by_theta(i, 1) = 0;
  ASSERT_TRUE(is_full_rank(problem));
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const auto step = Elimination(problem.layout, problem.blocks, problem.sizes, 1e-9).solve(problem.blocks, q);
  EXPECT_EQ(step.delta[1], 0);
  expect_equal(step.delta, general_step(problem, q).delta);
}

TEST(FullRankElimination, AllocatesNothingAfterItsFirstUse) {
  for (const auto& shapes : mild) {
    const BlockProblem first = random_blocks(9, 4, 2, shapes, 1);
    const BlockProblem second = random_blocks(10, 4, 2, shapes, 1);
    const nlp::Point q(first.layout.unknowns, 0.0);
    Elimination elimination(first.layout);
    Elimination::Step step;
    std::vector<double> correction;
    const auto use = [&](const BlockProblem& problem) {
      elimination.take(problem.blocks, problem.sizes, 1e-9);
      elimination.solve(problem.blocks, q, step);
      elimination.correct(problem.blocks, step, correction);
    };
    use(first);
    const long before = test::allocations();
    use(second);
    EXPECT_EQ(test::allocations(), before);
    expect_equal(step.delta, general_step(second, q).delta);
  }
}

}  // namespace
}  // namespace salvo::solve
