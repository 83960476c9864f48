#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/begun.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "integrate/consistency.hpp"
#include "integrate/strided.hpp"

// Differential equations with algebraic ones, by rodas5p.
namespace salvo::integrate::algebraic_tests {
namespace {

using test::begun;
using test::Builder;
using test::Flight;
using test::Lane;

struct Algebraic {
  const char* name;
  model::Problem problem;
  Lane lane;
};

// `algebraic`: the states whose equation is 0 = formula.
model::Problem with_algebraic(model::Problem problem, const std::set<std::string>& algebraic) {
  for (model::State& state : problem.states) state.is_algebraic = algebraic.contains(state.id);
  return problem;
}

// Tight binding: C is the smaller root of a quadratic, C(0) = 0.7192235936 for K = 1/2.
Algebraic enzyme() {
  return {
      "enzyme",
      with_algebraic(begun({{"St", "-kcat*C"}, {"C", "(E0 - C)*(St - C) - K*C"}}, {"kcat", "K", "E0"}).build(), {"C"}),
      {0, {0, 0.5, 1.7, 4}, {2, 0.7}, {0.8, 0.5, 1}}};
}

// Two algebraic variables that need each other, and time in their equations. q acts through the initial root alone.
Algebraic coupled() {
  return {"coupled",
          with_algebraic(begun({{"x", "-x*u + 0.3*v*sin(t)"},
                                {"u", "u^3 + u - a*x - v*(1 + 0.2*cos(t))"},
                                {"v", "v*(2 + exp(-q*t)) + u - b*t - x"}},
                               {"a", "b", "q"})
                             .build(),
                         {"u", "v"}),
          {0, {0, 0.4, 1.3, 2.2}, {1.2, 0.5, 0.5}, {0.7, 0.4, 0.9}}};
}

// An event sets a differential state when an algebraic variable passes a threshold; z follows at once.
Algebraic refilled() {
  Builder builder = begun({{"x", "-k*z"}, {"z", "z + z^3 - x*(1 + 0.1*t)"}}, {"k", "low", "dose"});
  builder.event_when("z < low", {{0, "x + dose*z"}});
  return {"refilled", with_algebraic(builder.build(), {"z"}), {0, {0.5, 1.4, 3}, {1.5, 0.8}, {0.9, 0.5, 2.2}}};
}

// The algebraic equation itself switches, at a time that is estimated.
Algebraic switched() {
  return {
      "switched",
      with_algebraic(
          begun({{"x", "-x + 0.5*z"}, {"z", "z*exp(z) - piecewise(a, t < tau, b)*(1 + x)"}}, {"a", "b", "tau"}).build(),
          {"z"}),
      {0, {0, 0.6, 1.1, 2.5}, {1, 0.4}, {0.8, 1.6, 0.83}}};
}

std::vector<Algebraic> all() { return {enzyme(), coupled(), refilled(), switched()}; }

Lane moved(Lane lane, int column, double by) {
  const int d = static_cast<int>(lane.x0.size());
  (column < d ? lane.x0[column] : lane.p[column - d]) += by;
  return lane;
}

std::vector<double> numbers(const std::shared_ptr<const compile::CompiledModel>& model, const Lane& lane, double rtol) {
  Flight<1> flight(model, model::Rodas5p{rtol, rtol}, {lane});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], model->state_names);
  return flight.record.x_stop[0];
}

TEST(Algebraic, ARootAtTheStartIsWhatTheEquationsSay) {
  const Algebraic each = enzyme();
  const auto model = compile::compile(each.problem);
  const std::vector<double> found = numbers(model, each.lane, 1e-8);
  EXPECT_NEAR(found[1], 0.7192235936, 1e-10);
  Lane far = each.lane;
  far.x0[1] = 5;  // nearer to the other one
  EXPECT_NEAR(numbers(model, far, 1e-8)[1], 2.7807764064, 1e-10);
}

