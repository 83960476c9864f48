#include <gtest/gtest.h>

#include "helpers/block_products.hpp"
#include "helpers/samples.hpp"
#include "shooting/written_products.hpp"

namespace salvo::shooting {
namespace {

std::vector<test::Sample> all_samples() {
  std::vector<test::Sample> out = test::samples();
  model::Problem neural = test::neural(4);
  for (const double t : {0.3, 0.7, 1., 1.6})
    for (const int observable : {0, 1}) neural.measurements.push_back({0, observable, t, 0.4, {}});
  out.push_back({"neural", neural, model::NodeTimes{{0.7, 1.2}}});
  return out;
}

std::vector<double> numbers(const nlp::Blocks& blocks) {
  std::vector<double> out;
  const auto add = [&out](const std::vector<double>& more) { out.insert(out.end(), more.begin(), more.end()); };
  for (const auto& chain : blocks.chains) {
    for (const auto& link : chain.links) add(link.gap);
    for (const auto& rows : chain.rows) add(rows.r);
  }
  add(blocks.priors.r);
  return out;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}

TEST(ThetaProducts, AreThoseOfTheWrittenMatrices) {
  for (const test::Sample& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    for (const auto& [by, lanes] :
         {std::pair{ThetaProductsBy::sweeps, 1}, {ThetaProductsBy::sweeps, 4}, {ThetaProductsBy::matrices, 4}}) {
      const auto problem = test::lay_out(sample, {.integrator = model::Dopri5{}, .theta_products = by, .lanes = lanes});
      const nlp::Point q = test::generic_point(problem->layout());
      nlp::Blocks full;
      ASSERT_TRUE(problem->linearize(q, full).ok);
      const test::BlockProducts written(full);
      nlp::Blocks nodes;
      std::unique_ptr<nlp::Products> products;
      ASSERT_TRUE(problem->linearize_nodes(q, {}, nodes, products).ok);
      EXPECT_EQ(numbers(nodes), numbers(full));
      EXPECT_EQ(nodes.objective, full.objective);

      Random random(3);
      std::vector<double> theta(problem->layout().thetas);
      for (double& entry : theta) entry = random.normal();
      nlp::Blocks change;
      nlp::Blocks expected;
      products->along(theta, change);
      written.along(theta, expected);
      expect_near(numbers(change), numbers(expected), 1e-11);
      expect_near(products->transposed(full), written.transposed(full), 1e-11);
    }
  }
}

TEST(ThetaProducts, ComeWithTheDerivativesByNodes) {
  for (const test::Sample& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem =
        test::lay_out(sample, {.integrator = model::Rk4{0.1}, .theta_products = ThetaProductsBy::sweeps});
    const nlp::Point q = test::generic_point(problem->layout());
    nlp::Blocks full;
    nlp::Blocks nodes;
    std::unique_ptr<nlp::Products> products;
    ASSERT_TRUE(problem->linearize(q, full).ok);
    ASSERT_TRUE(problem->linearize_nodes(q, {}, nodes, products).ok);
    for (std::size_t c = 0; c < full.chains.size(); ++c) {
      for (std::size_t j = 0; j < full.chains[c].links.size(); ++j) {
        expect_near(nodes.chains[c].links[j].by_block.data, full.chains[c].links[j].by_block.data, 1e-12);
        EXPECT_EQ(nodes.chains[c].links[j].by_theta.cols, 0);
      }
      for (std::size_t j = 0; j < full.chains[c].rows.size(); ++j)
        expect_near(nodes.chains[c].rows[j].by_block.data, full.chains[c].rows[j].by_block.data, 1e-12);
    }
  }
}

TEST(ThetaProducts, AreTheSameForAnyNumberOfThreads) {
  const test::Sample sample = all_samples().back();
  std::vector<double> first;
  for (const int threads : {1, 3}) {
    const auto problem =
        test::lay_out(sample, {.theta_products = ThetaProductsBy::sweeps, .lanes = 1, .engine = {.threads = threads}});
    const nlp::Point q = test::generic_point(problem->layout());
    nlp::Blocks nodes;
    std::unique_ptr<nlp::Products> products;
    ASSERT_TRUE(problem->linearize_nodes(q, {}, nodes, products).ok);
    const std::vector<double> gradient = products->transposed(nodes);
    if (threads == 1) first = gradient;
    EXPECT_EQ(gradient, first);
  }
}

TEST(ThetaProducts, DoNotExistWhereThePointCannotBeEvaluated) {
  const test::Sample pole{"pole", test::predator_prey(), model::SingleInterval{}};
  for (const ThetaProductsBy by : {ThetaProductsBy::sweeps, ThetaProductsBy::matrices}) {
    const auto problem = test::lay_out(pole, {.theta_products = by});
    const nlp::Point q{0.5, 0.5, 0.5, -0.2, 0.4, 1, 1, 1};
    nlp::Blocks nodes;
    std::unique_ptr<nlp::Products> products;
    EXPECT_FALSE(problem->linearize_nodes(q, {}, nodes, products).ok);
    EXPECT_EQ(products, nullptr);
  }
}

// With two states, two adjoints for each interval write down what twenty products would sweep for; with fifty
// measurements between two nodes they do not.
TEST(ThetaProducts, AreWrittenDownWhereThatIsLessWork) {
  const auto adjoints_at = [](int inside) {
    model::Problem neural = test::neural(4);
    for (int i = 1; i <= inside; ++i) neural.measurements.push_back({0, 0, 0.01 * i, 0.4, {}});
    neural.measurements.push_back({0, 0, 1., 0.4, {}});
    const test::Sample sample{"neural", neural, model::SingleInterval{}};
    const auto problem = test::lay_out(sample, {});
    nlp::Blocks nodes;
    std::unique_ptr<nlp::Products> products;
    EXPECT_TRUE(problem->linearize_nodes(test::generic_point(problem->layout()), {}, nodes, products).ok);
    return problem->work().adjoints;
  };
  EXPECT_GT(adjoints_at(1), 0);
  EXPECT_EQ(adjoints_at(50), 0);
}

}  // namespace
}  // namespace salvo::shooting
