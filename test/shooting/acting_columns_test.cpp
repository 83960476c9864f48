#include <gtest/gtest.h>

#include "helpers/differences.hpp"
#include "helpers/samples.hpp"

// Derivatives along what acts in each experiment, and nothing else.
namespace salvo::shooting {
namespace {

// Five experiments of one reaction, of which each knows some of the rates only: by what it sets, by its initial values,
// and by what it measures.
model::Problem experiments_apart() {
  test::Builder builder(test::Equations{{"A", "-k*A + back*B"}, {"B", "k*A - back*B - decay*B^2"}, {"C", "decay*B^2"}});
  builder.parameter("k", test::estimated(0.9, model::Scale::log)).parameter("back", test::estimated(0.4));
  builder.parameter("decay", test::estimated(0.7, model::Scale::log)).parameter("start", test::estimated(1.1));
  builder.parameter("scaling", test::estimated(2));
  builder.observable("a", "scaling*A", "0.3").observable("c", "C", "0.2");
  builder.experiment("all", {"start", "0.1", "0"});
  builder.experiment("without return", {"1.3", "0.2", "0"}, {{1, "0"}});
  builder.experiment("only decay", {test::estimated(0.8), "0.5", "0"}, {{0, "0.5"}, {1, "0.1"}});
  builder.experiment("nothing", {"1", "0.3", "0"}, {{0, "0.8"}, {1, "0.2"}, {2, "0.6"}});
  builder.experiment("bounded start", {test::within(0.7, 0.1, 3), "start*k", "0"}, {{2, "0.3*k"}});
  for (int e = 0; e < 5; ++e)
    for (const double t : {0.3, 0.8, 1.4 + 0.2 * e}) builder.measure(e, 0, t, 0.6 - 0.1 * t).measure(e, 1, t, 0.2 * t);
  return builder.build();
}

std::vector<double> numbers_of(const nlp::Blocks& blocks, bool of_jacobians) {
  std::vector<double> out;
  const auto add = [&out](const std::vector<double>& more) { out.insert(out.end(), more.begin(), more.end()); };
  for (const auto& chain : blocks.chains) {
    for (const nlp::Rows& rows : chain.rows) {
      if (of_jacobians) add(rows.by_block.data), add(rows.by_theta.data);
      if (!of_jacobians) add(rows.r);
    }
    for (const nlp::Link& link : chain.links) {
      if (of_jacobians) add(link.by_block.data), add(link.by_theta.data);
      if (!of_jacobians) add(link.gap);
    }
  }
  return out;
}

nlp::Blocks linearized(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem.linearize(q, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
  return blocks;
}

const std::vector<model::Nodes> all_nodes{model::SingleInterval{}, model::IntervalCount{2},
                                          model::NodesAtMeasurements{}};
const std::vector<model::Integrator> methods{model::Dopri5{1e-7}, model::Rodas5p{1e-7}};

TEST(ActingColumns, HaveTheSameBitsForAnyLanesAndThreads) {
  const model::Problem given = experiments_apart();
  for (const model::Integrator& integrator : methods)
    for (const model::Nodes& nodes : all_nodes) {
      const test::Sample sample{"", given, nodes};
      const ShootingOptions options{.integrator = integrator, .derivatives = model::Derivatives::tangent, .lanes = 1};
      const auto plain = test::lay_out(sample, options);
      const nlp::Point q = test::generic_point(plain->layout());
      const std::vector<double> expected = numbers_of(linearized(*plain, q), true);
      for (const int lanes : {1, 4})
        for (const int threads : {1, 3}) {
          ShootingOptions other = options;
          other.lanes = lanes;
          other.engine.threads = threads;
          EXPECT_EQ(numbers_of(linearized(*test::lay_out(sample, other), q), true), expected) << lanes << threads;
        }
    }
}

TEST(ActingColumns, AgreeWithAdjoints) {
  const model::Problem given = experiments_apart();
  for (const model::Integrator& integrator : methods)
    for (const model::Nodes& nodes : all_nodes) {
      const test::Sample sample{"", given, nodes};
      const auto forward =
          test::lay_out(sample, {.integrator = integrator, .derivatives = model::Derivatives::tangent});
      const auto back = test::lay_out(sample, {.integrator = integrator, .derivatives = model::Derivatives::adjoint});
      const nlp::Point q = test::generic_point(forward->layout());
      const std::vector<double> a = numbers_of(linearized(*forward, q), true);
      const std::vector<double> b = numbers_of(linearized(*back, q), true);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 1e-11 * (1 + std::abs(a[n]))) << n;
    }
}

// Differences of fixed steps, by every unknown.
TEST(ActingColumns, AreTheDerivativesOfRowsAndGaps) {
  const model::Problem given = experiments_apart();
  for (const model::Nodes& nodes : all_nodes) {
    const test::Sample sample{"", given, nodes};
    const auto problem =
        test::lay_out(sample, {.integrator = model::Rk4{0.1}, .derivatives = model::Derivatives::tangent, .lanes = 4});
    const nlp::Layout& layout = problem->layout();
    const nlp::Point q = test::generic_point(layout);
    const nlp::Blocks blocks = linearized(*problem, q);
    for (int k = 0; k < layout.thetas; ++k) {
      const auto f = [&](double value) {
        nlp::Point moved = q;
        moved[k] = value;
        nlp::Blocks there;
        EXPECT_TRUE(problem->values(moved, there).ok);
        return numbers_of(there, false);
      };
      const std::vector<double> expected = test::difference(f, q[k]);
      std::size_t next = 0;
      for (const auto& chain : blocks.chains) {
        for (const nlp::Rows& rows : chain.rows)
          for (int i = 0; i < rows.by_theta.rows; ++i) EXPECT_NEAR(rows.by_theta(i, k), expected[next++], 1e-8);
        for (const nlp::Link& link : chain.links)
          for (int i = 0; i < link.by_theta.rows; ++i) EXPECT_NEAR(link.by_theta(i, k), expected[next++], 1e-8);
      }
    }
  }
}

// One column for k, back, decay and start; for k and decay; for decay and the initial value; for none; for k, back,
// start and the initial value.
TEST(ActingColumns, AreAsManyAsAct) {
  const test::Sample sample{"", experiments_apart(), model::SingleInterval{}};
  const auto problem = test::lay_out(sample, {.derivatives = model::Derivatives::tangent});
  linearized(*problem, test::generic_point(problem->layout()));
  EXPECT_EQ(problem->work().tangents, 4 + 2 + 2 + 0 + 4);
}

}  // namespace
}  // namespace salvo::shooting
