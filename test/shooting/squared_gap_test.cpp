#include <gtest/gtest.h>

#include <cmath>

#include "helpers/differences.hpp"
#include "helpers/samples.hpp"

// The gradient of the paper's constraint h_j = |G_j|^2 by one adjoint, and the printed formulas that must not be
// copied.
namespace salvo::shooting {
namespace {

constexpr double step = 0.05;
constexpr int d = 2;
constexpr int m = 4;

struct PaperGrid {
  test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  std::unique_ptr<ShootingProblem> problem = test::lay_out(sample, {.integrator = model::Rk4{step}});
  nlp::Point q = test::generic_point(problem->layout(), 9);

  double squared_gap(const nlp::Point& at, int j) const {
    nlp::Blocks blocks;
    EXPECT_TRUE(problem->values(at, blocks).ok);
    const std::vector<double>& gap = blocks.chains[0].links[j].gap;
    return gap[0] * gap[0] + gap[1] * gap[1];
  }
  std::vector<double> by_differences(int j) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < q.size(); ++k)
      out.push_back(test::partial([&](const nlp::Point& at) { return squared_gap(at, j); }, q, k));
    return out;
  }
};

TEST(SquaredGap, ItsGradientIsOneAdjointAndHasFewEntries) {
  const PaperGrid paper;
  const nlp::Layout::Chain& chain = paper.problem->layout().chains[0];
  nlp::Gradients gradients;
  ASSERT_TRUE(paper.problem->adjoint(paper.q, {.penalty = 2}, gradients).ok);
  for (int j = 0; j < chain.links(); ++j) {
    const auto& link = gradients.links[0][j];
    const std::vector<double> expected = paper.by_differences(j);
    std::vector<double> gradient(paper.q.size(), 0.0);
    for (int k = 0; k < m; ++k) gradient[k] = link.by_theta[k];
    for (int i = 0; i < d; ++i) gradient[chain.offset[j] + i] = link.by_block[i];
    for (int i = 0; i < d; ++i) gradient[chain.offset[j + 1] + i] = -2 * link.gap[i];
    int nonzero = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_LE(test::relative_error(gradient[k], expected[k]), 1e-9) << "interval " << j << ", unknown " << k;
      if (expected[k] != 0) ++nonzero;
    }
    EXPECT_LE(nonzero, 2 * d + m);
  }
}

TEST(SquaredGap, MultipliersWeighTheGapsOfEachInterval) {
  const PaperGrid paper;
  const int K = paper.problem->layout().chains[0].links();
  Random random(3);
  nlp::GapWeights weights{.penalty = 0.7, .multipliers = {{}}};
  for (int n = 0; n < K * d; ++n) weights.multipliers[0].push_back(random.normal());
  nlp::Gradients gradients;
  nlp::Blocks blocks;
  ASSERT_TRUE(paper.problem->adjoint(paper.q, weights, gradients).ok);
  ASSERT_TRUE(paper.problem->linearize(paper.q, blocks).ok);
  for (int j = 0; j < K; ++j) {
    const nlp::Link& link = blocks.chains[0].links[j];
    for (int k = 0; k < m; ++k) {
      double expected = 0;
      for (int i = 0; i < d; ++i)
        expected += (weights.multipliers[0][j * d + i] + 0.7 * link.gap[i]) * link.by_theta(i, k);
      EXPECT_NEAR(gradients.links[0][j].by_theta[k], expected, 1e-12) << j;
    }
  }
}

// The adjoint of the paper's example by small Euler steps along the trajectory, with the two signs as variants:
// Lambda(tau_{j+1}) = -2 G,  Lambda' = sign_of_equation Lambda J,  dh/ds_j = sign_of_start Lambda(tau_j).
// The right signs are minus and minus; the page prints plus and plus.
std::vector<double> printed_gradient(const PaperGrid& paper, int j, double sign_of_equation, double sign_of_start) {
  const double* p = paper.q.data();
  const int steps = 20000;
  const double h = 1.0 / steps;
  std::vector<double> x = paper.problem->node_state(0, j, paper.q);
  std::vector<std::vector<double>> path{x};
  for (int n = 0; n < steps; ++n) {
    const auto f = [&](double x1, double x2) {
      return std::pair{-p[0] * x1 + p[1] * x1 * x2, p[2] * x2 - p[3] * x1 * x2};
    };
    const auto [a1, a2] = f(x[0], x[1]);
    const auto [b1, b2] = f(x[0] + 0.5 * h * a1, x[1] + 0.5 * h * a2);
    x = {x[0] + h * b1, x[1] + h * b2};
    path.push_back(x);
  }
  const std::vector<double> next = paper.problem->node_state(0, j + 1, paper.q);
  double l1 = -2 * (x[0] - next[0]);
  double l2 = -2 * (x[1] - next[1]);
  for (int n = steps; n > 0; --n) {
    const double x1 = 0.5 * (path[n][0] + path[n - 1][0]);
    const double x2 = 0.5 * (path[n][1] + path[n - 1][1]);
    const double pull1 = l1 * (-p[0] + p[1] * x2) + l2 * (-p[3] * x2);
    const double pull2 = l1 * (p[1] * x1) + l2 * (p[2] - p[3] * x1);
    l1 -= h * sign_of_equation * pull1;
    l2 -= h * sign_of_equation * pull2;
  }
  return {sign_of_start * l1, sign_of_start * l2};
}

TEST(SquaredGap, ThePrintedSignsAreFarOff) {
  const PaperGrid paper;
  const int j = 3;
  nlp::Gradients gradients;
  ASSERT_TRUE(paper.problem->adjoint(paper.q, {.penalty = 2}, gradients).ok);
  const std::vector<double>& truth = gradients.links[0][j].by_block;
  const double size = std::hypot(truth[0], truth[1]);
  const auto error = [&](double equation, double start) {
    const std::vector<double> other = printed_gradient(paper, j, equation, start);
    return std::hypot(other[0] - truth[0], other[1] - truth[1]) / size;
  };
  EXPECT_LE(error(-1, -1), 1e-3);
  EXPECT_GT(error(+1, -1), 0.1);
  EXPECT_GT(error(-1, +1), 0.1);
  EXPECT_GT(error(+1, +1), 0.1);
}

}  // namespace
}  // namespace salvo::shooting
