#include "solve/elimination/elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::ChainShape;
using test::random_blocks;

std::vector<double> eliminated_step(const BlockProblem& problem) {
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  return elimination.correct(problem.blocks, {.held = std::vector<bool>(problem.layout.thetas, false)});
}

// Largest difference of the steps, relative to the largest entry.
double difference(const std::vector<double>& step, const test::LongVector& expected) {
  double most = 0;
  for (std::size_t i = 0; i < step.size(); ++i)
    most = std::max(most, std::abs(step[i] - static_cast<double>(expected[static_cast<Eigen::Index>(i)])));
  return most / static_cast<double>(expected.cwiseAbs().maxCoeff());
}

void expect_step_of_the_full_system(const BlockProblem& problem, double tolerance = 1e-10) {
  EXPECT_LE(difference(eliminated_step(problem), test::dense_step(problem)), tolerance);
}

TEST(Elimination, GivesTheStepOfTheFullSystem) {
  for (int links = 1; links <= 40; links += links < 6 ? 1 : 17) {
    SCOPED_TRACE(links);
    const int enough = links < 4 ? 4 : 1;  // rows at each node
    expect_step_of_the_full_system(random_blocks(links, 3, 2, {{.links = links, .rows_per_node = enough}}));
    expect_step_of_the_full_system(
        random_blocks(links, 1, 3, {{.links = links, .free_initial = 3, .rows_per_node = enough}}));
    expect_step_of_the_full_system(random_blocks(links, 4, 2, {{.links = links, .rows_per_node = 5}}));
  }
}

TEST(Elimination, TakesInitialValuesThatAreKnownInPart) {
  for (int free = 0; free <= 3; ++free) {
    SCOPED_TRACE(free);
    expect_step_of_the_full_system(random_blocks(7, 2, 3, {{.links = 9, .free_initial = free}}));
    expect_step_of_the_full_system(random_blocks(8, 2, 3, {{.links = 1, .free_initial = free, .rows_per_node = 4}}));
  }
}

TEST(Elimination, TakesSeveralChainsAndPriors) {
  const std::vector<ChainShape> shapes{{.links = 12, .free_initial = 2},
                                       {.links = 3, .free_initial = 0, .rows_per_node = 1},
                                       {.links = 1, .free_initial = 1, .rows_per_node = 3}};
  expect_step_of_the_full_system(random_blocks(11, 3, 2, shapes));
  expect_step_of_the_full_system(random_blocks(12, 3, 2, shapes, 2));
}

TEST(Elimination, TakesAChainThatIsOneNodeOnly) {
  expect_step_of_the_full_system(random_blocks(13, 2, 2, {{.links = 0, .free_initial = 2, .rows_per_node = 6}}));
  expect_step_of_the_full_system(random_blocks(14, 2, 2, {{.links = 0, .rows_per_node = 3}, {.links = 5}}));
}

TEST(Elimination, NeedsNoParameters) {
  expect_step_of_the_full_system(random_blocks(15, 0, 2, {{.links = 10}}));
  expect_step_of_the_full_system(random_blocks(16, 0, 2, {{.links = 1, .rows_per_node = 4}, {.links = 4}}));
}

TEST(Elimination, RowsMayBeAnywhere) {
  BlockProblem problem = random_blocks(17, 2, 2, {{.links = 8, .rows_per_node = 3}});
  for (const int j : {0, 1, 2, 4, 5, 8}) problem.blocks.chains[0].rows[j] = {{}, Matrix(0, 2), Matrix(0, 2)};
  expect_step_of_the_full_system(problem);
}

// 20 links that grow by e^3 each: the product of the transition matrices is e^60.
TEST(Elimination, DoesNotMindGrowth) {
  const double growth = std::exp(3.0);
  for (int thetas = 1; thetas <= 4; ++thetas)
    expect_step_of_the_full_system(random_blocks(21, thetas, 2, {{.links = 20, .growth = growth}}), 1e-11);
}

// Known initial values and growth: the ends follow from theta through tiny numbers, and stay in the small problem.
TEST(Elimination, DoesNotMindGrowthFromAKnownStart) {
  for (const double growth : {5.0, 20.0})
    expect_step_of_the_full_system(random_blocks(22, 2, 2, {{.links = 20, .free_initial = 0, .growth = growth}}), 1e-6);
  expect_step_of_the_full_system(random_blocks(28, 2, 2, {{.links = 20, .free_initial = 1, .growth = 5}}), 1e-6);
}

TEST(Elimination, DoesNotMindContraction) {
  expect_step_of_the_full_system(random_blocks(22, 2, 2, {{.links = 20, .growth = 1e-13}}), 1e-9);
  BlockProblem singular = random_blocks(23, 2, 2, {{.links = 20}});
  for (auto& link : singular.blocks.chains[0].links) link.by_block = Matrix(2, 2);
  expect_step_of_the_full_system(singular, 1e-9);
}

// One direction grows by e^3, another shrinks by as much: the true step is known without any algebra.
TEST(Elimination, FindsAKnownOptimumThroughGrowthAndContraction) {
  BlockProblem problem = random_blocks(24, 1, 2, {{.links = 20, .rows_per_node = 2}});
  Random random(25);
  std::vector<double> known = test::random_vector(random, problem.layout.unknowns);
  const auto& place = problem.layout.chains[0];
  for (int j = 0; j < 20; ++j) {
    auto& link = problem.blocks.chains[0].links[j];
    link.by_block = Matrix(2, 2);
    link.by_block(0, 0) = std::exp(3.0);
    link.by_block(1, 1) = std::exp(-3.0);
    link.by_block(0, 1) = 0.3;
    for (int i = 0; i < 2; ++i) {
      double end = link.by_theta(i, 0) * known[0];
      for (int k = 0; k < 2; ++k) end += link.by_block(i, k) * known[place.offset[j] + k];
      link.gap[i] = known[place.offset[j + 1] + i] - end;
    }
  }
  for (int j = 0; j <= 20; ++j) {  // residuals that vanish at the known step
    auto& rows = problem.blocks.chains[0].rows[j];
    for (int i = 0; i < 2; ++i) {
      rows.r[i] = -rows.by_theta(i, 0) * known[0];
      for (int k = 0; k < 2; ++k) rows.r[i] -= rows.by_block(i, k) * known[place.offset[j] + k];
    }
  }
  const std::vector<double> step = eliminated_step(problem);
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(step[i], known[i], 1e-9) << i;
}

TEST(Elimination, ServesOtherRightHandSides) {
  BlockProblem problem = random_blocks(26, 3, 2, {{.links = 15, .rows_per_node = 4}});
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  const BlockProblem other = random_blocks(27, 3, 2, {{.links = 15, .rows_per_node = 4}});
  for (int j = 0; j <= 15; ++j) {
    problem.blocks.chains[0].rows[j].r = other.blocks.chains[0].rows[j].r;
    if (j < 15) problem.blocks.chains[0].links[j].gap = other.blocks.chains[0].links[j].gap;
  }
  const auto step = elimination.correct(problem.blocks, {.held = std::vector<bool>(3, false)});
  EXPECT_LE(difference(step, test::dense_step(problem)), 1e-10);
}

}  // namespace
}  // namespace salvo::solve
