#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

using test::estimate_of;
using test::fit_of;

const std::string data = "time,seen\n0.5,0.80\n1,0.58\n2,0.38\n3,0.24\n";

model::Problem decay(const std::string& derived, const std::string& k = "{guess: 1}",
                     const std::string& initial = "{guess: 1}") {
  const formats::Folder folder(
      {{"decay.yaml", "equations: {x: -k*x}\ninitial: {x: " + initial + "}\nparameters: {k: " + k +
                          "}\nobservables: {seen: {formula: x, noise: 0.05}}\nderived: " + derived +
                          "\ndata: decay.csv\n"},
       {"decay.csv", data}});
  const auto problem = formats::read_problem(folder / "decay.yaml");
  EXPECT_TRUE(problem) << to_string(problem.issues().at(0));
  return *problem;
}

const Estimate& derived_of(const FitResult& result, const std::string& id, const std::string& experiment = "") {
  for (const Estimate& estimate : result.derived)
    if (estimate.id == id && estimate.experiment == experiment) return estimate;
  ADD_FAILURE() << "nothing is called " << id;
  return result.parameters.at(0);
}

// d (ln 2/k) / dk = -ln 2/k^2.
TEST(Derived, ErrorsAreThoseOfTheDeltaMethod) {
  const FitResult result = fit_of(decay("{half_life: ln(2)/k}"), {.intervals = Intervals::wald});
  const Estimate& k = estimate_of(result, "k");
  const Estimate& half_life = derived_of(result, "half_life");
  EXPECT_NEAR(half_life.estimate, std::log(2) / k.estimate, 1e-12);
  const double error = std::log(2) / (k.estimate * k.estimate) * *k.standard_error;
  EXPECT_NEAR(*half_life.standard_error, error, 1e-6 * error);
  EXPECT_EQ(half_life.interval_kind, IntervalKind::wald);
  EXPECT_NEAR(half_life.interval->first, half_life.estimate - 1.959964 * error, 1e-5);
}

// Of what cannot be negative, the logarithm has the symmetric interval: that of k on a logarithmic scale, turned round.
TEST(Derived, OfPositiveQuantitiesTheIntervalIsThatOfTheLogarithm) {
  const FitResult result =
      fit_of(decay("{half_life: ln(2)/k}", "{guess: 1, scale: log}"), {.intervals = Intervals::wald});
  const Estimate& k = estimate_of(result, "k");
  const Estimate& half_life = derived_of(result, "half_life");
  EXPECT_NEAR(half_life.interval->first, std::log(2) / k.interval->second, 1e-6);
  EXPECT_NEAR(half_life.interval->second, std::log(2) / k.interval->first, 1e-6);
}

// A likelihood interval goes along with any change of parameters.
TEST(Derived, LikelihoodIntervalsAreThoseOfTheParameterTurnedRound) {
  const FitResult result =
      fit_of(decay("{half_life: ln(2)/k, twice: 2*initial(x)}"), {.intervals = Intervals::profile});
  const Estimate& k = estimate_of(result, "k");
  const Estimate& half_life = derived_of(result, "half_life");
  EXPECT_EQ(half_life.interval_kind, IntervalKind::likelihood);
  EXPECT_NEAR(half_life.interval->first, std::log(2) / k.interval->second, 1e-3);
  EXPECT_NEAR(half_life.interval->second, std::log(2) / k.interval->first, 1e-3);
  const Estimate& x = estimate_of(result, "x");
  const Estimate& twice = derived_of(result, "twice");
  EXPECT_NEAR(twice.estimate, 2 * x.estimate, 1e-9);
  EXPECT_NEAR(twice.interval->first, 2 * x.interval->first, 2e-3);
  EXPECT_NEAR(*twice.standard_error, 2 * *x.standard_error, 1e-6);
}

TEST(Derived, WhatHasNoValueIsSaidAndWhatIsConstantHasNoError) {
  const FitResult result = fit_of(decay("{bad: ln(-k), five: 2 + 3, good: k^2}"));
  ASSERT_EQ(result.derived.size(), 2u);
  EXPECT_NE(result.message.find("bad has no finite value at the estimates."), std::string::npos) << result.message;
  EXPECT_EQ(derived_of(result, "five").estimate, 5);
  EXPECT_FALSE(derived_of(result, "five").standard_error);
  EXPECT_TRUE(derived_of(result, "good").interval);
}

// Only k is seen of k*a and a; k*a/a is then known as well as k, k*a is not.
TEST(Derived, WhatTheDataCannotSeeHasNoError) {
  const formats::Folder folder(
      {{"two.yaml",
        "equations: {x: -a*b*x}\ninitial: {x: 1}\nparameters: {a: {guess: 1}, b: {guess: 0.5}}\n"
        "observables: {seen: {formula: x, noise: 0.05}}\n"
        "derived: {rate: a*b, ratio: a/b}\ndata: decay.csv\n"},
       {"decay.csv", data}});
  const auto problem = formats::read_problem(folder / "two.yaml");
  ASSERT_TRUE(problem);
  const FitResult result = fit_of(*problem);
  EXPECT_TRUE(derived_of(result, "rate").identifiable);
  EXPECT_TRUE(derived_of(result, "rate").standard_error);
  EXPECT_FALSE(derived_of(result, "ratio").identifiable);
  EXPECT_FALSE(derived_of(result, "ratio").standard_error);
}

