#include "statistics/influence.hpp"

#include <gtest/gtest.h>

#include "regression.hpp"
#include "statistics/matrix_view.hpp"

namespace salvo::statistics {
namespace {

std::vector<double> leverages(const Matrix& influence) {
  std::vector<double> out;
  for (int i = 0; i < influence.cols; ++i) out.push_back(view(influence).col(i).squaredNorm());
  return out;
}

// Textbook: h_i = 1/n + (t_i - mean)^2 / sum of these squares.
TEST(RowInfluence, HasTheLeveragesOfALineAsItsSquaredLengths) {
  const test::Line line = test::five_points();
  const test::Regression regression(line.data(-1), {});
  const auto found = leverages(row_influence(regression.layout, regression.blocks, regression.uncertainty().root));
  ASSERT_EQ(found.size(), 5U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], line.leverage(i), 1e-13) << i;
}

// x' = b over nodes at the measurements: the same line, with its means carried from node to node.
struct LineOnNodes {
  explicit LineOnNodes(const std::vector<double>& t) {
    layout.thetas = 1;
    layout.chains.resize(1);
    blocks.chains.resize(1);
    for (std::size_t j = 0; j < t.size(); ++j) {
      layout.chains[0].offset.push_back(static_cast<int>(1 + j));
      layout.chains[0].size.push_back(1);
      nlp::Rows rows{.r = {0}, .by_block = Matrix(1, 1), .by_theta = Matrix(1, 1)};
      rows.by_block(0, 0) = 1;
      blocks.chains[0].rows.push_back(rows);
      if (j == 0) continue;
      nlp::Link link{.gap = {0}, .by_block = Matrix(1, 1), .by_theta = Matrix(1, 1)};
      link.by_block(0, 0) = 1;
      link.by_theta(0, 0) = t[j] - t[j - 1];
      blocks.chains[0].links.push_back(link);
    }
    layout.unknowns = static_cast<int>(1 + t.size());
    layout.lower.assign(layout.unknowns, -HUGE_VAL);
    layout.upper.assign(layout.unknowns, HUGE_VAL);
    layout.noise_only = {false};
  }
  Uncertainty uncertain() const {
    return uncertainty(layout, blocks, nlp::Point(layout.unknowns, 0.0), std::vector<double>(layout.unknowns, 1.0));
  }
  nlp::Layout layout{};
  nlp::Blocks blocks{};
};

TEST(RowInfluence, IsCarriedFromNodeToNode) {
  const test::Line line = test::five_points();
  const LineOnNodes on_nodes(line.t);
  const auto found = leverages(row_influence(on_nodes.layout, on_nodes.blocks, on_nodes.uncertain().root));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], line.leverage(i), 1e-13) << i;
}

TEST(RowInfluence, OfPriorsComesLast) {
  test::Regression regression({{{1}, 0}, {{1}, 0}}, {});
  regression.add_prior(0, 0.5);  // says as much as four data
  const auto found = leverages(row_influence(regression.layout, regression.blocks, regression.uncertainty().root));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0], 1. / 6, 1e-14);
  EXPECT_NEAR(found[1], 1. / 6, 1e-14);
  EXPECT_NEAR(found[2], 4. / 6, 1e-14);
}

// Five rows and four links, each one number by theta and one by its node, times two columns of the root.
TEST(RowInfluence, CountsItsMultiplyAdds) {
  const LineOnNodes on_nodes(test::five_points().t);
  EXPECT_EQ(influence_work(on_nodes.layout, on_nodes.blocks, on_nodes.uncertain().root), (5 + 4) * 2 * 2);
}

TEST(MatrixView, ReadsColumnByColumnWhereTheMatrixIs) {
  Matrix matrix(2, 3);
  for (int k = 0; k < 6; ++k) matrix.data[k] = k;
  const auto seen = view(matrix);
  EXPECT_EQ(seen.rows(), 2);
  EXPECT_EQ(seen.cols(), 3);
  EXPECT_EQ(seen(1, 0), 1);
  EXPECT_EQ(seen(0, 2), 4);
  EXPECT_EQ(seen.data(), matrix.data.data());
}

}  // namespace
}  // namespace salvo::statistics
