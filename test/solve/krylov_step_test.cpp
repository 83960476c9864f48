#include "solve/step/krylov_step.hpp"

#include <gtest/gtest.h>

#include "helpers/block_products.hpp"
#include "helpers/blocks.hpp"
#include "solve/step/penalty_step.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;

constexpr double to_the_end = 1e-13;

KrylovStep step_of(const BlockProblem& problem, const nlp::Point& q, double rho, double mu,
                   const std::vector<bool>& fixed = {}) {
  const test::BlockProducts products(problem.blocks);
  return krylov_step({problem.layout, problem.blocks, products, problem.sizes, rho, mu}, q, fixed, to_the_end);
}

void expect_same(const KrylovStep& step, const PenaltyStep& direct, double tolerance) {
  double size = 0;
  for (const double entry : direct.delta) size = std::max(size, std::abs(entry));
  ASSERT_EQ(step.delta.size(), direct.delta.size());
  for (std::size_t i = 0; i < step.delta.size(); ++i)
    EXPECT_NEAR(step.delta[i], direct.delta[i], tolerance * size) << i;
  EXPECT_NEAR(step.predicted, direct.predicted, tolerance * std::abs(direct.predicted));
}

class CountedProducts final : public nlp::Products {
 public:
  explicit CountedProducts(const nlp::Blocks& blocks) : products_(blocks) {}
  void along(const std::vector<double>& theta, nlp::Blocks& change) const override {
    ++count;
    products_.along(theta, change);
  }
  std::vector<double> transposed(const nlp::Blocks& weights) const override { return products_.transposed(weights); }

  mutable int count = 0;

 private:
  test::BlockProducts products_;
};

TEST(KrylovStep, IsTheStepOfTheMatrices) {
  for (const double rho : {1e-2, 1.0, 1e6})
    for (const int links : {1, 2, 9, 30}) {
      SCOPED_TRACE(rho * links);
      const BlockProblem problem = test::random_blocks(links, 3, 2, {{.links = links}});
      const nlp::Point q(problem.layout.unknowns, 0.0);
      expect_same(step_of(problem, q, rho, 0.1),
                  penalty_step(problem.layout, q, problem.blocks, problem.sizes, rho, 0.1, {}), 1e-8);
    }
}

TEST(KrylovStep, TakesSeveralChainsPriorsAndNodesWithoutRows) {
  BlockProblem problem = test::random_blocks(
      31, 2, 3, {{.links = 6, .free_initial = 1}, {.links = 4, .free_initial = 0, .rows_per_node = 1}}, 2);
  problem.blocks.chains[0].rows[2] = {{}, Matrix(0, 3), Matrix(0, 2)};
  const nlp::Point q(problem.layout.unknowns, 0.0);
  expect_same(step_of(problem, q, 2, 0.3), penalty_step(problem.layout, q, problem.blocks, problem.sizes, 2, 0.3, {}),
              1e-9);
}

TEST(KrylovStep, NeedsNoMoreProductsThanThereAreRows) {
  const BlockProblem problem = test::random_blocks(7, 400, 2, {{.links = 5}});  // 22 rows and gaps
  const CountedProducts products(problem.blocks);
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const KrylovStep step = krylov_step({problem.layout, problem.blocks, products, problem.sizes, 1, 0.1}, q, {}, 1e-9);
  EXPECT_LE(products.count, 44);  // twice as many, for rounding
  expect_same(step, penalty_step(problem.layout, q, problem.blocks, problem.sizes, 1, 0.1, {}), 1e-6);
}

TEST(KrylovStep, StaysWithinTheBoundsOfTheta) {
  BlockProblem problem = test::random_blocks(32, 3, 2, {{.links = 5}});
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const PenaltyStep free = penalty_step(problem.layout, q, problem.blocks, problem.sizes, 1, 0.1, {});
  problem.layout.lower[0] = std::min(0.0, 0.4 * free.delta[0]);
  problem.layout.upper[0] = std::max(0.0, 0.4 * free.delta[0]);
  problem.layout.lower[1] = problem.layout.upper[1] = 0;
  expect_same(step_of(problem, q, 1, 0.1), penalty_step(problem.layout, q, problem.blocks, problem.sizes, 1, 0.1, {}),
              1e-8);
}

TEST(KrylovStep, LeavesStillWhatIsToStandStill) {
  const BlockProblem problem = test::random_blocks(33, 3, 2, {{.links = 5}});
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const KrylovStep step = step_of(problem, q, 1, 0.1, {false, true, false});
  EXPECT_EQ(step.delta[1], 0);
  EXPECT_NE(step.delta[0], 0);
}

}  // namespace
}  // namespace salvo::solve
