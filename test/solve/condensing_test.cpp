#include "solve/elimination/condensing.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "helpers/blocks.hpp"
#include "solve/elimination/chain_elimination.hpp"
#include "solve/elimination/elimination.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::random_blocks;

std::optional<Condensing> condense(const BlockProblem& problem) {
  Condensing condensing;
  if (!condensing.take(problem.blocks.chains[0], sizes_of_chain(problem.layout, problem.sizes, 0))) return std::nullopt;
  return condensing;
}

void scale_links(BlockProblem& problem, int from, int to, double factor) {
  for (int j = from; j < to; ++j)
    for (double& entry : problem.blocks.chains[0].links[j].by_block.data) entry *= factor;
}

void expect_condensed_step(const BlockProblem& problem, double tolerance) {
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  const auto step = elimination.correct(problem.blocks, {.held = std::vector<bool>(problem.layout.thetas, false)});
  const test::LongVector expected = test::dense_step(problem);
  const double size = static_cast<double>(expected.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < step.size(); ++i)
    EXPECT_NEAR(step[i], static_cast<double>(expected[static_cast<Eigen::Index>(i)]), tolerance * size) << i;
}

TEST(Condensing, GivesTheStepOfTheFullSystemWhereNothingGrows) {
  const BlockProblem problem = random_blocks(31, 3, 4, {{.links = 30, .rows_per_node = 4, .growth = 0.4}});
  ASSERT_TRUE(condense(problem));
  expect_condensed_step(problem, 1e-11);
}

TEST(Condensing, CompressesItsRows) {
  const BlockProblem problem = random_blocks(34, 2, 2, {{.links = 60, .rows_per_node = 5, .growth = 0.4}});
  const auto condensed = condense(problem);
  ASSERT_TRUE(condensed);
  EXPECT_EQ(condensed->R_00().rows + condensed->F().rows, 4);  // as many as there are unknowns: theta and v_0
  expect_condensed_step(problem, 1e-11);
}

TEST(Condensing, TakesKnownInitialValues) {
  const BlockProblem problem = random_blocks(36, 3, 3, {{.links = 12, .free_initial = 0, .growth = 0.4}});
  ASSERT_TRUE(condense(problem));
  expect_condensed_step(problem, 1e-11);
}

TEST(Condensing, IsLeftToChainsThatDoNotGrow) {
  BlockProblem problem = random_blocks(32, 2, 3, {{.links = 30, .rows_per_node = 3, .growth = 0.4}});
  scale_links(problem, 15, 30, 40);
  EXPECT_FALSE(condense(problem));
  expect_condensed_step(problem, 1e-8);
  EXPECT_FALSE(condense(random_blocks(33, 2, 2, {{.links = 20, .free_initial = 0, .growth = 20}})));
}

TEST(Condensing, TakesChainsWithoutLinksWhereTheyAreWanted) {
  const BlockProblem problem = random_blocks(37, 2, 2, {{.links = 0, .rows_per_node = 4}, {.links = 1}});
  CondensedChains condensed;
  condensed.take(problem.layout, problem.blocks, problem.sizes);
  EXPECT_FALSE(condensed.all());
  condensed.take(problem.layout, problem.blocks, problem.sizes, Unlinked::taken);
  EXPECT_TRUE(condensed.all());
}

// Columns of v_0 and theta are small throughout, but a disturbance of any node would grow by 20 with each link.
TEST(Condensing, SeesGrowthThatTheUnknownsDoNotExcite) {
  for (const int states : {2, 30}) {
    BlockProblem problem = random_blocks(35, 1, states, {{.links = 10, .free_initial = 0, .rows_per_node = 2}});
    for (nlp::Link& link : problem.blocks.chains[0].links) {
      link.by_theta = Matrix(states, 1);
      for (int i = 0; i < states; ++i)
        for (int k = 0; k < link.by_block.cols; ++k) link.by_block(i, k) = i == k ? 20 : 0;
    }
    EXPECT_FALSE(condense(problem));
  }
}

}  // namespace
}  // namespace salvo::solve
