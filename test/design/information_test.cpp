#include "design/information.hpp"

#include "design/designs.hpp"
#include "design/draws.hpp"
#include "design/quantities.hpp"
#include "design/samples.hpp"
#include "design/usable.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;

const std::string decay = "equations: {x: -k*x}\nparameters:\n  k: {guess: 0.5}\n  s: {guess: 0.2, scale: log}\n";
const std::string measure = "design: {measure: [{observables: [y], times: {from: 0, to: 4, step: 1}}], budget: 2}\n";

struct Found {
  std::vector<Column> columns{};
  Information::Rows rows{};
};
Found rows_of(const model::Problem& problem) {
  const Information information(problem, {});
  const Candidates candidates = candidates_of(problem, static_cast<int>(problem.experiments.size()));
  Found out{.columns = information.columns(candidates.samples)};
  out.rows = information.rows(candidates.samples, out.columns);
  EXPECT_TRUE(out.rows.ok) << out.rows.trouble;
  return out;
}

// x = 3 e^{-kt}; noise s is estimated on a logarithmic scale, of which one value tells 2, whatever s is.
TEST(Information, IncludesThatOfTheNoise) {
  const Found found =
      rows_of(problem_of(decay + "initial: {x: 3}\nobservables: {y: {formula: x, noise: s}}\n" + measure));
  ASSERT_EQ(found.columns.size(), 2U);
  for (int t = 0; t < 5; ++t) {
    const MatrixXd F = found.rows.of_sample[t].transpose() * found.rows.of_sample[t];
    const double slope = -3 * t * std::exp(-0.5 * t) / 0.2;
    EXPECT_NEAR(F(0, 0), slope * slope, 1e-5);
    EXPECT_NEAR(F(1, 1), 2, 1e-9);
    EXPECT_NEAR(F(0, 1), 0, 1e-9);
  }
}

// sigma = s x: the noise tells of k too, 2 (dsigma/sigma)^2.
TEST(Information, IncludesThatOfNoiseWhichDependsOnTheState) {
  const Found found =
      rows_of(problem_of(decay + "initial: {x: 3}\nobservables: {y: {formula: x, noise: s*x}}\n" + measure));
  for (int t = 0; t < 5; ++t) {
    const MatrixXd F = found.rows.of_sample[t].transpose() * found.rows.of_sample[t];
    EXPECT_NEAR(F(0, 0), t * t / 0.04 + 2 * t * t, 1e-5);
    EXPECT_NEAR(F(1, 1), 2, 1e-9);
    EXPECT_NEAR(F(0, 1), -2.0 * t, 1e-6);
  }
}

TEST(Information, OfCountsIsThatOfTheirMean) {
  const Found found =
      rows_of(problem_of("equations: {x: -k*x}\nparameters: {k: {guess: 0.5}}\ninitial: {x: 30}\n"
                         "observables: {y: {formula: x, distribution: poisson}}\n" +
                         measure));
  for (int t = 0; t < 5; ++t)  // (dg/dk)^2 / g
    EXPECT_NEAR(found.rows.of_sample[t].squaredNorm(), 30 * t * t * std::exp(-0.5 * t), 1e-5);
}

// Each experiment has an initial value of its own, whose samples tell nothing of the other's.
TEST(Information, KnowsWhichExperimentAnInitialValueBelongsTo) {
  const model::Problem problem = problem_of(
      "equations: {x: -k*x}\nparameters: {k: {guess: 0.5}}\ninitial: {x: {guess: 3}}\n"
      "experiments: {low: {initial: {x: {guess: 1}}}, high: {}}\nobservables: {y: {formula: x, noise: 0.2}}\n" +
      measure);
  const Found found = rows_of(problem);
  ASSERT_EQ(found.columns.size(), 3U);
  std::vector<std::string> held;
  const Quantities quantities = quantities_of(problem, problem, found.columns, held);
  EXPECT_TRUE(held.empty());
  EXPECT_EQ(quantities.named("x").size(), 2U);
  const int low = quantities.named("low:x").at(0), high = quantities.named("high:x").at(0);
  for (int t = 0; t < 5; ++t) {
    EXPECT_NEAR(found.rows.of_sample[t](0, low), std::exp(-0.5 * t) / 0.2, 1e-6);
    EXPECT_EQ(found.rows.of_sample[t](0, high), 0);
    EXPECT_EQ(found.rows.of_sample[5 + t](0, low), 0);
    EXPECT_NEAR(found.rows.of_sample[5 + t](0, high), std::exp(-0.5 * t) / 0.2, 1e-6);
  }
}

TEST(Quantities, AtABoundAreHeld) {
  const model::Problem problem = problem_of(
      "equations: {x: -k*x}\nparameters: {k: {guess: 0.5, bounds: [0.5, 2]}}\ninitial: {x: {guess: 3}}\n"
      "observables: {y: {formula: x, noise: 0.2}}\n" +
      measure);
  std::vector<std::string> held;
  const Quantities quantities = quantities_of(problem, problem, rows_of(problem).columns, held);
  EXPECT_EQ(held, std::vector<std::string>{"k"});
  ASSERT_EQ(quantities.size(), 1);
  EXPECT_EQ(quantities.names[0].id, "x");
}

