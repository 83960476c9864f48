#include "start/integral_matching.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "helpers/samples.hpp"
#include "shooting/trajectory.hpp"
#include "start/driven_states.hpp"
#include "start/levenberg_marquardt.hpp"

namespace salvo::start {
namespace {

// Measures some states of a builder's problem along its own trajectory, without noise.
model::Problem measured(test::Builder builder, const std::vector<double>& x0, const std::vector<double>& p,
                        const std::vector<int>& observables, double end, double step) {
  const auto compiled = compile::compile(builder.build());
  std::vector<double> times;
  for (int k = 0; k * step <= end + 1e-9; ++k) times.push_back(k * step);
  const shooting::Trajectory truth = shooting::trajectory(*compiled, model::Dopri5{}, {}, x0, p, times);
  for (std::size_t k = 0; k < times.size(); ++k)
    for (const int i : observables) builder.measure(0, i, times[k], truth.states(i, static_cast<int>(k)));
  return builder.build();
}

test::Builder lorenz(double noise) {
  test::Builder builder(test::Equations{{"x", "sig*(y - x)"}, {"y", "x*(rho - z) - y"}, {"z", "x*y - beta*z"}});
  builder.parameter("sig", test::estimated(9))
      .parameter("rho", test::estimated(20))
      .parameter("beta", test::estimated(2));
  for (const char* state : {"x", "y", "z"})
    builder.observable(std::string("see_") + state, state, std::to_string(noise));
  builder.experiment("default", {test::estimated(1), test::estimated(1), test::estimated(1)});
  return builder;
}

std::optional<Matched> match(const shooting::ShootingProblem& problem) {
  const auto observed = observed_at_guess(problem);
  return match_integrals(problem, observed, guessed(problem, observed, ObservedNodes::smoothed, 1));
}

TEST(IntegralMatching, FindsTheParametersOfExactData) {
  const test::Sample sample{"", measured(lorenz(1e-4), {1, 0, 0}, {10, 28, 8. / 3}, {0, 1, 2}, 5, 0.02),
                            model::NodesAtMeasurements{}};
  const auto matched = match(*test::lay_out(sample, {}));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 10, 0.01);
  EXPECT_NEAR(matched->unknowns.theta[1], 28, 0.01);
  EXPECT_NEAR(matched->unknowns.theta[2], 8. / 3, 0.005);
  EXPECT_EQ(matched->states, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(IntegralMatching, FindsThemWithTwoOfThreeStatesHidden) {
  const test::Sample sample{"", measured(lorenz(1e-4), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 15, 0.02),
                            model::NodesAtMeasurements{}};
  const auto matched = match(*test::lay_out(sample, {}));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 10, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[1], 28, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[2], 8. / 3, 0.02);
}

TEST(IntegralMatching, KeepsGuessesThatNoDatumSees) {
  test::Builder builder = lorenz(0.01);
  builder.parameter("unseen", test::estimated(7));
  const test::Sample sample{"", measured(builder, {1, 0, 0}, {10, 28, 8. / 3, 7}, {0, 1, 2}, 2, 0.02),
                            model::NodesAtMeasurements{}};
  EXPECT_EQ(match(*test::lay_out(sample, {}))->unknowns.theta[3], 7);
}

TEST(IntegralMatching, StaysWithinBounds) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.1, 0, 0.3))
      .observable("see", "x", "0.01")
      .experiment("default", {test::estimated(1)});
  const test::Sample sample{"", measured(builder, {1}, {0.8}, {0}, 3, 0.25), model::NodesAtMeasurements{}};
  EXPECT_EQ(match(*test::lay_out(sample, {}))->unknowns.theta[0], 0.3);
}

TEST(IntegralMatching, SimulatesStatesThatAreFasterThanTheirData) {
  test::Builder builder(test::Equations{{"fast", "k*(slow - fast)"}, {"slow", "-c*slow"}});
  builder.parameter("k", test::estimated(1)).parameter("c", test::estimated(1));
  builder.observable("see_fast", "fast", "0.0001").observable("see_slow", "slow", "0.0001");
  builder.experiment("default", {"0", "1"});
  const test::Sample sample{"", measured(builder, {0, 1}, {3, 0.1}, {0, 1}, 10, 1), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const auto observed = observed_at_guess(*problem);
  const auto marked = with_coarse_curves_marked(observed);
  ASSERT_TRUE(marked);
  EXPECT_TRUE(marked->front().states[0].coarse);
  EXPECT_FALSE(marked->front().states[1].coarse);
  const auto matched = match_integrals(*problem, *marked, guessed(*problem, observed, ObservedNodes::smoothed, 1));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 3, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[1], 0.1, 0.002);
}

