#include "report/profile_view.hpp"

#include <gtest/gtest.h>

#include "fit/fit.hpp"
#include "model/on_cells.hpp"

namespace salvo::report {
namespace {

using expression::Op;

// u_t = D u_xx on [0, 2], no flux through the ends, u = x at first; seen at three places at two times.
model::Problem seen_diffusion() {
  model::Problem problem;
  expression::Graph& graph = problem.graph;
  problem.time = graph.symbol("t");
  const model::NodeId x = graph.symbol("x"), u = graph.symbol("u"), D = graph.symbol("D");
  problem.space.push_back({.id = "x", .symbol = x, .from = 0, .to = 2, .cells = 20});
  problem.parameters.push_back({"D", D, model::Estimated{.guess = 0.1, .lower = 0.001, .upper = 1}});
  model::Field field{.id = "u", .symbol = u, .derivative = graph.multiply(D, graph.make(Op::second_derivative_x, u))};
  for (const model::Side side : {model::Side::left, model::Side::right}) field.at(side).terms[0] = graph.constant(0);
  problem.fields.push_back(field);
  problem.observables.push_back({.id = "seen", .formula = u, .noise = graph.constant(0.1)});
  problem.experiments.push_back({.id = "default"});
  problem.experiments[0].initial_fields.emplace_back(x);
  for (const double t : {1.0, 3.0})
    for (const double place : {0.2, 0.9, 1.7}) {
      model::Measurement m{.observable = 0, .time = t, .value = 1 + 0.5 * (place - 1)};
      m.place[0] = place;
      problem.measurements.push_back(m);
    }
  EXPECT_TRUE(model::put_on_cells(problem).empty());
  return problem;
}

TEST(ProfileView, HasAnExperimentForEachTimeAndTheCoordinateForTime) {
  const model::Problem problem = seen_diffusion();
  const auto view = profile_view(problem, fit::fit(problem, {}, {}));
  ASSERT_TRUE(view);
  ASSERT_EQ(view->problem.experiments.size(), 2u);
  EXPECT_EQ(view->problem.experiments[0].id, "t = 1");
  EXPECT_EQ(view->problem.experiments[1].id, "t = 3");
  ASSERT_EQ(view->problem.measurements.size(), 6u);
  EXPECT_EQ(view->problem.measurements[4].time, 0.9);
  EXPECT_EQ(view->problem.measurements[4].experiment, 1);
  ASSERT_EQ(view->result.solution_arcs.size(), 2u);
  EXPECT_GE(view->result.solution_arcs[0].time.size(), 3u);  // what was predicted, or all cells
}

// A profile has as many points as its picture, the band of its errors, and frames of the way there.
TEST(ProfileView, ShowsProfilesWithBandsAndTheWayToThem) {
  const model::Problem problem = seen_diffusion();
  const FitResult result = fit::fit(problem, {}, {});
  const auto view = profile_view(problem, result);
  ASSERT_TRUE(view && !result.field_pictures.empty());
  const Arc& arc = view->result.solution_arcs[1];
  const FieldPicture::Profile& profile = result.field_pictures[0].profiles[1];
  EXPECT_EQ(arc.time, result.field_pictures[0].place);
  EXPECT_EQ(arc.observables(0, 5), profile.value[5]);
  ASSERT_EQ(arc.band.lower.cols, arc.observables.cols);
  EXPECT_EQ(arc.band.lower(0, 5), profile.lower[5]);
  EXPECT_LT(arc.band.lower(0, 5), arc.observables(0, 5));
  ASSERT_GE(view->result.film.size(), 2u);
  EXPECT_EQ(view->result.film[0].arcs.size(), 2u);
  EXPECT_EQ(view->result.start_arcs.size(), 2u);
}

TEST(ProfileView, IsNoneWhereThereIsNoSpace) { EXPECT_FALSE(profile_view(model::Problem{}, FitResult{})); }

}  // namespace
}  // namespace salvo::report