TEST(Samples, AreOfEveryCombinationOfLevels) {
  const model::Problem problem = problem_of(
      "equations: {x: -k*x}\nparameters: {k: {guess: 0.5}, dose: 1}\ninitial: {x: 0}\n"
      "events: [{at: 1, add: {x: dose}}]\nobservables: {y: {formula: x, noise: 0.2}}\n"
      "design:\n  measure: [{observables: [y], times: [0.5, 2], at most: 3, cost: 2}]\n"
      "  experiments: {dose: [1, 3], x: {from: 0, to: 1, levels: 3}}\n  budget: 8\n");
  const std::vector<Setting> settings = all_settings(*problem.design);
  ASSERT_EQ(settings.size(), 6U);
  EXPECT_EQ(name_of(problem, settings[1]), "dose=1, x=0.5");
  EXPECT_EQ(why_not_varied(problem), "");
  const model::Problem lab = with_new_experiments(problem, settings);
  const Candidates candidates = candidates_of(lab, 1);
  EXPECT_EQ(candidates.samples.size(), 12U);  // in the new experiments alone
  EXPECT_EQ(candidates.limit[0], 3);
  EXPECT_EQ(candidates.cost[0], 2);
  const Information information(lab, {});
  const auto columns = information.columns(candidates.samples);
  const Information::Rows rows = information.rows(candidates.samples, columns);
  ASSERT_TRUE(rows.ok) << rows.trouble;
  // dose=3, x=0.5 at t = 2: x = 0.5 e^{-2k} + 3 e^{-k}
  EXPECT_NEAR(rows.of_sample[9](0, 0), (-2 * 0.5 * std::exp(-1.0) - 3 * std::exp(-0.5)) / 0.2, 1e-6);
}

TEST(Candidates, BeyondAPoleAreLeftOut) {
  // x = 1/(1/2 - k t): a pole at t = 1
  const model::Problem problem = problem_of(
      "equations: {x: k*x^2}\nparameters: {k: {guess: 0.5}}\ninitial: {x: 2}\n"
      "observables: {y: {formula: x, noise: 0.2}}\n"
      "design: {measure: [{observables: [y], times: {from: 0, to: 2, step: 0.1}}], budget: 2}\n");
  const Information information(problem, {});
  Candidates candidates = candidates_of(problem, 1);
  const auto columns = information.columns(candidates.samples);
  const std::string text = keep_usable(information, columns, candidates);
  EXPECT_EQ(candidates.samples.size(), 10U) << text;
  EXPECT_EQ(candidates.cost.size(), 10U);
  EXPECT_NE(text.find("11 candidates were left out"), std::string::npos) << text;
  EXPECT_EQ(keep_usable(information, columns, candidates), "");
}

TEST(Candidates, WhereALawKnowsNoSuchPredictionAreLeftOutAlone) {
  const model::Problem problem = problem_of(
      "equations: {x: k}\nparameters: {k: {guess: 0.5}}\ninitial: {x: 0}\n"
      "observables: {y: {formula: x, noise: 0.2, distribution: log-normal}}\n"
      "design: {measure: [{observables: [y], times: {from: 0, to: 2, step: 0.1}}], budget: 2}\n");
  const Information information(problem, {});
  Candidates candidates = candidates_of(problem, 1);
  const std::string text = keep_usable(information, information.columns(candidates.samples), candidates);
  EXPECT_EQ(candidates.samples.size(), 20U) << text;
  EXPECT_NE(text.find("1 candidate was left out"), std::string::npos) << text;
}

TEST(Draws, AreOfTheirPriorsWithinTheBounds) {
  const model::Problem problem = problem_of(
      "equations: {x: -k*x}\ninitial: {x: {guess: 3, prior: log-normal(1, 0.5)}}\n"
      "parameters: {k: {guess: 0.5, bounds: [0.45, 2], prior: normal(0.5, 0.1)}, m: {guess: 1}}\n"
      "observables: {y: {formula: x*m, noise: 0.2}}\n" +
      measure);
  const auto draws = draws_from_priors(problem, 1);
  ASSERT_EQ(draws.size(), 20U);
  double mean = 0;
  for (const auto& draw : draws) {
    EXPECT_FALSE(draw.contains("m"));
    EXPECT_GE(draw.at("k"), 0.45);
    EXPECT_LT(draw.at("k"), 1);
    mean += std::log(draw.at("x")) / 20;
  }
  EXPECT_NEAR(mean, 1, 4 * 0.5 / std::sqrt(20.0));  // four standard errors
  EXPECT_EQ(draws, draws_from_priors(problem, 1));
  EXPECT_TRUE(
      draws_from_priors(problem_of(decay + "initial: {x: 3}\nobservables: {y: {formula: x, noise: s}}\n" + measure), 1)
          .empty());
}

}  // namespace
}  // namespace salvo::design
