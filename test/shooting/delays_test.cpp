#include <gtest/gtest.h>

#include <cmath>

#include "helpers/differences.hpp"
#include "helpers/samples.hpp"

namespace salvo::shooting::delays_tests {
namespace {

// Observables and their noise see delayed values and delayed inputs, at the start too; a dose is seen again.
model::Problem observed() {
  test::Builder builder({{"x", "-k*delay(x, tau) + 0.3*y"}, {"y", "delay(u*x, s) - y"}});
  builder.parameter("k", test::within(0.8, 0.1, 3)).parameter("tau", test::within(0.63, 0.1, 3));
  builder.parameter("s", test::within(0.31, 0.1, 3)).parameter("h", test::within(0.7, 0.1, 3));
  builder.history(0, "h*(1 + 0.2*t)").event_at({"0.77"}, {{0, "x + h"}});
  builder.input("u", model::Interpolation::linear, {-1, 0.6, 1.3, 2, 2.2}, {0.3, 1.5, 0.8, 2.2, 1});
  builder.observable("first", "x + 0.3*delay(y*x + u, s)", "0.1 + 0.02*delay(x, tau)^2")
      .observable("second", "y", "0.1");
  builder.experiment("a", {test::estimated(0.9), test::estimated(0.4)});
  for (const double time : {0., 0.5, 1.1, 1.9, 3.2})
    builder.measure(0, 0, time, 0.5 + 0.1 * time).measure(0, 1, time, 0.3);
  return builder.build();
}

// At rest nothing was ever different from what it is at the start.
model::Problem from_rest() {
  test::Builder builder({{"x", "a + 0.2*y - k*delay(x, tau)"}, {"y", "delay(x, s) - y"}});
  builder.parameter("a", test::within(1.2, 0.1, 3)).parameter("k", test::within(0.8, 0.1, 3));
  builder.parameter("tau", test::within(0.63, 0.1, 3)).parameter("s", test::within(0.31, 0.1, 3));
  builder.history(0, "5 + t").event_at({"0.57"}, {{0, "x + a"}});
  builder.observable("first", "x + 0.1*delay(y, tau)", "0.1");
  builder.experiment("a", {"1", "1"});
  for (const double time : {0., 0.4, 1.1, 1.9, 3.2}) builder.measure(0, 0, time, 0.5 + 0.1 * time);
  model::Problem problem = builder.build();
  problem.experiments[0].equilibrate = model::Equilibration{};
  return problem;
}

double objective_at(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem.values(q, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
  return blocks.objective;
}

std::vector<double> gradient_of_rows(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem.linearize(q, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
  const nlp::Rows& rows = blocks.chains.at(0).rows.at(0);
  std::vector<double> out(q.size(), 0.0);
  const int block = problem.layout().chains[0].offset[0];
  for (int i = 0; i < rows.by_theta.rows; ++i) {
    for (int k = 0; k < rows.by_theta.cols; ++k) out[k] += rows.by_theta(i, k) * rows.r[i];
    for (int k = 0; k < rows.by_block.cols; ++k) out[block + k] += rows.by_block(i, k) * rows.r[i];
  }
  return out;
}

TEST(Delays, RowsAndGradientsAreThoseOfTheObjective) {
  for (const model::Problem& each : {observed(), from_rest()})
    for (const model::Derivatives derivatives : {model::Derivatives::tangent, model::Derivatives::adjoint}) {
      const test::Sample sample{"", each, model::SingleInterval{}};
      const auto problem =
          test::lay_out(sample, {.integrator = model::Dopri5{1e-11, 1e-13}, .derivatives = derivatives});
      nlp::Point q{0.8, 0.63, 0.31, 0.7, 0.9, 0.4};
      if (problem->model().delays->begins_at_rest[0]) q = {1.2, 0.8, 0.63, 0.31};
      ASSERT_EQ(q.size(), static_cast<std::size_t>(problem->layout().unknowns));
      const std::vector<double> rows = gradient_of_rows(*problem, q);
      nlp::Gradients gradients;
      ASSERT_TRUE(problem->adjoint(q, {}, gradients).ok);
      for (std::size_t k = 0; k < q.size(); ++k) {
        const double expected =
            test::partial([&](const nlp::Point& at) { return objective_at(*problem, at); }, q, k, 1e-3);
        EXPECT_LE(test::relative_error(rows[k], expected), 1e-7) << k;
        EXPECT_LE(test::relative_error(gradients.objective_by_q[k], expected), 1e-7) << k;
      }
    }
}

TEST(Delays, AThousandthOfATimeUnitOfInfusionIsSeenAgain) {
  test::Builder builder({{"x", "piecewise(1000, t > 0.7 && t < 0.701, 0) - x"}, {"y", "delay(x, tau) - y"}});
  builder.parameter("tau", test::within(0.63, 0.1, 3));
  builder.observable("first", "y", "0.1").experiment("a", {"0", "0"}).measure(0, 0, 3, 0.5);
  const test::Sample sample{"", builder.build(), model::SingleInterval{}};
  const auto value = [&](double rtol) {
    const auto problem = test::lay_out(sample, {.integrator = model::Dopri5{rtol}});
    nlp::Blocks blocks;
    EXPECT_TRUE(problem->values({0.63}, blocks).ok);
    return 0.5 - 0.1 * std::abs(blocks.chains[0].rows[0].r[0]);
  };
  const double since = 3 - 0.63 - 0.7005;  // an amount of 1 is decaying, and is handed on
  EXPECT_NEAR(value(1e-6), value(1e-11), 1e-5);
  EXPECT_NEAR(value(1e-11), since * std::exp(-since), 1e-6);
}

}  // namespace
}  // namespace salvo::shooting::delays_tests
