#include <gtest/gtest.h>

#include <cmath>

#include "helpers/differences.hpp"
#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

// Steps that do not depend on the point, so that differences are those of one discretisation.
const model::Integrator fixed_steps = model::Rk4{0.1};
constexpr double tolerance = 1e-9;

// All gaps, one after the other; they are differentiated as they are.
std::vector<double> gaps_of(const nlp::Blocks& blocks) {
  std::vector<double> out;
  for (const auto& chain : blocks.chains)
    for (const auto& link : chain.links) out.insert(out.end(), link.gap.begin(), link.gap.end());
  return out;
}

nlp::Blocks values_at(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem.values(q, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
  return blocks;
}

std::vector<double> gradient_by_differences(const ShootingProblem& problem, const nlp::Point& q) {
  std::vector<double> out;
  for (std::size_t k = 0; k < q.size(); ++k)
    out.push_back(test::partial([&](const nlp::Point& at) { return values_at(problem, at).objective; }, q, k));
  return out;
}

// J'r of every row, at its place.
std::vector<double> gradient_of_rows(const nlp::Layout& layout, const nlp::Blocks& blocks) {
  std::vector<double> out(layout.unknowns, 0.0);
  const auto add = [&out](const Matrix& J, const std::vector<double>& r, int offset) {
    for (int i = 0; i < J.rows; ++i)
      for (int k = 0; k < J.cols; ++k) out[offset + k] += J(i, k) * r[i];
  };
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].rows.size(); ++j) {
      add(blocks.chains[c].rows[j].by_block, blocks.chains[c].rows[j].r, layout.chains[c].offset[j]);
      add(blocks.chains[c].rows[j].by_theta, blocks.chains[c].rows[j].r, 0);
    }
  add(blocks.priors.by_theta, blocks.priors.r, 0);
  return out;
}

class DerivativesBy : public ::testing::TestWithParam<model::Derivatives> {};

TEST_P(DerivativesBy, LinksAreTheDerivativesOfTheGaps) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem = test::lay_out(sample, {.integrator = fixed_steps, .derivatives = GetParam()});
    const nlp::Layout& layout = problem->layout();
    const nlp::Point q = test::generic_point(layout);
    nlp::Blocks blocks;
    ASSERT_TRUE(problem->linearize(q, blocks).ok);
    EXPECT_EQ(gaps_of(blocks), gaps_of(values_at(*problem, q)));
    for (int k = 0; k < layout.unknowns; ++k) {
      const auto f = [&](double value) {
        nlp::Point moved = q;
        moved[k] = value;
        return gaps_of(values_at(*problem, moved));
      };
      const std::vector<double> expected = test::difference(f, q[k]);
      std::size_t next = 0;
      for (std::size_t c = 0; c < layout.chains.size(); ++c) {
        const auto& chain = layout.chains[c];
        for (int j = 0; j < chain.links(); ++j) {
          const nlp::Link& link = blocks.chains[c].links[j];
          for (int i = 0; i < problem->model().states; ++i) {
            double entry = k < layout.thetas ? link.by_theta(i, k) : 0;
            if (k >= chain.offset[j] && k < chain.offset[j] + chain.size[j])
              entry = link.by_block(i, k - chain.offset[j]);
            if (k == chain.offset[j + 1] + i) entry = -1;
            EXPECT_LE(test::relative_error(entry, expected[next++]), tolerance) << "link " << j << ", unknown " << k;
          }
        }
      }
    }
  }
}

TEST_P(DerivativesBy, RowsGiveTheGradientOfTheObjective) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem = test::lay_out(sample, {.integrator = fixed_steps, .derivatives = GetParam()});
    const nlp::Point q = test::generic_point(problem->layout());
    nlp::Blocks blocks;
    ASSERT_TRUE(problem->linearize(q, blocks).ok);
    const std::vector<double> gradient = gradient_of_rows(problem->layout(), blocks);
    const std::vector<double> expected = gradient_by_differences(*problem, q);
    double size = 0;
    for (const double entry : expected) size = std::max(size, std::abs(entry));
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(gradient[k], expected[k], tolerance * size) << k;
  }
}

