#include "design/designs.hpp"

// Designs that are known in closed form, or by other programs.
namespace salvo::design {
namespace {

const std::string box_lucas_times =
    "  measure: [{observables: [b], times: {from: 0, to: 20, step: 0.1}}]\n  budget: 2\n";

TEST(KnownDesigns, AreThoseOfBoxAndLucas) {
  const Result d = designed(box_lucas(box_lucas_times));
  EXPECT_EQ(d.status, Status::found) << d.message;
  expect_times(d.taken, {1.2, 6.9}, 1e-9);
  ASSERT_TRUE(d.refined);
  expect_times(d.refined->taken, {1.2294714, 6.8576891}, 2e-4);  // by a global search
  EXPECT_NEAR(d.refined->value, -0.42041541, 1e-7);
  const Result a = designed(box_lucas(box_lucas_times + "  criterion: A\n"));
  expect_times(a.refined->taken, {1.17711, 7.22346}, 5e-4);
  EXPECT_NEAR(a.refined->value, 5.1322297, 1e-6);
  const Result e = designed(box_lucas(box_lucas_times + "  criterion: E\n"));
  expect_times(e.refined->taken, {1.17373, 7.44592}, 5e-4);
  EXPECT_NEAR(e.refined->value, 0.20779203, 1e-6);
}

TEST(KnownDesigns, OfADecayAreItsStartAndItsTimeConstant) {
  const std::string decay =
      "equations: {x: -k*x}\ninitial: {x: A}\nparameters: {A: {guess: 3}, k: {guess: 0.4}}\n"
      "observables: {y: {formula: x, noise: 0.1}}\ndesign:\n"
      "  measure: [{observables: [y], times: {from: 0, to: 10, step: 0.5}}]\n";
  const Result both = designed(decay + "  budget: 2\n");
  expect_times(both.taken, {0, 2.5}, 1e-9);
  expect_times(both.refined->taken, {0, 2.5}, 1e-4);
}

TEST(KnownDesigns, OfTheRateOfADecayAloneAreAtItsTimeConstant) {
  const std::string decay =
      "equations: {x: -k*x}\ninitial: {x: 3}\nparameters: {k: {guess: 0.7}}\n"
      "observables: {y: {formula: x, noise: 0.1}}\ndesign:\n"
      "  measure: [{observables: [y], times: {from: 0, to: 10, step: 0.5}}]\n  budget: 3\n";
  const Result result = designed(decay);
  expect_times(result.taken, {1.5, 1.5, 1.5}, 1e-9);
  for (const double time : times_of(result.refined->taken)) EXPECT_NEAR(time, 1 / 0.7, 1e-4);
  // sd of k: sigma e^{kt} / (A t sqrt(3)) at t = 1/k
  EXPECT_NEAR(*error_of(result, "k").refined, 0.1 * std::exp(1.0) * 0.7 / (3 * std::sqrt(3.0)), 1e-8);
}

// Substrate is the time of an equation that stands still: rate V s/(K + s).
std::string michaelis_menten(const std::string& rate, const std::string& parameters, int budget) {
  return "equations: {x: 0}\ninitial: {x: 0}\nparameters: {" + parameters + "}\nobservables: {v: {formula: '" + rate +
         "', noise: 0.1}}\ndesign:\n  measure: [{observables: [v], times: {from: 0, to: 3, step: 0.05}}]\n  budget: " +
         std::to_string(budget) + "\n";
}

TEST(KnownDesigns, OfMichaelisAndMentenAreInClosedForm) {
  const double K = 0.5, b = 3;
  const Result two = designed(michaelis_menten("V*t/(K + t)", "V: {guess: 2}, K: {guess: 0.5}", 2));
  expect_times(two.refined->taken, {K * b / (2 * K + b), b}, 1e-4);
  const Result three =
      designed(michaelis_menten("E0 + V*t/(K + t)", "E0: {guess: 1}, V: {guess: 2}, K: {guess: 0.5}", 3));
  expect_times(three.refined->taken, {0, 0.375, b}, 1e-4);
}

TEST(KnownDesigns, OfPredatorAndPreyAreCertified) {
  const Result result = designed(predator_prey(
      "  measure: [{observables: [predator, prey], times: {from: 0, to: 10, step: 0.05}, at most: 4, cost: 1}]\n"
      "  criterion: D\n  budget: 4\n"));
  ASSERT_EQ(result.status, Status::found) << result.message;
  std::map<double, double> weight;
  for (const Candidate& candidate : result.candidates)
    if (candidate.weight > 0) weight[std::round(100 * candidate.time) / 100] = candidate.weight / 4;
  ASSERT_EQ(weight.size(), 5U);
  EXPECT_NEAR(weight[2.60], 0.20737, 1e-5);
  EXPECT_NEAR(weight[2.65], 0.24547, 1e-5);
  EXPECT_NEAR(weight[8.35], 0.29547, 1e-5);
  EXPECT_NEAR(weight[8.65], 0.19403, 1e-5);
  EXPECT_NEAR(weight[9.75], 0.05765, 1e-5);
  EXPECT_NEAR(result.continuous_value - 4 * std::log(4.0), 29.27115443, 1e-6);
  EXPECT_NEAR(result.level, 1, 1e-6);  // four quantities, a budget of four
  EXPECT_LE(result.largest, result.level * (1 + 1e-6));
  expect_times(result.taken, {2.65, 2.65, 8.25, 8.65}, 1e-9);
  EXPECT_NEAR(result.value, 34.80494036, 1e-6);
  EXPECT_NEAR(result.efficiency, 0.99716, 1e-5);
  const std::map<std::string, std::pair<double, double>> errors{
      {"p1", {0.03610, 0.09273}}, {"p2", {0.03379, 0.09130}}, {"p3", {0.03639, 0.08292}}, {"p4", {0.04271, 0.09276}}};
  for (const auto& [id, expected] : errors) {
    EXPECT_FALSE(error_of(result, id).now);
    EXPECT_NEAR(*error_of(result, id).then, expected.first, 1e-5);
    EXPECT_NEAR(*error_of(result, id).equidistant, expected.second, 1e-5);
  }
  EXPECT_NEAR(*result.equidistant_value, 31.40642476, 1e-6);
  EXPECT_GT(result.refined->value, result.value);
}

}  // namespace
}  // namespace salvo::design
