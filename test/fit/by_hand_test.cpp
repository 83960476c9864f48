#include "fits.hpp"

// Problems that were filled by hand, and options with mistakes in them.
namespace salvo::fit {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(ByHand, AProblemWithoutInitialValuesIsRefusedInWords) {
  model::Problem problem = test::predator_prey();
  problem.experiments[0].initial.clear();
  const std::string words = "0 initial values for 2 states";
  const FitResult fitted = fit(problem, {}, {});
  EXPECT_EQ(fitted.status, Status::numerical_failure);
  EXPECT_TRUE(contains(fitted.message, words)) << fitted.message;
  const EvaluateResult evaluated = evaluate(problem, {});
  EXPECT_FALSE(evaluated.ok);
  EXPECT_TRUE(contains(evaluated.message, words)) << evaluated.message;
  EXPECT_FALSE(simulate(problem, {}).ok);
  EXPECT_FALSE(study(problem, {}, {}).ok);
  const auto findings = check(problem, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(contains(findings[0].text, words)) << findings[0].text;
}

TEST(ByHand, AProblemWhoseMeasurementsWereTakenAwayIsNotFitted) {
  model::Problem problem = test::predator_prey();
  problem.measurements.clear();
  for (const FitResult& result :
       {fit(problem, {}, {}), fit(problem, {.starts = 3}, {}), profile(problem, {}, {}, {})}) {
    EXPECT_EQ(result.status, Status::numerical_failure);
    EXPECT_TRUE(contains(result.message, "no measurements")) << result.message;
  }
  EXPECT_FALSE(study(problem, {}, {}).ok);
  EXPECT_TRUE(simulate(problem, {.at = {0, 1}}).ok);
  evaluate(problem, {.gradient = true});
  check(problem, {});
}

// What one call compiles no other can use.
TEST(ByHand, AFitThatOthersAreLikeMakesNoMachineCodeForThem) {
  std::string told;
  const RunContext context{.listener = [&](const Event& event) {
    if (const auto* remark = std::get_if<Remark>(&event)) told += remark->text + "\n";
  }};
  fit(test::predator_prey(), {.expected_reuse = 1'000'000}, context);
  EXPECT_TRUE(contains(told, "node")) << told << "details are told";
  EXPECT_FALSE(contains(told, "machine code")) << told;
}

TEST(ByHand, AGuessOfNothingIsNotPassedOver) {
  const FitResult result = fit(test::predator_prey(), {.guess = {{"p1", 1}, {"q1", 2}}}, {});
  EXPECT_EQ(result.status, Status::numerical_failure);
  EXPECT_TRUE(contains(result.message, "no parameter or initial value 'q1'")) << result.message;
  EXPECT_FALSE(evaluate(test::predator_prey(), {.values = {{"q1", 2}}}).ok);
  EXPECT_FALSE(simulate(test::predator_prey(), {.values = {{"q1", 2}}}).ok);
}

}  // namespace
}  // namespace salvo::fit