// (y1, y2, y3) by a second implementation, to ten digits.
TEST(Algebraic, RobertsonIsWhatItIsAsDifferentialEquations) {
  const model::Problem problem = with_algebraic(
      begun({{"y1", "-k1*y1 + k3*y2*y3"}, {"y2", "k1*y1 - k3*y2*y3 - k2*y2^2"}, {"y3", "y1 + y2 + y3 - 1"}},
            {"k1", "k2", "k3"})
          .build(),
      {"y3"});
  const std::vector<double> found =
      numbers(compile::compile(problem), {0, {0.4, 40, 4e4}, {1, 0, 0.3}, {0.04, 3e7, 1e4}}, 1e-10);
  const std::vector<double> expected{.985172113861, 3.38639537898e-5, .0147940221852,  .715827068719, 9.18553476456e-6,
                                     .284163745746, .0389833770853,   1.6217683159e-7, .961016460738};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i] / expected[i], 1, 2e-8) << i;
}

// x = (sin, cos)(t + 1/2), and the force is -1 at all times.
TEST(Algebraic, ACircleStaysACircle) {
  const model::Problem problem = with_algebraic(
      begun({{"x1", "x3"}, {"x2", "x4"}, {"x3", "l*x1"}, {"x4", "l*x2"}, {"l", "x3^2 + x4^2 + l*(x1^2 + x2^2)"}}, {})
          .build(),
      {"l"});
  const Lane lane{0, {1, 5, 10}, {std::sin(0.5), std::cos(0.5), std::cos(0.5), -std::sin(0.5), 1}, {}};
  const std::vector<double> found = numbers(compile::compile(problem), lane, 1e-10);
  for (std::size_t k = 0; k < lane.stops.size(); ++k) {
    EXPECT_NEAR(found[5 * k], std::sin(lane.stops[k] + 0.5), 1e-8);
    EXPECT_NEAR(found[5 * k + 1], std::cos(lane.stops[k] + 0.5), 1e-8);
    EXPECT_NEAR(found[5 * k + 4], -1, 1e-8);
  }
}

// Steps follow the point: differences of the solution, as exactly as it is found.
TEST(Algebraic, TangentsAreDifferencesOfTheSolution) {
  for (const Algebraic& each : all()) {
    const auto model = compile::compile(each.problem);
    Flight<1> flight(model, model::Rodas5p{1e-12, 1e-13}, {each.lane});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok()) << each.name << describe(flight.record.ending[0], model->state_names);
    const auto tangents = flight.tangents();
    const int d = model->states;
    for (int c = 0; c < d + model->active; ++c) {
      const auto differences =
          test::fine_difference([&](double by) { return numbers(model, moved(each.lane, c, by), 1e-12); }, 0, 2e-4);
      for (std::size_t k = 0; k < each.lane.stops.size(); ++k)
        for (int i = 0; i < d; ++i)
          EXPECT_LE(test::relative_error(tangents[0][k][c * d + i], differences[k * d + i]), 1e-7)
              << each.name << ": state " << i << " at stop " << k << " by " << c;
    }
  }
}

// Tolerances that let every step end at the next stop: differences of the very steps that were taken.
TEST(Algebraic, TangentsAreDifferencesOfTheSameSteps) {
  for (Algebraic each : {enzyme(), coupled()}) {
    each.lane.stops.clear();
    for (double time = 1e-6; time < 0.2; time *= 3) each.lane.stops.push_back(time);
    for (int k = 1; k <= 20; ++k) each.lane.stops.push_back(0.2 * k);
    const auto model = compile::compile(each.problem);
    Flight<1> flight(model, model::Rodas5p{1e9, 1e9}, {each.lane});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok()) << each.name;
    ASSERT_EQ(flight.record.steps[0], static_cast<int>(each.lane.stops.size()));
    const auto tangents = flight.tangents();
    const int d = model->states;
    for (int c = 0; c < d + model->active; ++c) {
      const auto differences =
          test::fine_difference([&](double by) { return numbers(model, moved(each.lane, c, by), 1e9); }, 0, 2e-3);
      for (std::size_t k = 0; k < each.lane.stops.size(); ++k)
        for (int i = 0; i < d; ++i)
          EXPECT_LE(test::relative_error(tangents[0][k][c * d + i], differences[k * d + i]), 1e-9)
              << each.name << ": state " << i << " at stop " << k << " by " << c;
    }
  }
}

