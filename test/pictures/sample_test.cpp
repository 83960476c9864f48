#include "pictures/sample.hpp"

#include <gtest/gtest.h>

#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"
#include "pictures/film.hpp"
#include "pictures/profile_film.hpp"

namespace salvo::pictures {
namespace {

// x = x(0) e^(-k t), measured at 1 ... 4.
model::Problem measured_decay() {
  test::Builder builder = test::decay(test::estimated(1), test::estimated(1));
  for (int j = 1; j <= 4; ++j) builder.measure(0, 0, j, 2 * std::exp(-0.5 * j));
  return builder.build();
}

TEST(Arcs, AreTheClosedFormFromEveryNode) {
  const model::Problem problem = measured_decay();
  const estimate::Workspace workspace(problem, {});
  const auto shooting = workspace.on(shooting::make_grids(problem, model::IntervalCount{2}));
  nlp::Point q(shooting->layout().unknowns, 3);
  q[0] = 0.5;
  const std::vector<Arc> arcs = sample_arcs(*shooting, q);
  ASSERT_EQ(arcs.size(), 2U);
  for (const Arc& arc : arcs) {
    EXPECT_EQ(arc.time.front(), shooting->grids()[0].tau[arc.interval]);
    EXPECT_EQ(arc.time.back(), shooting->grids()[0].tau[arc.interval + 1]);
    for (int k = 0; k < arc.states.cols; ++k)
      EXPECT_NEAR(arc.states(0, k), 3 * std::exp(-0.5 * (arc.time[k] - arc.time[0])), 1e-5);
  }
}

TEST(Arcs, AreNotFollowedOnceTheRunIsToStop) {
  const model::Problem problem = measured_decay();
  StopFlag stop;
  const estimate::Workspace workspace(problem, {}, nullptr, {}, &stop);
  const auto shooting = workspace.on(shooting::make_grids(problem, model::IntervalCount{2}));
  const nlp::Point q(shooting->layout().unknowns, 1);
  EXPECT_EQ(sample_arcs(*shooting, q).size(), 2U);
  stop.raise();
  EXPECT_TRUE(sample_arcs(*shooting, q).empty());
}

TEST(Arcs, OfAnEventEndBeforeItAndBeginAfterIt) {
  test::Builder builder = test::decay(test::estimated(1), std::string("1"));
  builder.event_at({"1.5"}, {{0, "x + 2"}}).measure(0, 0, 4, 1);
  const model::Problem problem = builder.build();
  const estimate::Workspace workspace(problem, {});
  const auto shooting = workspace.unbroken();
  const std::vector<Arc> arcs = sample_interval(*shooting, {1}, 0, 0, 10, PictureTimes(problem));
  ASSERT_EQ(arcs.size(), 2U);
  EXPECT_NEAR(arcs[0].time.back(), 1.5, 1e-12);
  EXPECT_NEAR(arcs[1].states(0, 0) - arcs[0].states(0, arcs[0].states.cols - 1), 2, 1e-6);
}

// The largest distance of a curve from the lines through its points.
template <class Curve>
double distance_from(const std::vector<Arc>& arcs, int observable, const Curve& curve) {
  double largest = 0;
  for (const Arc& arc : arcs)
    for (std::size_t k = 1; k < arc.time.size(); ++k)
      for (const double share : {0.25, 0.5, 0.75}) {
        const double t = (1 - share) * arc.time[k - 1] + share * arc.time[k];
        const double drawn = (1 - share) * arc.observables(observable, static_cast<int>(k) - 1) +
                             share * arc.observables(observable, static_cast<int>(k));
        largest = std::max(largest, std::abs(drawn - curve(t)));
      }
  return largest;
}
std::size_t points_of(const std::vector<Arc>& arcs) {
  std::size_t points = 0;
  for (const Arc& arc : arcs) points += arc.time.size();
  return points;
}

// 150 periods, of which 400 even points would show an alias, and a pulse as short as a thousandth of the whole.
TEST(Arcs, AreSampledWhereTheyBend) {
  test::Builder builder(test::Equations{{"x", "v"}, {"v", "-w^2*x"}, {"n", "exp(-((t - 47.1)/0.05)^2)*40 - 20*n"}});
  builder.parameter("w", test::estimated(1)).observable("x", "x", "1").observable("n", "n", "1");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0"), std::string("0")});
  builder.measure(0, 0, 100, 1);
  const model::Problem problem = builder.build();
  const estimate::Workspace workspace(problem, {});
  const auto shooting = workspace.unbroken();
  const double w = 3 * 3.14159265358979;
  const std::vector<Arc> arcs = sample_arcs(*shooting, {w});
  EXPECT_LT(distance_from(arcs, 0, [&](double t) { return std::cos(w * t); }), 0.02);
  double highest = 0;
  for (const Arc& arc : arcs)
    for (int k = 0; k < arc.observables.cols; ++k) highest = std::max(highest, arc.observables(1, k));
  EXPECT_GT(highest, 1.2);
  EXPECT_LT(points_of(arcs), 8000U);
}

TEST(Arcs, OfASmoothCurveHaveNoMorePointsThanUsual) {
  const model::Problem problem = measured_decay();
  const estimate::Workspace workspace(problem, {});
  EXPECT_LE(points_of(sample_arcs(*workspace.unbroken(), {0.5, 2})), 210U);
}

TEST(Film, EndsWithTheAnswer) {
  const model::Problem problem = measured_decay();
  const estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const estimate::Answer& answer = estimation.best.answer;
  const std::vector<Frame> film = develop(*estimation.best.shooting, answer, 1);
  ASSERT_FALSE(film.empty());
  EXPECT_EQ(film.front().iteration, 0);
  const Arc& last = film.back().arcs.back();
  EXPECT_NEAR(last.observables(0, last.observables.cols - 1), 2 * std::exp(-0.5 * last.time.back()), 1e-5);
}

TEST(ProfileFilm, DrawsEveryPointOfAShortProfile) {
  const model::Problem problem = measured_decay();
  const estimate::Workspace workspace(problem, {});
  const auto shooting = workspace.unbroken();
  const std::vector<nlp::Point> points{{0.4, 2}, {0.5, 2}, {0.6, 2}};
  Profiles profiles;
  profiles.profiles.push_back({.id = "k", .points = {{.value = 0.4}, {.value = 0.5}, {.value = 0.6}}});
  add_trajectories(*shooting, {{&points[0], &points[1], &points[2]}}, 1, profiles);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& arcs = profiles.profiles[0].points[i].arcs;
    ASSERT_EQ(arcs.size(), 1U);
    EXPECT_NEAR(arcs[0].observables(0, arcs[0].observables.cols - 1), 2 * std::exp(-points[i][0] * 4), 1e-5);
  }
}

}  // namespace
}  // namespace salvo::pictures
