#include "fits.hpp"

namespace salvo::fit {
namespace {

using Level = Finding::Level;

std::string told(const model::Problem& problem, Level level, const Options& options = {}) {
  std::string text;
  for (const Finding& finding : check(problem, options))
    if (finding.level == level) text += finding.text + "\n";
  return text;
}
bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// x = e^(-k t), seen through `formula`.
test::Builder decay_seen_as(const std::string& formula, const std::optional<std::string>& noise = "0.01") {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.9)).observable("seen", formula, noise);
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 0; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.5 * j));
  return builder;
}

TEST(Check, HasNothingAgainstASoundProblem) {
  EXPECT_EQ(told(decay_seen_as("x").build(), Level::trouble), "");
  EXPECT_EQ(told(test::predator_prey_partial(), Level::trouble), "");
}

TEST(Check, SaysWhatToDoWhereNothingIsToBeEstimated) {
  model::Problem problem = decay_seen_as("x").build();
  problem.parameters[0].value = 0.9;
  EXPECT_TRUE(says(told(problem, Level::note), "nothing is to be estimated")) << told(problem, Level::note);
  EXPECT_FALSE(says(told(decay_seen_as("x").build(), Level::note), "nothing is to be estimated"));
}

// Gaps between nodes would hide it: with one species seen, the other is known up to a factor.
TEST(Check, SeesAlongUnbrokenTrajectoriesWhatCannotBeToldApart) {
  test::Builder builder(test::Equations{{"x1", "-p1*x1 + p2*x1*x2"}, {"x2", "p3*x2 - p4*x1*x2"}});
  for (const std::string id : {"p1", "p2", "p3", "p4"}) builder.parameter(id, test::estimated(0.5));
  builder.observable("predator", "x1", "0.05");
  builder.experiment(model::default_experiment, {test::estimated(0.4), test::estimated(1)});
  const double seen[] = {0.38, 0.5, 1.0, 1.85, 2.05, 1.4, 0.78, 0.46, 0.41, 0.7, 1.5};
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, j, seen[j]);
  const std::string text = told(builder.build(), Level::trouble);
  EXPECT_TRUE(says(text, "not identifiable together: p2 and x2")) << text;
}

TEST(Check, ProposesTheMeasurementThatWouldHelpMost) {
  // d x/d k = -t e^(-k t) is largest at t = 1/k, close to 1.
  const std::string text = told(decay_seen_as("x").build(), Level::note);
  EXPECT_TRUE(says(text, "one of seen at 1 helps most: it would shrink the error of k")) << text;
}

TEST(Check, NamesAParameterThatNothingDependsOn) {
  const model::Problem problem = decay_seen_as("x").parameter("p9", test::estimated(1)).build();
  EXPECT_TRUE(says(told(problem, Level::trouble), "depends on p9")) << told(problem, Level::trouble);
}

TEST(Check, NamesWhatCannotBeToldApart) {
  test::Builder builder(test::Equations{{"x", "-a*b*x"}});
  builder.parameter("a", test::estimated(1)).parameter("b", test::estimated(1)).observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 0; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.5 * j));
  const std::string text = told(builder.build(), Level::trouble);
  EXPECT_TRUE(says(text, "not identifiable together: a and b")) << text;
}

TEST(Check, NoticesAnObservableThatIsZeroAtTheStart) {
  const model::Problem problem = decay_seen_as("s*x").parameter("s", test::estimated(0)).build();
  const std::string text = told(problem, Level::trouble);
  EXPECT_TRUE(says(text, "seen is zero wherever it is measured")) << text;
}

TEST(Check, NoticesAGuessThatIsOrdersOfMagnitudeAway) {
  test::Builder builder = decay_seen_as("x");
  builder.parameter("level", test::estimated(1e4)).observable("height", "level", "0.01");
  for (int j = 0; j <= 8; ++j) builder.measure(0, 1, 0.5 * j, 2);
  const model::Problem problem = builder.build();
  const std::string text = told(problem, Level::trouble, {.guess = {{"level", 1e4}}});
  EXPECT_TRUE(says(text, "height is typically 1e+04 where 2 was measured")) << text;
}

TEST(Check, WarnsOfNoiseThatWouldVanish) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.9)).parameter("sigma", test::within(0.1, 1e-8, 10));
  builder.observable("seen", "x", "sigma").experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 6; ++j) builder.measure(0, 0, j, 0.5);
  const std::string text = told(builder.build(), Level::trouble);
  EXPECT_TRUE(says(text, "the noise of seen is to be estimated from 6 values, all of them equal")) << text;
}

TEST(Check, ForeseesThatAStiffSystemIsSlowWithExplicitSteps) {
  test::Builder builder({{"x", "-r*(x - y)"}, {"y", "-k*y"}});
  builder.parameter("k", test::estimated(1)).parameter("r", 3e4).observable("seen", "y", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("1")});
  for (int j = 1; j <= 4; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.5 * j));
  const std::string text = told(builder.build(), Level::trouble, {.integrator = model::Dopri5{}});
  EXPECT_TRUE(says(text, "may be stiff. Leave the integrator to auto")) << text;
  EXPECT_FALSE(says(told(builder.build(), Level::trouble), "may be stiff"));
}

// Half a step of the differences leads to where the square root has no value.
TEST(Check, DifferencesStayWhereThereIsAValue) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1.0005)).observable("seen", "x*sqrt(k - 1)", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 4; ++j) builder.measure(0, 0, 0.5 * j, 0.02);
  for (const Level level : {Level::trouble, Level::note, Level::good})
    EXPECT_FALSE(says(told(builder.build(), level), "nan")) << told(builder.build(), level);
}

// Nothing shows its states, so a fit begins along one trajectory: what many nodes would do is not asked.
TEST(Check, LooksAtTheNodesOnWhichAFitBegins) {
  test::Builder builder(test::Equations{{"x", "-k*x"}, {"y", "k*x - y"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x*y", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j <= 30; ++j) builder.measure(0, 0, 0.1 * j, 0.1);
  EXPECT_TRUE(says(told(builder.build(), Level::good), "2 nodes")) << told(builder.build(), Level::good);
}

TEST(Check, HeedsItsTime) {
  const std::string text = told(decay_seen_as("x").build(), Level::note, {.max_seconds = 1e-9});
  EXPECT_TRUE(says(text, "the rest was left out")) << text;
}

TEST(Check, TellsGrowthAndTheNodesThatMeetIt) {
  test::Builder builder = test::notorious("20");
  for (int j = 0; j <= 20; ++j) builder.measure(0, 0, 0.05 * j, std::sin(3.14159265 * 0.05 * j));
  const std::string text = told(builder.build(), Level::note);
  // e^20 = 10^8.7, and the observed state alone starts the perturbation.
  EXPECT_TRUE(says(text, "factor of 1e8") || says(text, "factor of 1e9") || says(text, "factor of 1e10")) << text;
}

TEST(Check, SaysWhichStatesRestOnTheGuess) {
  test::Builder builder({{"x", "-a*x"}, {"y", "a*x - b*y"}});
  builder.parameter("a", test::estimated(1)).parameter("b", test::estimated(0.5)).observable("seen", "y", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j <= 8; ++j) builder.measure(0, 0, j, std::exp(-0.5 * j) - std::exp(-1.0 * j));
  const std::string text = told(builder.build(), Level::note);
  EXPECT_TRUE(says(text, "do not give x directly")) << text;
}

}  // namespace
}  // namespace salvo::fit
