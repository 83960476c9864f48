#include "statistics/path_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::statistics {
namespace {

// Points of a path q(c), the nearest to where it is continued first.
struct Path {
  template <class Curve>
  Path(const std::vector<double>& values, const Curve& curve) {
    for (const double c : values) points.push_back({.value = c, .q = curve(c)});
    for (const ProfilePoint& point : points) nodes.push_back(&point);
  }
  Path(const Path&) = delete;
  std::vector<ProfilePoint> points{};
  std::vector<const ProfilePoint*> nodes{};
};

TEST(PathPrediction, ContinuesAParabolaExactly) {
  const auto curve = [](double c) { return nlp::Point{c, 2 - 3 * c + 0.5 * c * c}; };
  const Path path({3, 2, 0.5}, curve);
  const nlp::Point q = extrapolated({}, path.nodes, 5);
  EXPECT_NEAR(q[0], 5, 1e-13);
  EXPECT_NEAR(q[1], curve(5)[1], 1e-12);
}

TEST(PathPrediction, ContinuesALineFromTwoPoints) {
  const Path path({2, 1}, [](double c) { return nlp::Point{4 - c}; });
  EXPECT_NEAR(extrapolated({}, path.nodes, 7)[0], -3, 1e-13);
}

// Where only c q = 6 is seen, q = 6/c: a straight line in logarithms.
TEST(PathPrediction, ContinuesAReciprocalInLogarithms) {
  const auto curve = [](double c) { return nlp::Point{c, -6 / c}; };
  const Path path({3, 2, 1, 0.5}, curve);
  ProfileTask task;
  task.is_value = true;
  task.are_values = {true, true};
  EXPECT_NEAR(extrapolated(task, path.nodes, 30)[1], curve(30)[1], 1e-12);
  task.are_values = {true, false};  // its sign and its ratios mean nothing
  EXPECT_GT(std::abs(extrapolated(task, path.nodes, 30)[1] - curve(30)[1]), 1);
}

// Values whose parabola foretells the nearest point exactly stay values.
TEST(PathPrediction, TakesTheFormThatForetoldTheNearestPoint) {
  const auto curve = [](double c) { return nlp::Point{1 + c * c}; };
  const Path path({4, 3, 2, 1}, curve);
  ProfileTask task;
  task.is_value = true;
  task.are_values = {true};
  EXPECT_NEAR(extrapolated(task, path.nodes, 6)[0], curve(6)[0], 1e-11);
}

TEST(PathPrediction, ANumberThatChangesItsSignHasNoLogarithm) {
  const Path path({2, 1}, [](double c) { return nlp::Point{3 - 2 * c}; });
  ProfileTask task;
  task.is_value = true;
  task.are_values = {true};
  EXPECT_NEAR(extrapolated(task, path.nodes, 4)[0], -5, 1e-13);
}

ProfileTask reciprocal_from(double c) {
  ProfileTask task;
  task.optimum = {.value = c, .q = {c, 6 / c}};
  task.tangent = {1, -6 / (c * c)};
  task.is_value = true;
  task.are_values = {true, true};
  return task;
}

TEST(PathPrediction, FollowsTheTangentFromTheOptimum) {
  ProfileTask task = reciprocal_from(2);
  task.error = 0.1;  // the data see it
  const nlp::Point q = along_tangent(task, 2.5);
  EXPECT_NEAR(q[0], 2.5, 1e-15);
  EXPECT_NEAR(q[1], 3 - 1.5 * 0.5, 1e-15);
}

TEST(PathPrediction, FollowsRatiosWhereTheDataSeeNothing) {
  const nlp::Point q = along_tangent(reciprocal_from(2), 12);
  EXPECT_NEAR(q[0], 12, 1e-13);
  EXPECT_NEAR(q[1], 0.5, 1e-14);
  EXPECT_NEAR(along_tangent(reciprocal_from(2), -1)[1], 3 + 1.5 * 3, 1e-13);  // but not across zero
}

}  // namespace
}  // namespace salvo::statistics