// With known normal noise each row is a plain residual.
TEST_P(DerivativesBy, RowsAreTheDerivativesOfTheResiduals) {
  const test::Sample sample{"", test::predator_prey(), model::NodeTimes{{2.5, 5, 7.3}}};
  const auto problem = test::lay_out(sample, {.integrator = fixed_steps, .derivatives = GetParam()});
  const nlp::Layout& layout = problem->layout();
  const nlp::Point q = test::generic_point(layout);
  nlp::Blocks blocks;
  ASSERT_TRUE(problem->linearize(q, blocks).ok);
  for (int j = 0; j < 5; ++j) {
    const nlp::Rows& rows = blocks.chains[0].rows[j];
    for (int k = 0; k < layout.unknowns; ++k) {
      const auto f = [&](double value) {
        nlp::Point moved = q;
        moved[k] = value;
        return values_at(*problem, moved).chains[0].rows[j].r;
      };
      const std::vector<double> expected = test::difference(f, q[k]);
      const int offset = layout.chains[0].offset[j];
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const int row = static_cast<int>(i);
        double entry = k < layout.thetas ? rows.by_theta(row, k) : 0;
        if (k >= offset && k < offset + layout.chains[0].size[j]) entry = rows.by_block(row, k - offset);
        EXPECT_LE(test::relative_error(entry, expected[i], 20), tolerance)
            << "node " << j << ", row " << i << ", unknown " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sweep, DerivativesBy,
                         ::testing::Values(model::Derivatives::tangent, model::Derivatives::adjoint),
                         [](const auto& sweep) { return std::string(model::to_string(sweep.param)); });

TEST(Shooting, TangentsAndAdjointsAgree) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto by_tangents = test::lay_out(sample, {.derivatives = model::Derivatives::tangent});
    const auto by_adjoints = test::lay_out(sample, {.derivatives = model::Derivatives::adjoint});
    const nlp::Point q = test::generic_point(by_tangents->layout());
    nlp::Blocks a;
    nlp::Blocks b;
    ASSERT_TRUE(by_tangents->linearize(q, a).ok);
    ASSERT_TRUE(by_adjoints->linearize(q, b).ok);
    const auto expect_same = [](const Matrix& one, const Matrix& other) {
      ASSERT_EQ(one.data.size(), other.data.size());
      for (std::size_t n = 0; n < one.data.size(); ++n)
        EXPECT_LE(test::relative_error(one.data[n], other.data[n]), 1e-12);
    };
    for (std::size_t c = 0; c < a.chains.size(); ++c)
      for (std::size_t j = 0; j < a.chains[c].rows.size(); ++j) {
        expect_same(a.chains[c].rows[j].by_block, b.chains[c].rows[j].by_block);
        expect_same(a.chains[c].rows[j].by_theta, b.chains[c].rows[j].by_theta);
        if (j == a.chains[c].links.size()) continue;
        expect_same(a.chains[c].links[j].by_block, b.chains[c].links[j].by_block);
        expect_same(a.chains[c].links[j].by_theta, b.chains[c].links[j].by_theta);
      }
  }
}

TEST(Shooting, OneAdjointGivesTheGradientOfTheObjective) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem = test::lay_out(sample, {.integrator = fixed_steps});
    const nlp::Point q = test::generic_point(problem->layout());
    nlp::Gradients gradients;
    ASSERT_TRUE(problem->adjoint(q, {}, gradients).ok);
    const std::vector<double> expected = gradient_by_differences(*problem, q);
    double size = 0;
    for (const double entry : expected) size = std::max(size, std::abs(entry));
    for (std::size_t k = 0; k < q.size(); ++k)
      EXPECT_NEAR(gradients.objective_by_q[k], expected[k], tolerance * size) << k;
    EXPECT_NEAR(gradients.objective, values_at(*problem, q).objective, 1e-12 * std::abs(gradients.objective));
    EXPECT_EQ(gradients.gap, values_at(*problem, q).gap);
  }
}

}  // namespace
}  // namespace salvo::shooting
