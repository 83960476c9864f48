#include "shooting/rest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "helpers/problems.hpp"
#include "shooting/experiment_values.hpp"
#include "shooting/known_rests.hpp"

// Experiments that begin at rest.
namespace salvo::shooting {
namespace {

using test::Builder;
using test::estimated;
using test::within;

// A receptor that a ligand switches on; its total, an estimated initial value, is conserved.
model::Problem receptor(bool sets_ligand_state) {
  Builder builder({{"off", "-(basal + k*ligand*L)*off + m*on + 0*t"},
                   {"on", "(basal + k*ligand*L)*off - m*on"},
                   {"L", "-d*(L - 1)"}});
  builder.parameter("basal", estimated(0.2)).parameter("k", estimated(0.7, model::Scale::log));
  builder.parameter("m", estimated(0.4)).parameter("d", estimated(0.3)).parameter("ligand", 0.0);
  builder.observable("y", "on", "0.1");
  builder.experiment("default", {estimated(2), within(0.5, 0, 9), std::string("3")}, {{4, "2*k"}}, 1);
  builder.measure(0, 0, 3, 1);
  model::Problem problem = builder.build();
  model::Equilibration rest;
  rest.overrides.push_back({4, problem.graph.symbol("m")});
  if (sets_ligand_state) {
    problem.experiments[0].initial[2] = problem.graph.symbol("d");
    rest.initial.push_back({2, problem.graph.constant(5)});
  }
  problem.experiments[0].equilibrate = rest;
  return problem;
}

struct Point {
  std::vector<double> theta{0.2, -0.4, 0.4, 0.3, 0.5};  // parameters, then the bounded initial value of `on`
  std::vector<double> v0{2};
};

ExperimentValues values_at(const model::Problem& problem, const compile::CompiledModel& model, const Point& point,
                           bool with_derivatives) {
  return experiment_values(problem, model, unknown_names(problem), 0, point.theta.data(), point.v0.data(),
                           with_derivatives);
}

TEST(Rest, IsWhereAnExperimentBegins) {
  const model::Problem problem = receptor(false);
  const auto model = compile::compile(problem);
  const Point point;
  const ExperimentValues values = values_at(problem, *model, point, false);
  EXPECT_EQ(values.trouble, "");
  const double k = std::exp(-0.4);
  const double up = 0.2 + k * 0.4;  // at rest the ligand is m, and L is 1
  EXPECT_NEAR(values.s0[1], 2.5 * up / (up + 0.4), 1e-10);
  EXPECT_NEAR(values.s0[0], 2.5 - values.s0[1], 1e-10);
  EXPECT_NEAR(values.s0[2], 1, 1e-10);
  EXPECT_EQ(values.p.back(), 2 * k);  // after the start the ligand is what the experiment says
}

// x = u/k: an input stands at its value at the start, or at its last one where the steady state itself is measured.
TEST(Rest, SeesInputsStandStill) {
  Builder builder(test::Equations{{"x", "u - k*x"}});
  builder.parameter("k", estimated(0.5)).observable("o", "x", "0.1");
  builder.experiment("cells", {std::string("0")}, {}, 1).measure(0, 0, 3, 1);
  builder.input("u", model::Interpolation::linear, {0, 4}, {2, 6});
  model::Problem problem = builder.build();
  const Point point{.theta = {0.5}, .v0 = {}};
  for (const bool is_final : {false, true}) {
    problem.experiments[0].equilibrate = model::Equilibration{.is_final = is_final};
    const auto model = compile::compile(problem);
    EXPECT_NEAR(values_at(problem, *model, point, false).s0[0], (is_final ? 6 : 3) / 0.5, 1e-9);
  }
}

TEST(Rest, LeavesStatesThatTheExperimentSets) {
  const model::Problem problem = receptor(true);
  const auto model = compile::compile(problem);
  EXPECT_EQ(values_at(problem, *model, {}, false).s0[2], 0.3);
}

TEST(Rest, HasDerivativesByParametersAndInitialValues) {
  for (const bool sets_ligand_state : {false, true}) {
    const model::Problem problem = receptor(sets_ligand_state);
    const auto model = compile::compile(problem);
    const Point point;
    const ExperimentValues values = values_at(problem, *model, point, true);
    const auto check = [&](const std::vector<Slope>& slopes, std::vector<double> Point::*unknowns) {
      for (int k = 0; k < static_cast<int>((point.*unknowns).size()); ++k) {
        Point more = point;
        Point less = point;
        const double h = 1e-5;
        (more.*unknowns)[k] += h;
        (less.*unknowns)[k] -= h;
        const auto after = values_at(problem, *model, more, false).s0;
        const auto before = values_at(problem, *model, less, false).s0;
        for (int i = 0; i < 3; ++i) {
          double slope = 0;
          for (const Slope& each : slopes)
            if (each.row == i && each.column == k) slope += each.value;
          EXPECT_NEAR(slope, (after[i] - before[i]) / (2 * h), 1e-7) << "state " << i << ", unknown " << k;
        }
      }
    };
    check(values.s0_by_theta, &Point::theta);
    check(values.s0_by_block, &Point::v0);
  }
}

// off <-> on comes to rest with three times the speed; then `on` is set to k, which changes the total, and it comes to
// rest again: off = 2 m/(3 k + m) after the first rest, on = (off + k) k/(k + m) after the second.
TEST(Rest, ThatIsMeasuredAfterAnotherBeginsWhereThatOneEnds) {
  Builder builder(test::Equations{{"off", "m*on - f*k*off"}, {"on", "f*k*off - m*on"}});
  builder.parameter("k", estimated(0.7)).parameter("m", estimated(0.4)).parameter("f", 1.0);
  builder.observable("y", "on", "0.1").experiment("cells", {std::string("2"), std::string("k")}, {{2, "1"}});
  builder.measure(0, 0, 3, 1).measure(1, 0, 0, 1);
  model::Problem problem = builder.build();
  problem.experiments.push_back(problem.experiments[0]);
  problem.experiments[0].equilibrate =
      model::Equilibration{.overrides = {{2, problem.graph.constant(3)}}, .initial = {{1, problem.graph.constant(0)}}};
  problem.experiments[1].id = "cells_at_rest";
  problem.experiments[1].equilibrate = model::Equilibration{.is_final = true};
  problem.experiments[1].initial_of = 0;
  const auto model = compile::compile(problem);
  const auto on = [](double k, double m) { return (2 * m / (3 * k + m) + k) * k / (k + m); };
  const std::vector<double> theta{0.7, 0.4};
  const ExperimentValues values =
      experiment_values(problem, *model, unknown_names(problem), 1, theta.data(), nullptr, true);
  EXPECT_EQ(values.trouble, "");
  EXPECT_NEAR(values.s0[1], on(0.7, 0.4), 1e-10);
  std::vector<double> slopes(2, 0.0);
  for (const Slope& each : values.s0_by_theta)
    if (each.row == 1) slopes[each.column] += each.value;
  const double h = 1e-5;
  EXPECT_NEAR(slopes[0], (on(0.7 + h, 0.4) - on(0.7 - h, 0.4)) / (2 * h), 1e-8);
  EXPECT_NEAR(slopes[1], (on(0.7, 0.4 + h) - on(0.7, 0.4 - h)) / (2 * h), 1e-8);
}

// dx/dt = a - b x passes c at t1 = ln((a/b - x0)/(a/b - c))/b, where n becomes a x t1.
TEST(Rest, OfAPetabProblemComesAfterItsEvents) {
  Builder builder(test::Equations{{"x", "a - b*x"}, {"n", "0"}});
  builder.parameter("a", estimated(1)).parameter("b", estimated(0.5)).parameter("c", estimated(1.5));
  builder.observable("y", "n", "0.1").experiment("cells", {std::string("0.2"), std::string("0")});
  builder.event_when("x > c", {{1, "n + a*x*t"}}).event_at({"0"}, {{1, "n + 100"}}).measure(0, 0, 3, 1);
  model::Problem problem = builder.build();
  problem.petab.emplace();
  problem.experiments[0].equilibrate.emplace();
  const auto model = compile::compile(problem);
  const auto n = [](const std::vector<double>& q) {
    return q[0] * q[2] * std::log((q[0] / q[1] - 0.2) / (q[0] / q[1] - q[2])) / q[1];
  };
  const std::vector<double> theta{1, 0.5, 1.5};
  const ExperimentValues values =
      experiment_values(problem, *model, unknown_names(problem), 0, theta.data(), nullptr, true);
  EXPECT_EQ(values.trouble, "");
  EXPECT_NEAR(values.s0[0], 2, 1e-9);
  EXPECT_NEAR(values.s0[1], n(theta), 1e-8) << "without what happens at the start";
  for (int k = 0; k < 3; ++k) {
    double slope = 0;
    for (const Slope& each : values.s0_by_theta)
      if (each.row == 1 && each.column == k) slope += each.value;
    std::vector<double> more = theta;
    std::vector<double> less = theta;
    more[k] += 1e-5;
    less[k] -= 1e-5;
    EXPECT_NEAR(slope, (n(more) - n(less)) / 2e-5, 1e-6) << "parameter " << k;
  }
}

// Known states serve the same point again, with as many derivatives as were asked for; another point is another state.
TEST(Rest, IsRememberedForTheSamePointAlone) {
  const model::Problem problem = receptor(false);
  const auto model = compile::compile(problem);
  ExperimentRoom room;
  const auto values = [&](const Point& point, bool with_derivatives) {
    ExperimentValues out;
    write_experiment_values({problem, *model, unknown_names(problem), 0, point.theta.data(), point.v0.data()},
                            with_derivatives, room, out);
    return out;
  };
  Point other;
  other.theta[2] = 0.41;
  const Point point;
  EXPECT_EQ(values(point, false).s0, values_at(problem, *model, point, false).s0);
  const long once = model->resting->evaluations;
  values(point, false);
  EXPECT_EQ(model->resting->evaluations, once);
  EXPECT_EQ(values(point, true).s0_by_theta.size(), values_at(problem, *model, point, true).s0_by_theta.size());
  EXPECT_EQ(values(other, false).s0, values_at(problem, *model, other, false).s0);
  EXPECT_NE(values(other, false).s0, values(point, false).s0);
}

// What is handed out is what would be computed, whoever asked for what before, and counts as that much work.
TEST(Rest, DoesNotDependOnWhatWasAskedBefore) {
  const model::Problem problem = receptor(false);
  const auto model = compile::compile(problem);
  const compile::RestingModel& resting = *model->resting;
  const std::vector<double> x0{2, 0.5, 3};
  std::vector<double> p = values_at(problem, *model, Point{}, false).p;
  p.resize(resting.model->parameters, 0.4);
  KnownRests fresh;
  KnownRests used;
  used.of(resting, {1, 1, 1}, p, {.with_derivatives = true});
  used.of(resting, x0, p, {.with_derivatives = false});
  for (const bool with_derivatives : {false, true}) {
    const integrate::SteadyState& a = fresh.of(resting, x0, p, {.with_derivatives = with_derivatives});
    const integrate::SteadyState& b = used.of(resting, x0, p, {.with_derivatives = with_derivatives});
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.evaluations, b.evaluations);
    EXPECT_EQ(a.by_p.data, b.by_p.data);
  }
}

TEST(Rest, IsTheSameBitForBitByMachineCode) {
  const model::Problem problem = receptor(false);
  const auto interpreted = compile::compile(problem);
  const auto translated = compile::compile(problem);
  translated->resting->evaluations = 1'000'000'000;  // worth it
  EXPECT_EQ(values_at(problem, *interpreted, {}, true).s0, values_at(problem, *translated, {}, true).s0);
}

TEST(Rest, NamesExperimentAndStateWhereThereIsNone) {
  Builder builder({{"x", "y"}, {"y", "m*(1 - x^2)*y - x"}});
  builder.parameter("m", estimated(1)).observable("o", "x", "0.1");
  builder.experiment("cells", {std::string("1"), std::string("0")}).measure(0, 0, 3, 1);
  model::Problem problem = builder.build();
  problem.experiments[0].equilibrate.emplace();
  const auto model = compile::compile(problem);
  const Point point{.theta = {1}, .v0 = {}};
  const std::string trouble = values_at(problem, *model, point, true).trouble;
  EXPECT_NE(trouble.find("before the start of experiment 'cells' there is no steady state: "), std::string::npos);
}

}  // namespace
}  // namespace salvo::shooting
