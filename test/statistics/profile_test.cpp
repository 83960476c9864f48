#include "statistics/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace salvo::statistics {
namespace {

constexpr double level = 1.92;  // half of the quantile of chi-square with one degree, 95 %

// A profile that is known in closed form: PL(c) and PL'(c); q is c alone.
template <class Objective, class Slope>
HeldSolver closed_form(const Objective& objective, const Slope& slope, int* calls = nullptr) {
  return [=](double c, const nlp::Point&) {
    if (calls != nullptr) ++*calls;
    HeldPoint out;
    out.point = ProfilePoint{.value = c, .objective = objective(c), .slope = slope(c), .q = {c}};
    out.start_objective = out.point->objective;
    return out;
  };
}

double square(double c) { return 5 + std::pow((c - 3) / 0.5, 2) / 2; }
double square_slope(double c) { return (c - 3) / 0.25; }

ProfileTask task_at(double optimum, double objective, double error, int direction = 1) {
  return {.direction = direction,
          .optimum = {.value = optimum, .objective = objective, .q = {optimum}},
          .tangent = {1},
          .error = error,
          .size = 3,
          .bound = direction * std::numeric_limits<double>::infinity(),
          .level = level};
}

TEST(Profile, OfASquareEndsWhereTheNormalIntervalDoes) {
  for (const int direction : {1, -1}) {
    int calls = 0;
    const ProfilePath path =
        follow_profile(task_at(3, 5, 0.5, direction), closed_form(square, square_slope, &calls), {}, {});
    ASSERT_EQ(path.end, PathEnd::level);
    const double end = 3 + direction * 0.5 * std::sqrt(2 * level);
    EXPECT_NEAR(path.points.back().value, end, 1e-5 * 0.5);
    EXPECT_LE(calls, 4);  // each stop where it was expected
  }
}

// PL(c) = k c - n log c, of n exponential waiting times: the ends solve k c - n log c = n - n log(n/k) + level.
TEST(Profile, EndsWhereASkewLikelihoodDoes) {
  const auto objective = [](double c) { return 2 * c - 4 * std::log(c); };
  const auto slope = [](double c) { return 2 - 4 / c; };
  for (const int direction : {1, -1}) {
    ProfileTask task = task_at(2, objective(2), 1, direction);
    task.is_value = true;
    const ProfilePath path = follow_profile(task, closed_form(objective, slope), {}, {});
    ASSERT_EQ(path.end, PathEnd::level);
    double low = direction > 0 ? 2 : 1e-9, high = direction > 0 ? 20 : 2;  // by halving
    for (int k = 0; k < 200; ++k) {
      const double middle = 0.5 * (low + high);
      const bool is_inside = objective(middle) - objective(2) < level;
      ((direction > 0) == is_inside ? low : high) = middle;
    }
    EXPECT_NEAR(path.points.back().value, low, 1e-5 * low);
  }
}

// On this side of the end, or beyond it.
TEST(Profile, BeginsAtAPointThatIsKnown) {
  const auto objective = [](double c) { return 2 * c - 4 * std::log(c); };
  const auto slope = [](double c) { return 2 - 4 / c; };
  int calls = 0;
  const HeldSolver solver = closed_form(objective, slope, &calls);
  const ProfileTask task = task_at(2, objective(2), 1);
  ProfileRules rules;
  rules.end_tolerance = rules.interval_tolerance;
  rules.stops = {1};
  const ProfilePath alone = follow_profile(task, solver, rules, {});
  const int calls_alone = calls;
  for (const double at : {alone.points.front().value, 5.0}) {
    calls = 0;
    const ProfilePoint known = *solver(at, {}).point;
    const ProfilePath path = follow_profile(task, solver, rules, {}, &known);
    ASSERT_EQ(path.end, PathEnd::level);
    EXPECT_NEAR(path.points.back().value, alone.points.back().value, 5e-3);
    EXPECT_LE(calls, at == 5.0 ? calls_alone + 1 : calls_alone);  // one of them is that of the point
  }
}

TEST(Profile, EndsAtABound) {
  ProfileTask task = task_at(3, 5, 0.5);
  task.bound = 3.3;
  const ProfilePath path = follow_profile(task, closed_form(square, square_slope), {}, {});
  EXPECT_EQ(path.end, PathEnd::bound);
  EXPECT_EQ(path.points.back().value, 3.3);
}

TEST(Profile, IsFlatWhereNothingRises) {
  ProfileTask task = task_at(3, 5, 0);
  task.farthest = 1e4;
  const ProfilePath path =
      follow_profile(task, closed_form([](double) { return 5.0; }, [](double) { return 0.0; }), {}, {});
  EXPECT_EQ(path.end, PathEnd::flat);
  EXPECT_NEAR(path.points.back().value, 1e4 + 3, 1);
}

TEST(Profile, SaysWhereItFoundALowerPoint) {
  const auto objective = [](double c) { return c < 3.4 ? square(c) : 4.0; };
  const ProfilePath path = follow_profile(task_at(3, 5, 0.5), closed_form(objective, square_slope), {}, {});
  EXPECT_EQ(path.end, PathEnd::lower);
  EXPECT_EQ(path.points.back().objective, 4);
}

TEST(Profile, FailsWithTheWordsOfTheSolver) {
  const HeldSolver nothing = [](double, const nlp::Point&) { return HeldPoint{.trouble = "no trajectory"}; };
  const ProfilePath path = follow_profile(task_at(3, 5, 0.5), nothing, {}, {});
  EXPECT_EQ(path.end, PathEnd::failed);
  EXPECT_EQ(path.trouble, "no trajectory");
  EXPECT_TRUE(path.points.empty());
}

TEST(Profile, TakesShorterStepsWhereTheSolverFails) {
  const HeldSolver timid = [](double c, const nlp::Point& start) {
    if (std::abs(c - start[0]) > 0.2) return HeldPoint{.trouble = "too far"};
    return closed_form(square, square_slope)(c, start);
  };
  ProfileTask task = task_at(3, 5, 0.5);
  task.tangent = {0};  // the solver starts where the neighbour was
  const ProfilePath path = follow_profile(task, timid, {}, {});
  ASSERT_EQ(path.end, PathEnd::level);
  EXPECT_NEAR(path.points.back().value, 3 + 0.5 * std::sqrt(2 * level), 1e-5);
}

// Level from 5 to 6 and far above elsewhere, from any start: the time of a step between two measurements.
TEST(Profile, EndsWhereTheObjectiveJumps) {
  const auto objective = [](double c) { return c > 5 && c <= 6 ? 1.0 : 30.0; };
  for (const int direction : {1, -1}) {
    ProfileTask task = task_at(5.4, 1, 0, direction);
    task.tangent.clear();
    const ProfilePath path = follow_profile(task, closed_form(objective, [](double) { return 0.0; }), {}, {});
    ASSERT_EQ(path.end, PathEnd::level);
    EXPECT_NEAR(path.points.back().value, direction > 0 ? 6 : 5, 1e-5);
    EXPECT_EQ(path.points.back().objective, 1);  // the last that belongs to the interval
  }
}

// An optimum beside the jump is itself the end.
TEST(Profile, EndsAtOnceBesideAJump) {
  const auto objective = [](double c) { return c > 5 ? 1.0 : 30.0; };
  ProfileTask task = task_at(std::nextafter(5.0, 6.0), 1, 0, -1);
  const ProfilePath path = follow_profile(task, closed_form(objective, [](double) { return 0.0; }), {}, {});
  ASSERT_EQ(path.end, PathEnd::level);
  EXPECT_NEAR(path.points.back().value, 5, 1e-5);
}

// Two times whose order must not change: q = (c, d) with d > c, and d wants to be smaller. Along the edge d is taken
// along; a solver that finds it on the wrong side of c stays there.
TEST(Profile, GoesOnAlongTheEdgeBetweenTwoOrders) {
  const auto objective = [](double c, double d) { return (std::pow(c - 2.3, 2) + std::pow(d - 2, 2)) / 0.02; };
  const HeldSolver solver = [&](double c, const nlp::Point& start) {
    const bool is_ordered = start[1] > c;
    const double d = is_ordered ? std::max(2.0, c + 1e-9) : 2.0;
    const double jump = is_ordered || d > c ? 0 : 500;
    HeldPoint out;
    out.point = ProfilePoint{.value = c, .objective = objective(c, d) + jump, .q = {c, d}};
    out.point->slope = (c - 2.3 + (d > 2 ? c - 2 : 0)) / 0.01;
    out.start_objective = objective(c, start[1]) + (is_ordered ? 0 : 500);
    return out;
  };
  ProfileTask task = task_at(2.15, objective(2.15, 2.15), 0.1);
  task.optimum.q = {2.15, 2.15 + 1e-9};
  task.tangent = {1, 0};
  const ProfilePath path = follow_profile(task, solver, {}, {});
  ASSERT_EQ(path.end, PathEnd::level) << path.trouble;
  EXPECT_NEAR(path.points.back().value, 2.15 + std::sqrt(0.01 * level), 1e-4);
}

// Only a product is seen well: q = (c, 2/c). A solver that starts on the wrong side of the pole finds nothing.
TEST(Profile, GoesOnBeyondAPole) {
  const auto objective = [](double c) { return std::pow((c - 0.1) / 0.1, 2) / 2; };
  const HeldSolver solver = [&](double c, const nlp::Point& start) {
    if (start[1] * c <= 0) return HeldPoint{.trouble = "wrong side"};
    HeldPoint out;
    out.point = ProfilePoint{.value = c, .objective = objective(c), .slope = (c - 0.1) / 0.01, .q = {c, 2 / c}};
    out.start_objective = out.point->objective;
    return out;
  };
  ProfileTask task = task_at(0.1, 0, 0.1, -1);
  task.optimum.q = {0.1, 20};
  task.tangent = {1, -200};
  task.is_value = true;
  task.are_values = {true, true};
  task.usual = 0.3;
  const ProfilePath path = follow_profile(task, solver, {}, {});
  ASSERT_EQ(path.end, PathEnd::level) << path.trouble;
  EXPECT_NEAR(path.points.back().value, 0.1 - 0.1 * std::sqrt(2 * level), 1e-5);
}

// Nothing can be computed below zero: there is no end on that side.
TEST(Profile, HasNoEndAtTheEdgeOfWhatCanBeComputed) {
  const HeldSolver solver = [](double c, const nlp::Point& start) {
    if (c < 0) return HeldPoint{.trouble = "no likelihood"};
    return closed_form([](double x) { return 2 * x; }, [](double) { return 2.0; })(c, start);
  };
  ProfileTask task = task_at(1e-10, 2e-10, 1e-5, -1);
  task.is_value = true;
  task.usual = 1;
  EXPECT_EQ(follow_profile(task, solver, {}, {}).end, PathEnd::flat);
  task.direction = 1;
  task.bound = std::numeric_limits<double>::infinity();
  const ProfilePath up = follow_profile(task, solver, {}, {});
  ASSERT_EQ(up.end, PathEnd::level);
  EXPECT_NEAR(up.points.back().value, level / 2, 1e-5);
}

// Two valleys by a second unknown: q = (c, 0) is the first, q = (c, 1) another, lower beyond c = 4.
double valley(double c, int which) { return which == 0 ? square(c) : 6 + std::pow((c - 5) / 1.5, 2) / 2; }
HeldPoint solve_in_valley(double c, const nlp::Point& start) {
  const int which = start[1] > 0.5 ? 1 : 0;
  const double slope = which == 0 ? square_slope(c) : (c - 5) / 2.25;
  HeldPoint out;
  out.point = ProfilePoint{.value = c, .objective = valley(c, which), .slope = slope, .q = {c, 1.0 * which}};
  out.start_objective = out.point->objective;
  return out;
}

TEST(Profile, GoesOnInAValleyThatIsLower) {
  ProfileTask task = task_at(3, 5, 0.5);
  task.optimum.q = {3, 0};
  task.tangent = {1, 0};
  const ProfilePath path = follow_profile(task, solve_in_valley, {}, {});
  ASSERT_EQ(path.end, PathEnd::level);
  EXPECT_NEAR(path.points.back().value, 3.98, 0.01);  // of the first valley
  const ProfilePath further = go_on_in_valleys(path, {{5, 1}}, task, solve_in_valley, {}, {});
  ASSERT_EQ(further.end, PathEnd::level);
  EXPECT_NEAR(further.points.back().value, 5 + 1.5 * std::sqrt(2 * (level - 1)), 1e-4);
  EXPECT_EQ(further.points.back().q[1], 1);
}

TEST(Profile, StaysInItsValleyWhereOthersAreHigher) {
  ProfileTask task = task_at(3, 5, 0.5, -1);
  task.optimum.q = {3, 0};
  task.tangent = {1, 0};
  const ProfilePath path = follow_profile(task, solve_in_valley, {}, {});
  const ProfilePath further = go_on_in_valleys(path, {{5, 1}}, task, solve_in_valley, {}, {});
  EXPECT_EQ(further.points.size(), path.points.size());
  EXPECT_EQ(further.points.back().value, path.points.back().value);
}

TEST(Profile, TellsTheBestPointsOfTheValleysItWentThrough) {
  ProfilePath path;
  const auto add = [&](double c, double objective) {
    path.points.push_back({.value = c, .objective = objective, .q = {c}});
  };
  add(1, 0.5), add(2, 0.9), add(3, 0.3), add(4, 0.2), add(5, 0.8), add(6, 0.79), add(7, 1.5), add(8, 1.0);
  ProfileTask task;
  task.level = level;
  const std::vector<nlp::Point> valleys = valleys_along(path, task);
  EXPECT_EQ(valleys, (std::vector<nlp::Point>{{4}, {8}}));  // a fall of 0.01 is none
}

}  // namespace
}  // namespace salvo::statistics
