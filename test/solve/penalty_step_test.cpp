#include "solve/step/penalty_step.hpp"

#include <gtest/gtest.h>

#include "helpers/blocks.hpp"

namespace salvo::solve {
namespace {

using test::BlockProblem;
using test::LongMatrix;
using test::LongVector;

// |r + J x|^2 + rho |D^-1 (g + G x)|^2 + mu |D^-1 x|^2 as one tall least-squares problem.
struct Stacked {
  LongMatrix rows;
  LongVector constant;
};
Stacked stacked(const BlockProblem& problem, double rho, double mu) {
  test::Dense full = test::dense(problem);
  const auto root = [](double x) { return std::sqrt(static_cast<long double>(x)); };
  Eigen::Index gap = 0;
  for (std::size_t c = 0; c < problem.layout.chains.size(); ++c) {
    const auto& chain = problem.layout.chains[c];
    for (int j = 0; j < chain.links(); ++j)
      for (int i = 0; i < chain.size[j + 1]; ++i, ++gap) {
        const long double weight = root(rho) / problem.sizes[chain.offset[j + 1] + i];
        full.G.row(gap) *= weight;
        full.g[gap] *= weight;
      }
  }
  const Eigen::Index n = full.J.cols();
  Stacked out{LongMatrix::Zero(full.J.rows() + full.G.rows() + n, n),
              LongVector::Zero(full.J.rows() + full.G.rows() + n)};
  out.rows.topRows(full.J.rows()) = full.J;
  out.rows.middleRows(full.J.rows(), full.G.rows()) = full.G;
  for (Eigen::Index i = 0; i < n; ++i) out.rows(full.J.rows() + full.G.rows() + i, i) = root(mu) / problem.sizes[i];
  out.constant.head(full.r.size()) = full.r;
  out.constant.segment(full.r.size(), full.g.size()) = full.g;
  return out;
}

void expect_step_of_the_dense_problem(const BlockProblem& problem, double rho, double mu) {
  const Stacked full = stacked(problem, rho, mu);
  const LongVector expected = test::least_squares(full.rows, -full.constant);
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const PenaltyStep step = penalty_step(problem.layout, q, problem.blocks, problem.sizes, rho, mu, {});
  const double size = static_cast<double>(expected.cwiseAbs().maxCoeff());
  for (int i = 0; i < problem.layout.unknowns; ++i)
    EXPECT_NEAR(step.delta[i], static_cast<double>(expected[i]), 1e-9 * size) << i;

  const Eigen::Index without_mu = full.rows.rows() - full.rows.cols();
  const LongVector after = full.constant + full.rows * expected;
  const long double decrease =
      0.5L * (full.constant.head(without_mu).squaredNorm() - after.head(without_mu).squaredNorm());
  EXPECT_NEAR(step.predicted, static_cast<double>(decrease), 1e-8 * static_cast<double>(decrease));
}

TEST(PenaltyStep, IsTheStepOfTheDenseProblem) {
  for (const double rho : {1e-3, 1.0, 1e4})
    for (const double mu : {1e-6, 0.1, 10.0})
      for (const int links : {1, 2, 9, 30})
        expect_step_of_the_dense_problem(test::random_blocks(links, 3, 2, {{.links = links}}), rho, mu);
}

TEST(PenaltyStep, TakesSeveralChainsPriorsAndNodesWithoutRows) {
  test::BlockProblem problem = test::random_blocks(
      31, 2, 3, {{.links = 6, .free_initial = 1}, {.links = 4, .free_initial = 0, .rows_per_node = 1}}, 2);
  problem.blocks.chains[0].rows[2] = {{}, Matrix(0, 3), Matrix(0, 2)};
  expect_step_of_the_dense_problem(problem, 2, 0.3);
}

TEST(PenaltyStep, StaysWithinTheBoundsOfTheta) {
  test::BlockProblem problem = test::random_blocks(32, 2, 2, {{.links = 5}});
  const nlp::Point q(problem.layout.unknowns, 0.0);
  const PenaltyStep free = penalty_step(problem.layout, q, problem.blocks, problem.sizes, 1, 0.1, {});
  problem.layout.lower[0] = std::min(0.0, 0.4 * free.delta[0]);
  problem.layout.upper[0] = std::max(0.0, 0.4 * free.delta[0]);
  const PenaltyStep bounded = penalty_step(problem.layout, q, problem.blocks, problem.sizes, 1, 0.1, {});
  EXPECT_NEAR(bounded.delta[0], 0.4 * free.delta[0], 1e-12);
  EXPECT_LT(bounded.predicted, free.predicted);
}

TEST(PenaltyObjective, AddsTheWeightedSquaresOfTheGaps) {
  test::BlockProblem problem = test::random_blocks(33, 1, 2, {{.links = 3}});
  problem.blocks.objective = 7;
  double sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i)
      sum += std::pow(
          problem.blocks.chains[0].links[j].gap[i] / problem.sizes[problem.layout.chains[0].offset[j + 1] + i], 2);
  EXPECT_NEAR(penalty_objective(problem.layout, problem.blocks, problem.sizes, {}, 0.6), 7 + 0.3 * sum, 1e-13);
}

}  // namespace
}  // namespace salvo::solve