// What a trajectory starts from says where a root is looked for, and nothing else.
TEST(Algebraic, NothingFollowsFromWhereARootWasLookedFor) {
  for (const Algebraic& each : all()) {
    Flight<1> flight(compile::compile(each.problem), model::Rodas5p{}, {each.lane});
    flight.integrate();
    const auto tangents = flight.tangents();
    const int d = flight.model->states;
    for (const int z : flight.model->algebraic)
      for (const auto& at_stop : tangents[0])
        for (int i = 0; i < d; ++i) EXPECT_EQ(at_stop[z * d + i], 0) << each.name;
  }
}

template <int W>
void expect_adjoints_of_tangents(const Algebraic& each, const std::shared_ptr<const compile::CompiledModel>& model,
                                 std::size_t budget) {
  std::vector<Lane> lanes;
  for (int l = 0; l < W; ++l) lanes.push_back(moved(each.lane, 0, 0.01 * l));
  Flight<W> flight(model, model::Rodas5p{1e-7, 1e-9}, lanes);
  flight.record.stage_budget = flight.record.x_budget = budget;
  flight.integrate();
  const auto tangents = flight.tangents();
  const int d = model->states;
  const std::size_t stops = each.lane.stops.size();
  std::vector<std::vector<std::vector<double>>> weights(2, {stops, std::vector<double>(d)});
  for (std::size_t k = 0; k < stops; ++k)
    for (int i = 0; i < d; ++i) {
      weights[0][k][i] = std::cos(1.0 + 3 * i + 7.0 * k);
      weights[1][k][i] = i == d - 1 && k == 0 ? 1 : 0;
    }
  const auto adjoints = flight.adjoints(weights);
  for (int l = 0; l < W; ++l) {
    ASSERT_TRUE(flight.record.ending[l].ok()) << each.name;
    for (std::size_t c = 0; c < weights.size(); ++c)
      for (int by = 0; by < d + model->active; ++by) {
        double forward = 0;
        double size = 1e-3;
        for (std::size_t k = 0; k < stops; ++k)
          for (int i = 0; i < d; ++i) {
            forward += weights[c][k][i] * tangents[l][k][by * d + i];
            size += std::abs(weights[c][k][i] * tangents[l][k][by * d + i]);
          }
        EXPECT_NEAR(adjoints[l][c][by], forward, 1e-12 * size) << each.name << " lane " << l << " by " << by;
      }
  }
}

TEST(Algebraic, AdjointsAreTransposedTangents) {
  for (const Algebraic& each : all()) {
    const auto model = compile::compile(each.problem);
    for (const std::size_t budget : {std::size_t{1} << 30U, std::size_t{3000}}) {
      expect_adjoints_of_tangents<1>(each, model, budget);
      expect_adjoints_of_tangents<4>(each, model, budget);
    }
  }
}

TEST(Algebraic, MachineCodeComputesTheSame) {
  for (const Algebraic& each : all()) {
    const auto tape = compile::compile(each.problem);
    const auto native = compile::accelerate(*tape, {.lanes = 4, .directions = true, .stiff = true});
    if (!native.model) GTEST_SKIP() << native.trouble;
    expect_adjoints_of_tangents<4>(each, native.model, std::size_t{1} << 30U);
    const std::vector<Lane> lanes(4, each.lane);
    Flight<4> interpreted(tape, model::Rodas5p{}, lanes);
    Flight<4> compiled(native.model, model::Rodas5p{}, lanes);
    interpreted.integrate();
    compiled.integrate();
    ASSERT_EQ(compiled.record.x_stop[3].size(), interpreted.record.x_stop[3].size()) << each.name;
    for (std::size_t n = 0; n < compiled.record.x_stop[3].size(); ++n)
      EXPECT_NEAR(compiled.record.x_stop[3][n], interpreted.record.x_stop[3][n], 1e-9) << each.name;
  }
}

