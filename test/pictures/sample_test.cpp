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
