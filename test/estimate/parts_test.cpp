#include "estimate/answer/constraints.hpp"
#include "estimate/answer/credibility.hpp"
#include "estimate/answer/one_trajectory.hpp"
#include "estimate/validation.hpp"
#include "estimate/ways/adapt_nodes.hpp"
#include "estimate/ways/nodes.hpp"
#include "estimate/ways/population.hpp"
#include "estimate/ways/search.hpp"
#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// Alternating residuals of so many stated standard deviations around a decay that is right.
Answer off_by(double sigmas, int sign_period, test::LaidOut& laid) {
  Answer answer;
  for (int k = 0; k < static_cast<int>(laid.problem.measurements.size()); ++k)
    answer.predictions.fitted.push_back({.row = k, .score = (k / sign_period) % 2 == 0 ? sigmas : -sigmas});
  answer.run.q = laid.setup.start;
  return answer;
}
model::Problem long_decay(const std::string& noise) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1));
  if (noise == "s") builder.parameter("s", test::within(0.1, 1e-3, 10, model::Scale::log));
  builder.observable("seen", "x", noise).experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 30; ++j) builder.measure(0, 0, 0.1 * j, std::exp(-0.1 * j));
  return builder.build();
}

// Of 30 squares of 1 and of 3: the chi-squared of 29 degrees is above 270 with probability 1e-40.
TEST(Credibility, IsThatOfChiSquaredWhereTheNoiseIsStated) {
  test::LaidOut laid(long_decay("0.1"));
  EXPECT_TRUE(is_credible(laid.workspace, off_by(1, 1, laid), laid.setup.shooting->layout()));
  EXPECT_FALSE(is_credible(laid.workspace, off_by(3, 1, laid), laid.setup.shooting->layout()));
  test::LaidOut estimated(long_decay("s"));
  EXPECT_TRUE(is_credible(estimated.workspace, off_by(3, 1, estimated), estimated.setup.shooting->layout()));
}

TEST(Doubt, IsLeftByResidualsThatFollowEachOtherWhereTheNoiseIsEstimated) {
  test::LaidOut laid(long_decay("s"));
  const nlp::Layout& layout = laid.setup.shooting->layout();
  EXPECT_FALSE(leaves_doubt(laid.workspace, off_by(1, 1, laid), layout));
  EXPECT_TRUE(leaves_doubt(laid.workspace, off_by(1, 10, laid), layout));
  test::LaidOut stated(long_decay("0.1"));
  EXPECT_FALSE(leaves_doubt(stated.workspace, off_by(1, 10, stated), stated.setup.shooting->layout()));
}

TEST(OneTrajectory, OfJoinedNodesIsTheSameAndOfTornOnesIsNot) {
  test::LaidOut laid(test::seen_decay(), {.nodes = model::NodesAtMeasurements{}});
  solve::SolveResult run = run_solver(laid.setup, {});
  const OneTrajectory joined = on_one_trajectory(*laid.setup.shooting, run, 1e-6);
  EXPECT_TRUE(joined.is_same);
  EXPECT_NEAR(joined.q.at(0), 0.7, 1e-6);
  run.q[laid.setup.shooting->layout().chains[0].offset[2]] += 1;
  nlp::Blocks torn;
  ASSERT_TRUE(laid.setup.shooting->values(run.q, torn).ok);
  run.objective = torn.objective;
  EXPECT_FALSE(on_one_trajectory(*laid.setup.shooting, run, 1e-6).is_same);
}

TEST(ConstraintsOfAnAnswer, AreActiveWhereTheirRowsAre) {
  test::Builder builder = test::decay(test::estimated(1), std::string("1"));
  builder.measure(0, 0, 1, 1).constraint("k", "<=", "2").constraint("k", ">=", "0");
  const model::Problem problem = builder.build();
  const Workspace workspace(problem, {});
  const auto results = constraint_results(*workspace.unbroken(), {1}, {0, 3});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_FALSE(results[0].active);
  EXPECT_TRUE(results[1].active);
  EXPECT_EQ(results[1].multiplier, 3);
  EXPECT_TRUE(results[1].places.empty());
}

TEST(Validation, RootMeanSquaresAndWhoIsJudged) {
  EXPECT_EQ(rms_residual({{.residual = 3}, {.residual = -4}}), std::sqrt(12.5));
  EXPECT_EQ(rms_residual({}), 0);
  test::LaidOut laid(test::seen_decay());
  EXPECT_FALSE(can_overfit(*laid.setup.shooting));
  EXPECT_FALSE(is_judged(*laid.setup.shooting, model::Method::lagrangian));
}

// A start on measured times, merged where the flow is tame.
TEST(AdaptedStart, OfATameFlowHasFewerNodesThanMeasurements) {
  const model::Problem problem = long_decay("0.1");
  const Workspace workspace(problem, {});
  const Discretisation laid = discretisation_for(nodes, workspace);
  ASSERT_TRUE(laid.adapts_nodes);
  const AdaptedStart start = adapted_start(workspace, laid);
  EXPECT_LT(start.shooting->grids()[0].intervals(), 30);
  EXPECT_EQ(static_cast<int>(start.start.q.size()), start.shooting->layout().unknowns);
  EXPECT_FALSE(start.is_stiff);
}

// Points drawn around 3, of which the best lead to the rate 1.
TEST(SearchAndPopulation, ComeNearTheAnswerFromWhatIsDrawn) {
  test::LaidOut laid(long_decay("0.1"), {.nodes = model::SingleInterval{}});
  Random random(1);
  const auto draw = [&] { return nlp::Point{3 * std::exp(random.normal())}; };
  const SearchResult search = search_from(laid.setup, draw, {}, {});
  ASSERT_FALSE(search.ends.empty());
  EXPECT_NEAR(search.ends[0].q.at(0), 1, 1e-5);
  EXPECT_GE(search.points, 1);
  const std::vector<nlp::Point> members = evolve(laid.setup, draw, random, {}, {});
  ASSERT_FALSE(members.empty());
  EXPECT_NEAR(members[0].at(0), 1, 0.05);
}

}  // namespace
}  // namespace salvo::estimate
