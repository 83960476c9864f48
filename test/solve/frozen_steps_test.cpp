#include "solve/step/frozen_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decay_chain.hpp"
#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::ChainShape;
using test::LongMatrix;
using test::LongVector;

const std::vector<ChainShape> two_chains{{.links = 8, .growth = 0.5}, {.links = 3, .free_initial = 1, .growth = 0.5}};

nlp::Blocks gaps_alone(nlp::Blocks blocks) {
  for (nlp::ChainBlocks& chain : blocks.chains)
    for (nlp::Rows& rows : chain.rows) std::fill(rows.r.begin(), rows.r.end(), 0.0);
  std::fill(blocks.priors.r.begin(), blocks.priors.r.end(), 0.0);
  return blocks;
}

LongVector to_long(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()))
      .cast<long double>();
}

// All multipliers, in the order of the rows of the dense system.
LongVector to_long(const GapMultipliers& y) {
  std::vector<double> all;
  for (const auto& chain : y) all.insert(all.end(), chain.begin(), chain.end());
  return to_long(all);
}

void expect_zero(const LongVector& vector, long double size) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) EXPECT_LE(std::abs(vector[i]), 1e-11 * size) << i;
}

// min |J x|^2 / 2 + g'x s.t. gaps + G x = 0 has a step Δ and multipliers y with J'J Δ + g + G'y = 0, gaps + G Δ = 0.
TEST(Descent, FollowsAnyGradientToWhereTheLagrangeFunctionIsStationary) {
  for (const int priors : {0, 3}) {
    const BlockProblem problem = test::random_blocks(11, 4, 2, two_chains, priors);
    const test::Dense dense = test::dense(problem);
    Random random(5);
    const std::vector<double> gradient = test::random_vector(random, problem.layout.unknowns);
    Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
    ASSERT_TRUE(elimination.can_descend({}));
    std::vector<double> delta;
    elimination.descend(gaps_alone(problem.blocks), gradient, delta);
    RecursionRoom room;
    GapMultipliers y;
    write_multipliers(problem.layout, problem.blocks, delta, room, y);
    for (auto& chain : y) std::fill(chain.begin(), chain.end(), 0.0);
    add_change_of_multipliers(problem.layout, problem.blocks, gradient, delta, room, y);
    const LongVector step = to_long(delta);
    expect_zero(dense.g + dense.G * step, step.norm());
    expect_zero(dense.J.transpose() * (dense.J * step) + to_long(gradient) + dense.G.transpose() * to_long(y),
                to_long(y).norm());
  }
}

TEST(Descent, ByTheGradientOfTheRowsIsTheStepOfTheRows) {
  const BlockProblem problem = test::random_blocks(12, 3, 2, two_chains, 1);
  const test::Dense dense = test::dense(problem);
  const LongVector of_rows = dense.J.transpose() * dense.r;
  std::vector<double> gradient(of_rows.size());
  for (Eigen::Index i = 0; i < of_rows.size(); ++i) gradient[i] = static_cast<double>(of_rows[i]);
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  const auto step = elimination.solve(problem.blocks, nlp::Point(problem.layout.unknowns, 0.0));
  std::vector<double> delta;
  elimination.descend(gaps_alone(problem.blocks), gradient, delta);
  for (std::size_t i = 0; i < delta.size(); ++i) EXPECT_NEAR(delta[i], step.delta[i], 1e-11);
  RecursionRoom room;
  GapMultipliers y;
  write_multipliers(problem.layout, problem.blocks, step.delta, room, y);
  expect_zero(dense.J.transpose() * (dense.r + dense.J * to_long(step.delta)) + dense.G.transpose() * to_long(y),
              to_long(y).norm());
}

TEST(Descent, IsNotForWhatIsHeldOrUnseen) {
  BlockProblem problem = test::random_blocks(13, 3, 2, two_chains);
  Elimination elimination(problem.layout, problem.blocks, problem.sizes, 1e-9);
  EXPECT_TRUE(elimination.can_descend({.held = {false, false, false}}));
  EXPECT_FALSE(elimination.can_descend({.held = {false, true, false}}));
  for (nlp::ChainBlocks& chain : problem.blocks.chains) {  // nothing depends on the last theta
    for (nlp::Link& link : chain.links)
      for (int i = 0; i < link.by_theta.rows; ++i) link.by_theta(i, 2) = 0;
    for (nlp::Rows& rows : chain.rows)
      for (int i = 0; i < rows.by_theta.rows; ++i) rows.by_theta(i, 2) = 0;
  }
  elimination.take(problem.blocks, problem.sizes, 1e-9);
  EXPECT_FALSE(elimination.can_descend({}));
}

// Residuals as large as this one's make the matrices of another point wrong by a tenth, and the end must not show it.
TEST(FrozenSteps, EndWhereTheObjectiveIsLeastWithTheMatricesOfAnotherPoint) {
  const test::DecayChain problem({2, 1.5, 0.4, 0.6, 0.1, 0.3});
  const double best = problem.best_theta(0, 2);
  nlp::Point q = problem.start(best + 0.05);
  q[1] = problem.best_first(q[0]);
  for (std::size_t j = 2; j < q.size(); ++j) q[j] = q[j - 1] * std::exp(-q[0]);
  nlp::Blocks blocks;
  ASSERT_TRUE(problem.linearize(q, blocks).ok);
  const std::vector<double> sizes(q.size(), 1.0);
  Elimination elimination(problem.layout(), blocks, sizes, 1e-9);
  std::vector<double> delta = elimination.solve(blocks, q).delta;
  RecursionRoom room;
  GapMultipliers y;
  write_multipliers(problem.layout(), blocks, delta, room, y);
  FrozenSteps steps(problem, blocks, elimination);
  double length = 1;
  for (int k = 0; k < 40 && length > 1e-14; ++k) {
    length = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += delta[i];
      length = std::max(length, std::abs(delta[i]));
    }
    ASSERT_TRUE(steps.take(q, {}, y, delta).ok);
  }
  EXPECT_LE(length, 1e-14);
  EXPECT_NEAR(q[0], best, 2e-8);  // as far as golden section tells
  EXPECT_NEAR(2 * steps.objective(), problem.sum_of_squares(q[0]), 1e-12);
  EXPECT_LE(steps.gap(), 1e-14);
  for (const double slope : {1e-5, -1e-5})
    EXPECT_GT(problem.sum_of_squares(q[0] + slope), problem.sum_of_squares(q[0]));
}

}  // namespace
}  // namespace salvo::solve
