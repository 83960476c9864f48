#include <gtest/gtest.h>

#include "compile/accelerate.hpp"
#include "compile/native.hpp"
#include "flown.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::expect_same;
using test::Flight;
using test::Flown;
using test::fly;
using test::Lane;
using test::various_lanes;

std::shared_ptr<const compile::CompiledModel> in_whole_steps(const compile::CompiledModel& model,
                                                             const model::Integrator& integrator, int width) {
  const auto made = compile::accelerate(model, {.lanes = width, .whole_steps = whole_steps_of(integrator)});
  EXPECT_EQ(made.trouble, "");
  EXPECT_GT(made.model->whole.step.output_count(), 0);
  EXPECT_GT(made.model->whole.pull.output_count(), 0);
  return made.model;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 1;
  for (const double number : a) largest = std::max(largest, std::abs(number));
  for (std::size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 1e-9 * largest);
}

void expect_near(const Flown& a, const Flown& b) {
  EXPECT_EQ(a.ending.outcome, b.ending.outcome);
  EXPECT_EQ(a.ending.state, b.ending.state);
  EXPECT_NEAR(a.ending.time, b.ending.time, 1e-9);
  expect_near(a.x, b.x);
  ASSERT_EQ(a.tangents.size(), b.tangents.size());
  for (std::size_t k = 0; k < a.tangents.size(); ++k) expect_near(a.tangents[k], b.tangents[k]);
  if (!a.ending.ok()) return;  // no sweep back from where nothing arrived
  for (std::size_t c = 0; c < a.adjoints.size(); ++c) expect_near(a.adjoints[c], b.adjoints[c]);
}

const std::vector<model::Integrator> whole_integrators{model::Rk4{0.03}, model::Dopri5{1e-6, 1e-8},
                                                       model::AutoIntegrator{.rtol = 1e-8}};

template <int W>
void expect_agreement(const model::Problem& problem, const std::vector<Lane>& lanes) {
  const auto model = compile::compile(problem);
  for (const model::Integrator& integrator : whole_integrators) {
    const auto stage_by_stage = fly<W>(model, integrator, lanes);
    const auto whole = fly<W>(in_whole_steps(*model, integrator, W), integrator, lanes);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      SCOPED_TRACE(l);
      expect_near(stage_by_stage[l], whole[l]);
    }
  }
}

TEST(WholeSteps, GiveTheNumbersOfStageAfterStage) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  expect_agreement<4>(test::predator_prey(), {various_lanes.begin(), various_lanes.begin() + 4});
  expect_agreement<4>(test::predator_prey(), {various_lanes.begin() + 4, various_lanes.end()});
}

TEST(WholeSteps, KnowTimePowersQuotientsAndBranches) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  test::Builder builder(
      {{"x1", "-p1*x1^3*t + p2/(1 + x2^2)"}, {"x2", "p3*sqrt(x2)/(1 + x1) - piecewise(p4*x2, p1 > 0.5, x1*x2*p4)"}});
  for (const char* name : {"p1", "p2", "p3", "p4"}) builder.parameter(name, test::estimated(1));
  builder.experiment(model::default_experiment, {test::estimated(1), test::estimated(1)});
  const std::vector<Lane> some{{0, {0.5, 2}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}},
                               {0.5, {3}, {1.6, 0.4}, {1.9, 1.1, 0.3, 1.2}},
                               {0, {1e-3}, {0.1, 0.1}, {1, 1, 1, 1}},
                               {-1, {-0.5, 0, 0.1, 1}, {0.4, 1.4}, {0.5, 0.7, 0.2, 0.6}}};
  expect_agreement<4>(builder.build(), some);
}

TEST(WholeSteps, OfOneLaneDoNotDependOnItsNeighbours) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  const auto model = compile::compile(test::predator_prey());
  for (const model::Integrator& integrator : whole_integrators) {
    const auto one = in_whole_steps(*model, integrator, 1);
    const auto four = in_whole_steps(*model, integrator, 4);
    const auto first_four = fly<4>(four, integrator, {various_lanes.begin(), various_lanes.begin() + 4});
    const auto last_four = fly<4>(four, integrator, {various_lanes.begin() + 4, various_lanes.end()});
    for (std::size_t l = 0; l < various_lanes.size(); ++l) {
      SCOPED_TRACE(l);
      const Flown alone = fly<1>(one, integrator, {various_lanes[l]})[0];
      expect_same(alone, l < 4 ? first_four[l] : last_four[l - 4]);
    }
  }
}

// Both are the exact derivatives of the same numbers.
TEST(WholeSteps, PushForwardWhatTheyPullBack) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  const auto integrator = model::Integrator(model::Dopri5{1e-6, 1e-8});
  const auto model = in_whole_steps(*compile::compile(test::predator_prey()), integrator, 4);
  ASSERT_TRUE(model->whole.push.is_native<4>());
  Flight<4> flight(model, integrator, {various_lanes.begin(), various_lanes.begin() + 4});
  flight.integrate();
  const auto tangents = flight.tangents();
  const auto adjoints = flight.adjoints({{{0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{1, -2}, {1, -2}, {1, -2}, {1, -2}}});
  for (std::size_t l = 0; l < 4; ++l) {
    for (std::size_t column = 0; column < 6; ++column) {
      double pushed = 0;
      for (const auto& at_stop : tangents[l]) pushed += at_stop[2 * column] - 2 * at_stop[2 * column + 1];
      EXPECT_NEAR(adjoints[l][1][column], pushed, 1e-11 * (1 + std::abs(pushed)));
      EXPECT_EQ(adjoints[l][0][column], 0);
    }
  }
}

TEST(WholeSteps, AreForSmallModels) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  test::Equations equations;
  std::vector<std::variant<std::string, model::Estimated>> initial;
  for (int i = 0; i < 60; ++i) {
    equations.push_back({"x" + std::to_string(i), "-k*x" + std::to_string(i)});
    initial.emplace_back(test::estimated(1));
  }
  test::Builder builder(equations);
  builder.parameter("k", test::estimated(1)).experiment(model::default_experiment, initial);
  const auto model = compile::compile(builder.build());
  const auto native = compile::accelerate(*model, {.lanes = 4, .whole_steps = whole_steps_of(model::Dopri5{})});
  EXPECT_EQ(native.model->whole.step.output_count(), 0);
  EXPECT_TRUE(native.model->jacobian.is_native<4>());
  EXPECT_TRUE(native.model->vjp.is_native<4>());
}

}  // namespace
}  // namespace salvo::integrate