// At the very time of the event: x is what it sets, z the root after it.
TEST(Algebraic, AMeasurementAtAnEventSeesTheRootAfterIt) {
  Builder builder = begun({{"x", "-k*x"}, {"z", "z^3 + z - x"}}, {"k", "dose"});
  builder.event_at({"1"}, {{0, "x + dose"}});
  const auto model = compile::compile(with_algebraic(builder.build(), {"z"}));
  Flight<1> flight(model, model::Rodas5p{1e-11, 1e-12}, {{0, {1}, {1, 1}, {0.5, 2}}});
  flight.integrate();
  const std::vector<double> x = flight.record.x_stop[0];
  EXPECT_NEAR(x[0], std::exp(-0.5) + 2, 1e-9);
  EXPECT_NEAR(x[1] * x[1] * x[1] + x[1], x[0], 1e-12);
  const auto tangents = flight.tangents();
  const double slope = 1 / (3 * x[1] * x[1] + 1);
  EXPECT_NEAR(tangents[0][0][2 * 3 + 1], slope, 1e-9) << "by the dose";
  EXPECT_NEAR(tangents[0][0][2 * 2 + 1], -std::exp(-0.5) * slope, 1e-8) << "by k";
}

TEST(Algebraic, AFoldIsAStatusWithItsTime) {
  const model::Problem problem = with_algebraic(begun({{"x", "-k"}, {"z", "z^2 - x"}}, {"k"}).build(), {"z"});
  Flight<1> flight(compile::compile(problem), model::Rodas5p{}, {{0, {0.5, 3}, {1, 1}, {1}}});
  flight.integrate();
  const Ending& ending = flight.record.ending[0];
  EXPECT_EQ(ending.outcome, Outcome::fold);
  EXPECT_NEAR(ending.time, 1, 1e-3);
  EXPECT_LT(flight.record.rhs, 20'000);
  EXPECT_NE(describe(ending, flight.model->state_names).find("two roots of z meet"), std::string::npos);
}

TEST(Algebraic, WhereThereIsNoRootThatIsSaid) {
  const model::Problem problem = with_algebraic(begun({{"x", "-k*z"}, {"z", "z^2 + x"}}, {"k"}).build(), {"z"});
  Flight<1> flight(compile::compile(problem), model::Rodas5p{}, {{0, {1}, {1, 1}, {1}}});
  flight.integrate();
  EXPECT_EQ(flight.record.ending[0].outcome, Outcome::inconsistent);
  EXPECT_EQ(flight.record.ending[0].time, 0);
}

TEST(Algebraic, ExplicitMethodsAndCvodesDoNotKnowThem) {
  const Algebraic each = enzyme();
  const auto model = compile::compile(each.problem);
  for (const model::Integrator& integrator :
       std::vector<model::Integrator>{model::Dopri5{}, model::Rk4{0.1}, model::Cvodes{}}) {
    Flight<1> flight(model, integrator, {each.lane});
    flight.integrate();
    EXPECT_EQ(flight.record.ending[0].outcome, Outcome::algebraic);
  }
  Flight<1> automatic(model, model::AutoIntegrator{}, {each.lane});
  automatic.integrate();
  EXPECT_TRUE(automatic.record.ending[0].ok());
}

// 0 = (x - 1) z - 1 as a formula: z = 1/(x - 1), and x passes 1.
TEST(Algebraic, ADivisorThatVanishesIsAStatusWithTheEquation) {
  Builder builder = begun({{"x", "-1"}, {"y", "1/(1 + (1/(x - 1))^2)"}}, {});
  model::Problem problem = builder.build();
  const expression::NodeId x = problem.states[0].symbol;
  problem.algebraic.push_back(
      {.variable = "z", .text = "(x - 1)*z - 1", .divisor = problem.graph.subtract(x, problem.graph.constant(1))});
  for (const model::Integrator& integrator :
       std::vector<model::Integrator>{model::Dopri5{}, model::Rk4{0.07}, model::Rodas5p{}}) {
    Flight<1> flight(compile::compile(problem), integrator, {{0, {3}, {2, 0}, {}}});
    flight.integrate();
    const Ending& ending = flight.record.ending[0];
    EXPECT_EQ(ending.outcome, Outcome::unsolvable);
    EXPECT_NEAR(ending.time, 1, 1e-6);
    EXPECT_NE(describe(ending, flight.model->state_names).find("0 = (x - 1)*z - 1 has no solution at t = 1"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace salvo::integrate::algebraic_tests
