#include "fits.hpp"

namespace salvo::fit {
namespace {

bool is_said(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(AFitThatEndsTooEarly, SaysWhereItsGapIsAndWhatToTry) {
  const FitResult result =
      test::fit_of(test::predator_prey(), {.nodes = model::NodesAtMeasurements{}, .max_iterations = 1});
  ASSERT_EQ(result.status, Status::max_iterations);
  EXPECT_TRUE(is_said(result.message, "after 1 iteration:")) << result.message;
  EXPECT_TRUE(is_said(result.message, "at t = ")) << result.message;
  EXPECT_TRUE(is_said(result.message, "Options::max_iterations")) << result.message;
}

// A line through two points leaves nothing for the noise.
TEST(ANoiseThatRunsToZero, IsNamedWithWhatToDo) {
  test::Builder builder(test::Equations{{"x", "b"}});
  builder.parameter("b", test::estimated(1)).parameter("sigma", test::estimated(0.1)).observable("seen", "x", "sigma");
  builder.experiment(model::default_experiment, {test::estimated(0.5)});
  builder.measure(0, 0, 0, 1).measure(0, 0, 1, 2.2);
  const FitResult result = test::fit_of(builder.build());
  EXPECT_NE(result.status, Status::converged);
  EXPECT_TRUE(is_said(result.message, "sigma runs to zero")) << result.message;
  EXPECT_TRUE(is_said(result.message, "State it in the file")) << result.message;
}

TEST(AnEquationThatIsNotFinite, IsNamedAndNotTheStatesThatFollowIt) {
  test::Builder builder({{"x1", "1/(x1 - x1)"}, {"x2", "x1 - k*x2"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x2", "0.1");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("1")});
  for (int j = 1; j <= 3; ++j) builder.measure(0, 0, j, 1);
  const FitResult result = test::fit_of(builder.build());
  EXPECT_EQ(result.status, Status::numerical_failure);
  EXPECT_TRUE(is_said(result.message, "the equation of x1 has no finite value at t = 0")) << result.message;
}

TEST(OtherStarts, DoNotRepeatWhatWasChosen) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});  // whatever the start, these data are not a decay
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 6; ++j) builder.measure(0, 0, j, j % 2);
  int told = 0;
  RunContext context;
  context.listener = [&](const Event& event) {
    const auto* remark = std::get_if<Remark>(&event);
    told += remark != nullptr && remark->text.starts_with("method ") ? 1 : 0;
  };
  const FitResult result = fit(builder.build(), {}, context);
  EXPECT_TRUE(is_said(result.message, "None of the fits that were found agrees with the stated noise"));
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace salvo::fit
