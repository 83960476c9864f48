#include "design/survey.hpp"

#include "design/describe.hpp"
#include "design/designs.hpp"
#include "design/off_grid.hpp"

namespace salvo::design {
namespace {

const auto not_yet = [] { return false; };

// Whatever is told of a design follows from the survey and the numbers of samples, here two at a time that is not best.
TEST(Survey, IsAllThatADesignIsDescribedFrom) {
  const model::Problem problem =
      problem_of(box_lucas("  measure: [{observables: [b], times: [1, 2, 7]}]\n  budget: 3\n"));
  const Options options;
  const RunContext context;
  Survey survey(problem, options, context);
  Result result;
  ASSERT_TRUE(survey.make(result)) << result.message;
  EXPECT_EQ(survey.candidates().samples.size(), 3U);
  EXPECT_EQ(survey.interest(), (std::vector<int>{0, 1}));
  const Exact exact{.count = {1, 0, 2}, .loss = loss(survey.problem(), information(survey.problem(), {{1.0, 0, 2}}))};
  const Purse purse{.cost = {1, 1, 1}, .limit = survey.candidates().limit, .budget = 3};
  describe(survey, best_weights(survey.problem(), purse, not_yet), exact, result);
  expect_times(result.taken, {1, 7, 7}, 0);
  expect_times(result.equidistant, {3, 5, 7}, 1e-12);
  EXPECT_NEAR(result.value, value_of(model::DesignCriterion::D, exact.loss), 1e-12);
  EXPECT_LT(result.efficiency, 1);
  add_refined(survey, exact, not_yet, result);
  ASSERT_TRUE(result.refined);
  EXPECT_GT(result.refined->value, result.value);
}

TEST(Survey, SaysWhyThereIsNothingToChooseFrom) {
  const model::Problem problem = problem_of(
      "equations: {x: -x}\ninitial: {x: 1}\nparameters: {k: 2}\nobservables: {y: {formula: k*x, noise: 0.1}}\n"
      "design: {measure: [{observables: [y], times: [1]}], budget: 1}\n");
  const Options options;
  const RunContext context;
  Survey survey(problem, options, context);
  Result result;
  EXPECT_FALSE(survey.make(result));
  EXPECT_NE(result.message.find("Nothing is estimated"), std::string::npos) << result.message;
}

// The same numbers of samples, in one of the new experiments.
TEST(Equidistant, TimesOfNewExperimentsAreThoseOfOne) {
  const Result result = designed(
      "equations: {x: -k*dose*x}\ninitial: {x: A}\nparameters: {k: {guess: 0.5}, A: {guess: 1}, dose: 1}\n"
      "observables: {y: {formula: x, noise: 0.1}}\ndesign:\n"
      "  measure: [{observables: [y], times: {from: 0, to: 4, step: 1}, at most: 1}]\n  experiments: {dose: [1, 2]}\n"
      "  budget: 4\n");
  ASSERT_EQ(result.status, Status::found) << result.message;
  expect_times(result.equidistant, {1, 2, 3, 4}, 1e-12);
}

}  // namespace
}  // namespace salvo::design
