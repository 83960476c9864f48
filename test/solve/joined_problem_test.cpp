#include "solve/quadratic/joined_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "helpers/blocks.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::BlockProblem;

std::vector<double> units_for(const nlp::Layout& layout) {
  std::vector<double> units(layout.unknowns);
  for (std::size_t i = 0; i < units.size(); ++i) units[i] = 0.5 + static_cast<double>(i % 4);
  return units;
}

// The rows of all blocks as one matrix, in units; the other method.
struct DenseRows {
  MatrixXd J;
  VectorXd r;
};
DenseRows dense_rows(const BlockProblem& problem, const std::vector<double>& units) {
  const test::Dense full = test::dense(problem);
  return {full.J.cast<double>() * map(units).asDiagonal(), full.r.cast<double>()};
}

void expect_square_and_gradient(const BlockProblem& problem) {
  const std::vector<double> units = units_for(problem.layout);
  const DenseRows full = dense_rows(problem, units);
  JoinedProblem joined;
  take(problem.layout, problem.blocks, units, joined);
  const MatrixXd squares = full.J.transpose() * full.J;
  const VectorXd gradient = full.J.transpose() * full.r;
  EXPECT_LE((map(joined.R).transpose() * map(joined.R) - squares).norm(), 1e-12 * squares.norm());
  EXPECT_LE((map(joined.g) - gradient).norm(), 1e-12 * gradient.norm());
}

TEST(JoinedProblem, HasTheSquareAndTheGradientOfAllRows) {
  expect_square_and_gradient(test::random_blocks(
      41, 3, 2,
      {{.links = 0, .free_initial = 2, .rows_per_node = 5}, {.links = 0, .free_initial = 1, .rows_per_node = 3}}, 2));
}

TEST(JoinedProblem, TakesChainsWithoutFreeInitialStateAndWithoutPriors) {
  expect_square_and_gradient(test::random_blocks(42, 4, 2,
                                                 {{.links = 0, .free_initial = 0, .rows_per_node = 7},
                                                  {.links = 0, .free_initial = 2, .rows_per_node = 2},
                                                  {.links = 0, .free_initial = 0, .rows_per_node = 1}}));
}

TEST(JoinedProblem, TakesMoreRowsThanFitIntoOneBundle) {
  expect_square_and_gradient(test::random_blocks(43, 3, 2, {{.links = 0, .free_initial = 1, .rows_per_node = 1300}}));
}

TEST(JoinedProblem, TakesFewRowsOfManyChainsInBundlesThatTheyShare) {
  const std::vector<test::ChainShape> chains(260, {.links = 0, .free_initial = 1, .rows_per_node = 3});
  expect_square_and_gradient(test::random_blocks(45, 2, 1, chains, 2));
}

TEST(JoinedProblem, ChangesItsUnits) {
  const BlockProblem problem = test::random_blocks(46, 3, 2, {{.links = 0, .free_initial = 2, .rows_per_node = 9}});
  const std::vector<double> units = units_for(problem.layout);
  std::vector<double> by, others;
  for (std::size_t i = 0; i < units.size(); ++i) {
    by.push_back(0.3 + static_cast<double>(i));
    others.push_back(units[i] * by[i]);
  }
  JoinedProblem changed, in_others;
  take(problem.layout, problem.blocks, units, changed);
  change_units(by, changed);
  take(problem.layout, problem.blocks, others, in_others);
  const MatrixXd squares = map(in_others.R).transpose() * map(in_others.R);
  EXPECT_LE((map(changed.R).transpose() * map(changed.R) - squares).norm(), 1e-12 * squares.norm());
  EXPECT_LE((map(changed.g) - map(in_others.g)).norm(), 1e-12 * map(in_others.g).norm());
}

TEST(JoinedProblem, ForgetsWhatItHeldBefore) {
  const BlockProblem problem = test::random_blocks(44, 2, 2, {{.links = 0}}, 1);
  const std::vector<double> units = units_for(problem.layout);
  JoinedProblem once, twice;
  take(problem.layout, problem.blocks, units, once);
  take(problem.layout, problem.blocks, units, twice);
  take(problem.layout, problem.blocks, units, twice);
  EXPECT_EQ(once.g, twice.g);
  EXPECT_EQ(once.R.data, twice.R.data);
}

TEST(GradientOf, TakesTheMatricesOfOnePointAndTheResidualsOfAnother) {
  const std::vector<test::ChainShape> shapes{{.links = 0, .rows_per_node = 4}, {.links = 0, .free_initial = 1}};
  const BlockProblem here = test::random_blocks(45, 3, 2, shapes, 2);
  BlockProblem there = test::random_blocks(46, 3, 2, shapes, 2);
  const std::vector<double> units = units_for(here.layout);
  const VectorXd expected = dense_rows(here, units).J.transpose() * dense_rows(there, units).r;
  there.blocks.priors.by_theta = {};  // as after an evaluation of values
  for (nlp::ChainBlocks& chain : there.blocks.chains)
    for (nlp::Rows& rows : chain.rows) rows.by_theta = rows.by_block = {};
  const std::vector<double> g = gradient_of(here.layout, here.blocks, there.blocks, units);
  EXPECT_LE((map(g) - expected).norm(), 1e-12 * expected.norm());
}

TEST(TimesSquares, IsTheProductWithTheSquare) {
  Random random(47);
  const Matrix R = test::random_matrix(random, 5, 3);
  const std::vector<double> d = test::random_vector(random, 3);
  const MatrixXd squares = map(R).transpose() * map(R);
  const std::vector<double> product = times_squares(R, d);
  EXPECT_LE((map(product) - squares * map(d)).norm(), 1e-13 * squares.norm());
}

}  // namespace
}  // namespace salvo::solve
