#include "shooting/node_map.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

using Dense = std::vector<std::vector<double>>;

Dense by_block(const NodeMap& node, int rows, int columns) {
  Dense out(rows, std::vector<double>(columns, 0.0));
  node.each_by_block([&](int row, int column, double value) { out[row][column] += value; });
  return out;
}

TEST(NodeMap, OfALaterNodeIsTheIdentity) {
  const std::vector<double> v{0.3, 0.7};
  const NodeMap node = NodeMap::identity(v);
  EXPECT_EQ(node.state(), v.data());
  EXPECT_EQ(by_block(node, 2, 2), (Dense{{1, 0}, {0, 1}}));
  node.each_by_theta([](int, int, double) { FAIL() << "theta does not act on it"; });
}

// Against differences of the state itself, at the first node of each chain and at the second.
TEST(NodeMap, HasTheDerivativesOfItsState) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem = test::lay_out(sample, {});
    const nlp::Layout& layout = problem->layout();
    const nlp::Point q = test::generic_point(layout);
    for (int c = 0; c < static_cast<int>(layout.chains.size()); ++c)
      for (int j = 0; j <= std::min(layout.chains[c].links(), 1); ++j) {
        const ExperimentValues values = problem->values_of(c, q, true);
        const NodeMap node = node_map(values, layout.chains[c], j, q);
        std::vector<std::vector<double>> slope(problem->model().states, std::vector<double>(layout.unknowns, 0.0));
        node.each_by_block([&](int row, int k, double value) { slope[row][layout.chains[c].offset[j] + k] += value; });
        node.each_by_theta([&](int row, int k, double value) { slope[row][k] += value; });
        constexpr double h = 1e-6;
        for (int k = 0; k < layout.unknowns; ++k) {
          nlp::Point up = q, down = q;
          up[k] += h;
          down[k] -= h;
          const std::vector<double> s_up = problem->node_state(c, j, up), s_down = problem->node_state(c, j, down);
          for (std::size_t i = 0; i < s_up.size(); ++i)
            EXPECT_NEAR(slope[i][k], (s_up[i] - s_down[i]) / (2 * h), 1e-8) << i << " by " << k;
        }
      }
  }
}

}  // namespace
}  // namespace salvo::shooting