TEST(DrivenStates, FollowTheSystemWhenDrivenByItsOwnSolution) {
  const test::Sample sample{"", measured(lorenz(1e-6), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 3, 0.01),
                            model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const shooting::ExperimentValues values{.p = {10, 28, 8. / 3}, .s0 = {1, 0, 0}};
  const std::vector<double> stops{0, 1, 2, 3};
  const shooting::Trajectory truth =
      shooting::trajectory(problem->model(), model::Dopri5{}, {}, values.s0, values.p, stops);
  const DrivenStates driven(problem->model(), observed_at_guess(*problem).front(), stops, {});
  EXPECT_TRUE(driven.run(values, 3, 6, false, [&](const DrivenStates::At& at) {
    EXPECT_NEAR(at.x[1], truth.states(1, at.stop), 2e-3) << at.stop;
    EXPECT_NEAR(at.x[2], truth.states(2, at.stop), 2e-3) << at.stop;
    const double shown = at.stop == 0 ? 0 : truth.states(0, at.stop) - truth.states(0, at.stop - 1);
    EXPECT_NEAR(at.increments[0], shown, 0.01) << at.stop;
  }));
}

TEST(DrivenStates, DerivativesAreThoseOfTheComputedNumbers) {
  const test::Sample sample{"", measured(lorenz(0.1), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 2, 0.05),
                            model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const DrivenStates driven(problem->model(), observed_at_guess(*problem).front(), {0, 0.5, 1.5}, {});
  const nlp::Point q = [&] {
    nlp::Point point(problem->layout().unknowns, 1.0);
    std::copy_n(std::vector<double>{9, 20, 2, 1, 0.5, 0.7}.begin(), 6, point.begin());
    return point;
  }();
  const auto numbers = [&](const nlp::Point& at_q) {
    std::vector<double> out;
    driven.run(problem->values_of(0, at_q, false), 3, 6, false, [&](const DrivenStates::At& at) {
      out.insert(out.end(), at.x.begin(), at.x.end());
      out.insert(out.end(), at.increments.begin(), at.increments.end());
    });
    return out;
  };
  std::vector<std::vector<double>> slopes;
  driven.run(problem->values_of(0, q, true), 3, 6, true, [&](const DrivenStates::At& at) {
    for (const auto& table : {at.tangent, at.increment_tangent})
      for (int i = 0; i < 3; ++i) {
        slopes.emplace_back(6, 0.0);
        for (int e = at.pattern.start[i]; e < at.pattern.start[i + 1]; ++e)
          slopes.back()[at.pattern.column[e]] = table[e];
      }
  });
  for (int k = 0; k < 6; ++k) {
    const double h = 1e-5;
    nlp::Point up = q, down = q;
    up[k] += h, down[k] -= h;
    const auto above = numbers(up), below = numbers(down);
    ASSERT_EQ(above.size(), slopes.size());
    for (std::size_t n = 0; n < above.size(); ++n)
      EXPECT_NEAR(slopes[n][k], (above[n] - below[n]) / (2 * h), 1e-6) << n << ", " << k;
  }
}

// Two states with coarse curves: simulated piece by piece, pieces side by side.
struct RestartedPieces {
  RestartedPieces()
      : sample{"",
               measured(test::predator_prey_without_data(test::estimated(0.4), test::estimated(1)), {0.4, 1},
                        {1, 1, 1, 1}, {0, 1}, 10, 0.5),
               model::NodesAtMeasurements{}},
        problem(test::lay_out(sample, {})) {
    observed = observed_at_guess(*problem).front();
    for (ObservedState& state : observed.states) state.coarse = true;
    values = problem->values_of(0, nlp::Point(problem->layout().unknowns, 0.8), true);
  }
  DrivenStates over(std::vector<double> stops, const std::vector<int>& restarts) const {
    return {problem->model(), observed, std::move(stops), restarts};
  }
  // Increments from stop to stop, and their derivatives by p.
  std::vector<std::vector<double>> of(const DrivenStates& driven, const shooting::ExperimentValues& at) const {
    std::vector<std::vector<double>> out;
    EXPECT_TRUE(driven.run(at, 4, 6, true, [&](const DrivenStates::At& stop) {
      out.emplace_back(stop.increments.begin(), stop.increments.end());
      out.back().insert(out.back().end(), stop.increment_tangent.begin(), stop.increment_tangent.end());
    }));
    return out;
  }
  test::Sample sample;
  std::unique_ptr<shooting::ShootingProblem> problem;
  ObservedStates observed;
  shooting::ExperimentValues values;
};

TEST(DrivenStates, PiecesSideBySideAreThoseOfEachAlone) {
  const RestartedPieces pieces;
  for (const std::vector<double>& stops :
       {std::vector<double>{0, 1, 2.5, 3}, std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 7.5, 9, 10}}) {
    std::vector<int> restarts;
    for (std::size_t k = 1; k < stops.size(); ++k) restarts.push_back(static_cast<int>(k));
    const auto together = pieces.of(pieces.over(stops, restarts), pieces.values);
    ASSERT_EQ(together.size(), stops.size());
    for (std::size_t k = 1; k < stops.size(); ++k)
      EXPECT_EQ(together[k], pieces.of(pieces.over({stops[k - 1], stops[k]}, {}), pieces.values)[1]) << k;
  }
}

TEST(DrivenStates, PiecesGoOnAtStopsThatDoNotRestartThem) {
  const RestartedPieces pieces;
  const auto together = pieces.of(pieces.over({0, 1, 2, 3, 4, 5, 6}, {2, 3, 6}), pieces.values);
  const auto alone = pieces.of(pieces.over({3, 4, 5, 6}, {}), pieces.values);
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(together[3 + k], alone[k]) << k;
}

TEST(DrivenStates, DerivativesOfPiecesAreThoseOfTheComputedNumbers) {
  const RestartedPieces pieces;
  const DrivenStates driven = pieces.over({0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6});
  const auto at = pieces.of(driven, pieces.values);
  for (int k = 0; k < 4; ++k) {
    const double h = 1e-5;
    shooting::ExperimentValues up = pieces.values, down = pieces.values;
    up.p[k] += h, down.p[k] -= h;
    const auto above = pieces.of(driven, up), below = pieces.of(driven, down);
    for (std::size_t stop = 1; stop < at.size(); ++stop)
      for (int i = 0; i < 2; ++i)  // each state depends on all four parameters, and on no initial value
        EXPECT_NEAR(at[stop][2 + 4 * i + k], (above[stop][i] - below[stop][i]) / (2 * h), 1e-8) << stop << ", " << k;
  }
}

TEST(DrivenStates, SayWhenTheyRunAway) {
  test::Builder builder(test::Equations{{"x", "-x"}, {"y", "y^2"}});
  builder.observable("see", "x", "0.1").experiment("default", {test::estimated(1), test::estimated(1)});
  const test::Sample sample{"", measured(builder, {1, 0}, {}, {0}, 4, 0.5), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const DrivenStates driven(problem->model(), observed_at_guess(*problem).front(), {0, 0.5, 2, 4}, {});
  int visited = 0;
  EXPECT_FALSE(driven.run({.p = {}, .s0 = {1, 1}}, 0, 2, false, [&](const DrivenStates::At&) { ++visited; }));
  EXPECT_EQ(visited, 2);
}

TEST(NormalEquations, AreThoseOfTheRowsInWhateverOrderTheirEntriesCame) {
  NormalEquations at;
  at.clear(3, true);
  SparseRow row(3);
  row.add(2, 5);
  row.add(0, 3);
  row.add(2, -1);  // 4 in all
  at.add(2, row);
  row.clear();
  row.add(1, 7);
  at.add(-1, row);
  at.change_unknown(2, 10);
  EXPECT_EQ(at.half_squares, 2.5);
  EXPECT_EQ(at.gradient, (std::vector<double>{6, -7, 80}));
  EXPECT_EQ(at.normal(0, 0), 9);
  EXPECT_EQ(at.normal(1, 0), 0);
  EXPECT_EQ(at.normal(1, 1), 49);
  EXPECT_EQ(at.normal(2, 0), 120);
  EXPECT_EQ(at.normal(2, 2), 1600);
}

TEST(NormalEquations, OfLinearRowsAreKnownEverywhere) {
  const auto at = [](double y, double z) {  // rows 1 + 2 y - z and 3 z - 4
    NormalEquations out;
    out.clear(2, true);
    SparseRow first(2), second(2);
    first.add(0, 2);
    first.add(1, -1);
    second.add(1, 3);
    out.add(1 + 2 * y - z, first);
    out.add(3 * z - 4, second);
    return out;
  };
  const std::vector<double> here{1, 5}, there{-2, 7};
  NormalEquations moved;
  moved.move(at(1, 5), here, there);
  EXPECT_EQ(moved.half_squares, at(-2, 7).half_squares);
  EXPECT_EQ(moved.gradient, at(-2, 7).gradient);
  EXPECT_EQ(moved.normal.data, at(-2, 7).normal.data);
  EXPECT_EQ(moved.rows, 2);
}

TEST(LevenbergMarquardt, SolvesRosenbrocksProblemWithinBounds) {
  const RowsAt rows = [](const std::vector<double>& z, bool derivatives, NormalEquations& out) {
    out.clear(3, derivatives);
    SparseRow first(3), second(3);
    first.add(1, 10);
    first.add(0, -20 * z[0]);
    second.add(0, -1);
    out.add(10 * (z[1] - z[0] * z[0]), first);
    out.add(1 - z[0], second);
    return true;
  };
  const std::vector<double> lower{-2, -2, -2}, upper{2, 2, 2}, low_upper{0.5, 2, 2};
  const SmallFit free = levenberg_marquardt(rows, {-1.2, 1, 0.3}, lower, upper, 100);
  EXPECT_NEAR(free.z[0], 1, 1e-4);
  EXPECT_NEAR(free.z[1], 1, 1e-4);
  EXPECT_EQ(free.z[2], 0.3);  // no row sees it
  const SmallFit bounded = levenberg_marquardt(rows, {-1.2, 1, 0.3}, lower, low_upper, 100);
  EXPECT_NEAR(bounded.z[0], 0.5, 1e-12);
  EXPECT_NEAR(bounded.z[1], 0.25, 1e-3);
}

}  // namespace
}  // namespace salvo::start
