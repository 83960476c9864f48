#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "stiff_problems.hpp"

// Reaction and diffusion along a line: u_i' = D (u_{i-1} - 2 u_i +
// u_{i+1})/dx^2 + r u_i (1 - u_i).
namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

std::shared_ptr<const compile::CompiledModel> line(int d) {
  const auto name = [](int i) { return "u" + std::to_string(i); };
  test::Equations equations;
  for (int i = 0; i < d; ++i) {
    const std::string left = name(std::max(i - 1, 0));
    const std::string right = name(std::min(i + 1, d - 1));
    equations.push_back({name(i), "D*" + std::to_string(d) + "^2*(" + left + " - 2*" + name(i) + " + " + right +
                                      ") + r*" + name(i) + "*(1 - " + name(i) + ")"});
  }
  test::Builder builder(equations);
  builder.parameter("D", test::estimated(0.02)).parameter("r", test::estimated(2)).observable("seen", "u0", "1");
  builder.experiment("default", std::vector<std::variant<std::string, model::Estimated>>(d, std::string("1")));
  return compile::compile(builder.build());
}

Lane bump(int d) {
  Lane lane{0, {0.1, 1}, {}, {0.02, 2}};
  for (int i = 0; i < d; ++i) lane.x0.push_back(0.5 * std::exp(-20 * std::pow(1.0 * i / d - 0.3, 2)));
  return lane;
}

// The derivative along one direction, forwards and backwards.
void expect_forward_equals_backward(Flight<1>& flight) {
  const int d = flight.model->states;
  std::vector<double> direction(d), dp{0.01, -0.7};
  for (int i = 0; i < d; ++i) direction[i] = std::sin(1.0 + 3 * i);
  std::vector<std::vector<double>> weights(2, std::vector<double>(d));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < d; ++i) weights[k][i] = std::cos(2.0 * i + k);
  const auto adjoint = flight.adjoints({weights})[0][0];
  double backward = 0;
  for (int i = 0; i < d; ++i) backward += adjoint[i] * direction[i];
  for (int k = 0; k < 2; ++k) backward += adjoint[d + k] * dp[k];
  double forward = 0;
  double size = 0;
  const auto sink = [&](int, int k, const double* T) {
    for (int i = 0; i < d; ++i) forward += weights[k][i] * T[i], size += std::abs(weights[k][i] * T[i]);
  };
  tangent_along<1>(*flight.model, flight.integrator, flight.launch, flight.record, {1, direction.data(), dp.data()},
                   sink, flight.scratch);
  EXPECT_LE(std::abs(forward - backward), 1e-10 * size);
}

TEST(ReactionAndDiffusion, HasTheSameDerivativesForwardsAndBackwards) {
  for (const int d : {60, 650}) {  // by a list of formulas, and by a library
    const auto model = line(d);
    EXPECT_EQ(model->stiff->kernels().plan.has_value(), d == 60);
    Flight<1> flight(model, model::Rodas5p{1e-5}, {bump(d)});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok());
    EXPECT_LT(flight.record.steps[0], 100);
    expect_forward_equals_backward(flight);
  }
}

// Against explicit steps of the tightest kind.
TEST(ReactionAndDiffusion, FollowsTheSolution) {
  const auto model = line(40);
  Flight<1> implicit(model, model::Rodas5p{1e-8}, {bump(40)});
  Flight<1> reference(model, model::Dopri5{1e-12, 1e-14}, {bump(40)});
  implicit.integrate();
  reference.integrate();
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(implicit.at_stop(0, 1)[i], reference.at_stop(0, 1)[i], 1e-7);
}

TEST(ReactionAndDiffusion, StepsThatWereNotKeptAreTakenAgain) {
  const auto model = compile::compile(test::Robertson::problem());
  const std::vector<Lane> lanes{{0, {0.4, 40}, {1, 0, 0}, {0.04, 3e7, 1e4}},
                                {0, {1}, {0.5, 0, 0.5}, {1, 1e3, 1e2}},
                                {0, {1e-3, 4e5}, {1, 0, 0}, {0.04, 3e7, 1e4}}};
  Flight<4> all(model, model::Rodas5p{}, lanes);
  Flight<4> few(model, model::Rodas5p{}, lanes);
  few.record.x_budget = 20 * 3 * 4 * sizeof(double);
  all.integrate();
  few.integrate();
  EXPECT_GE(few.record.x_every, 8);
  EXPECT_LE(few.record.x.size() * sizeof(double), 2 * few.record.x_budget);
  EXPECT_EQ(all.tangents(), few.tangents());
  const std::vector<std::vector<std::vector<double>>> weights{{{1, 2, 3}, {-1, 0.5, 0.2}}};
  EXPECT_EQ(all.adjoints(weights), few.adjoints(weights));
}

}  // namespace
}  // namespace salvo::integrate
