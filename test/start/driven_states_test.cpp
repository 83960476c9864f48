#include "start/driven_states.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "measured.hpp"
#include "start/start_nodes.hpp"

namespace salvo::start {
namespace {

using test::lorenz;
using test::measured;

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

}  // namespace
}  // namespace salvo::start