TEST(Derived, DifferBetweenExperimentsThatSetWhatTheyAreMadeOf) {
  const formats::Folder folder({{"two.yaml",
                                 "equations: {x: -k*x}\ninitial: {x: dose}\nparameters: {k: {guess: 1}}\n"
                                 "observables: {seen: {formula: x, noise: 0.05}}\n"
                                 "derived: {auc: dose/k, half_life: ln(2)/k}\n"
                                 "data: {file: two.csv, covariates: [dose]}\n"},
                                {"two.csv", "time,seen,experiment,dose\n1,0.6,low,1\n2,0.35,low,1\n1,1.2,high,2\n"}});
  const auto problem = formats::read_problem(folder / "two.yaml");
  ASSERT_TRUE(problem);
  const FitResult result = fit_of(*problem);
  ASSERT_EQ(result.derived.size(), 3u);
  EXPECT_NEAR(derived_of(result, "auc", "high").estimate, 2 * derived_of(result, "auc", "low").estimate, 1e-9);
  EXPECT_EQ(derived_of(result, "half_life").experiment, "");
}

// The bound of ln 2/k is that of k times ln 2/k^2, and drawn data scatter by it.
TEST(Derived, AreStudiedAsParametersAre) {
  const StudyResult result = study(decay("{half_life: ln(2)/k}", "{guess: 0.5}", "1"), {.replicates = 200}, {});
  ASSERT_EQ(result.quantities.size(), 2u);
  const StudyQuantity& k = result.quantities[0];
  const StudyQuantity& half_life = result.quantities[1];
  EXPECT_EQ(half_life.id, "half_life");
  EXPECT_NEAR(half_life.truth, std::log(2) / 0.5, 1e-9);
  EXPECT_NEAR(half_life.expected_sd, k.expected_sd * std::log(2) / 0.25, 1e-6);
  EXPECT_NEAR(half_life.sd / half_life.expected_sd, 1, 0.2);
  EXPECT_GT(half_life.coverage95, 0.9);
}

// --- forecasts -------------------------------------------------------------------------------------------------------

// x = e^(-k t): the curve moves by t x times the error of k, wherever it is looked at.
TEST(Forecast, BandsGoOnBeyondTheLastMeasurement) {
  model::Problem problem = decay("{}", "{guess: 1}", "1");
  problem.experiments[0].predicted_at = {4, 5.25, 8};
  const FitResult result = fit_of(problem);
  const Estimate& k = estimate_of(result, "k");
  int found = 0;
  for (const Arc& arc : result.solution_arcs)
    for (std::size_t i = 0; i < arc.time.size(); ++i) {
      const double t = arc.time[i];
      if (t != 4 && t != 5.25 && t != 8) continue;
      ++found;
      const double x = std::exp(-k.estimate * t);
      const int column = static_cast<int>(i);
      EXPECT_NEAR(arc.observables(0, column), x, 1e-7);
      EXPECT_NEAR(arc.band.deviation(0, column), t * x * *k.standard_error, 1e-6);
      EXPECT_NEAR(arc.band.upper(0, column), x + 1.959964 * t * x * *k.standard_error, 1e-5);
      EXPECT_NEAR(arc.band.upper_new(0, column), x + 1.959964 * std::hypot(0.05, t * x * *k.standard_error), 1e-5);
    }
  EXPECT_EQ(found, 3);
  EXPECT_EQ(result.solution_arcs.back().time.back(), 8);
  EXPECT_EQ(result.nodes, fit_of(decay("{}", "{guess: 1}", "1")).nodes);  // the fit itself knows nothing of it
}

// x' = x^2 reaches infinity at t = 1/x0, soon after the data.
TEST(Forecast, ATrajectoryThatFailsLeavesTheBandsOfTheData) {
  const formats::Folder folder({{"blow.yaml",
                                 "equations: {x: k*x^2}\ninitial: {x: 1}\nparameters: {k: {guess: 0.9}}\n"
                                 "observables: {seen: {formula: x, noise: 0.05}}\nuntil: 3\ndata: blow.csv\n"},
                                {"blow.csv", "time,seen\n0.25,1.34\n0.5,2.01\n0.6,2.49\n"}});
  const auto problem = formats::read_problem(folder / "blow.yaml");
  ASSERT_TRUE(problem);
  const FitResult result = fit_of(*problem);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NE(result.message.find("Beyond the last measurement the trajectory fails"), std::string::npos);
  EXPECT_EQ(result.solution_arcs.back().time.back(), 0.6);
  EXPECT_GT(result.solution_arcs.back().band.lower.cols, 0);
}

}  // namespace
}  // namespace salvo::fit
