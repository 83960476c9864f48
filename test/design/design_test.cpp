#include "design/designs.hpp"
#include "fit/study.hpp"

// What a design promises, and what it says where it can promise nothing.
namespace salvo::design {
namespace {

const std::string coarse = "  measure: [{observables: [b], times: {from: 0, to: 20, step: 0.25}}]\n  budget: 2\n";

TEST(Designs, ByDAreTheSameInAnyUnitsAndOnALogarithmicScale) {
  const std::vector<double> times = times_of(designed(box_lucas(coarse)).taken);
  const Result logarithmic =
      designed(box_lucas(coarse, "  k1: {guess: 0.7, scale: log10}\n  k2: {guess: 0.2, scale: log}\n"));
  EXPECT_EQ(times_of(logarithmic.taken), times);
  std::string in_seconds =
      box_lucas(coarse, "  k1: {guess: 700}\n  k2: {guess: 0.0002}\n");  // per 1000, and times 1000
  in_seconds.replace(in_seconds.find("{A: -k1*A, B: k1*A - k2*B}"), 26, "{A: -k1/1000*A, B: k1/1000*A - 1000*k2*B}");
  const Result other = designed(in_seconds);
  EXPECT_EQ(times_of(other.taken), times);
  EXPECT_NEAR(*error_of(other, "k1").then, 1000 * *error_of(designed(box_lucas(coarse)), "k1").then, 1e-4);
}

TEST(Designs, ByADependOnTheScaleAndSaySo) {
  const Result linear = designed(box_lucas(coarse + "  criterion: A\n"));
  const Result logarithmic = designed(
      box_lucas(coarse + "  criterion: A\n", "  k1: {guess: 0.7, scale: log}\n  k2: {guess: 0.2, scale: log}\n"));
  EXPECT_NE(times_of(linear.refined->taken), times_of(logarithmic.refined->taken));
  ASSERT_EQ(linear.remarks.size(), 1U);
  EXPECT_NE(linear.remarks[0].find("in other units"), std::string::npos);
}

// Only p*q is seen by y; a candidate of z sees q.
std::string product(const std::string& observables, const std::string& design) {
  return "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 0.5}, p: {guess: 2}, q: {guess: 3}}\n"
         "observables: {y: {formula: p*q*x, noise: 0.1}, z: {formula: q*x, noise: 0.1}}\ndesign:\n"
         "  measure:\n    - {observables: [" +
         observables + "], times: {from: 0, to: 4, step: 0.5}}\n  budget: 3\n" + design;
}

TEST(Designs, SayThatNoCandidateCan) {
  const Result result = designed(product("y", ""));
  EXPECT_EQ(result.status, Status::not_identifiable);
  EXPECT_NE(result.message.find("No candidate can determine p and q"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("p by -1 % and q by +1 % together"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("for: "), std::string::npos) << result.message;
  EXPECT_TRUE(result.taken.empty());
  EXPECT_EQ(designed(product("y", "  for: [k]\n")).status, Status::found);
  EXPECT_EQ(designed(product("y", "  criterion: c(p*q)\n")).status, Status::found);
  EXPECT_EQ(designed(product("y", "  criterion: c(p/q)\n")).status, Status::not_identifiable);
}

TEST(Designs, OfWhatOneObservableCannotSeeTakeTheOther) {
  std::string both = product("y", "");
  both.replace(both.find("  budget"), 0, "    - {observables: [z], times: {from: 0, to: 4, step: 0.5}}\n");
  const Result found = designed(both);
  EXPECT_EQ(found.status, Status::found) << found.message;
  for (const char* id : {"k", "p", "q"}) EXPECT_TRUE(error_of(found, id).then);
}

TEST(Designs, SayWhenTheBudgetIsTooSmall) {
  const std::string one =
      box_lucas("  measure: [{observables: [b], times: {from: 0, to: 20, step: 0.25}}]\n  budget: 1\n");
  const Result result = designed(one);
  EXPECT_EQ(result.status, Status::not_identifiable);
  EXPECT_NE(result.message.find("The budget is too small: one sample cannot determine k1 and k2"), std::string::npos)
      << result.message;
}

// The variance of one parameter, with the other as nuisance: c and A, D and E `for` it all ask for the same.
TEST(Designs, ForOneParameterAreThoseOfItsVariance) {
  const Result c = designed(box_lucas(coarse + "  criterion: c(k2)\n"));
  const double variance = *error_of(c, "k2").then * *error_of(c, "k2").then;
  EXPECT_NEAR(c.value, variance, 1e-8 * variance);
  for (const char* criterion : {"A", "D", "E"}) {
    const Result other = designed(box_lucas(coarse + "  for: [k2]\n  criterion: " + criterion + "\n"));
    EXPECT_EQ(times_of(other.taken), times_of(c.taken)) << criterion;
    EXPECT_NEAR(*error_of(other, "k2").then, *error_of(c, "k2").then, 1e-9);
  }
  const Result d = designed(box_lucas(coarse));
  EXPECT_LT(*error_of(c, "k2").then, *error_of(d, "k2").then);
}

// B by its closed form, whose derivatives are differences: g'F^-1 g for the samples that were chosen.
TEST(Designs, ForAPredictionKnowItsVariance) {
  const Result result = designed(box_lucas(coarse + "  criterion: c(b@3)\n"));
  ASSERT_EQ(result.status, Status::found) << result.message;
  const auto slopes = [](double t) {
    const auto b = [t](double k1, double k2) { return k1 / (k1 - k2) * (std::exp(-t * k2) - std::exp(-t * k1)); };
    constexpr double h = 1e-5;
    return std::pair((b(0.7 + h, 0.2) - b(0.7 - h, 0.2)) / (2 * h), (b(0.7, 0.2 + h) - b(0.7, 0.2 - h)) / (2 * h));
  };
  double f11 = 0, f12 = 0, f22 = 0;
  for (const double time : times_of(result.taken)) {
    const auto [by_k1, by_k2] = slopes(time);
    f11 += by_k1 * by_k1, f12 += by_k1 * by_k2, f22 += by_k2 * by_k2;
  }
  const auto [g1, g2] = slopes(3);
  const double determinant = f11 * f22 - f12 * f12;
  ASSERT_GT(determinant, 1e-6);
  EXPECT_NEAR(result.value, (g1 * g1 * f22 - 2 * g1 * g2 * f12 + g2 * g2 * f11) / determinant, 1e-5);
  EXPECT_LT(result.value, 0.51);  // two samples at t = 3 itself have half the variance of one
  EXPECT_LE(result.efficiency, 1 + 1e-9);
}

TEST(Designs, CountWhatIsMeasuredAlready) {
  model::Problem problem = problem_of(box_lucas(coarse));
  problem.measurements.push_back({.experiment = 0, .observable = 0, .time = 1.25, .value = 0.4});
  problem.measurements.push_back({.experiment = 0, .observable = 0, .time = 1.25, .value = 0.5});
  const Result result = design(problem, {});
  ASSERT_EQ(result.status, Status::found) << result.message;
  for (const double time : times_of(result.taken)) EXPECT_GT(time, 5);  // the early time has been measured
  ASSERT_EQ(result.null_directions.size(), 1U);
  EXPECT_TRUE(result.still_unseen.empty());
  EXPECT_NE(result.message.find("with this design it is"), std::string::npos) << result.message;
}

TEST(Designs, OverDrawsAreThoseOfTheMean) {
  model::Problem problem = problem_of(box_lucas(coarse + "  over: prior\n",
                                                "  k1: {guess: 0.7, prior: log-normal(-0.4, 0.5)}\n"
                                                "  k2: {guess: 0.2, prior: log-normal(-1.6, 0.5)}\n"));
  const Result result = design(problem, {});
  ASSERT_EQ(result.status, Status::found) << result.message;
  EXPECT_EQ(result.points, 20);
  EXPECT_LE(result.largest, result.level * (1 + 1e-6));
  EXPECT_LE(result.efficiency, 1 + 1e-9);
  EXPECT_EQ(designed(box_lucas(coarse + "  over: prior\n")).status, Status::failed);
  const Result starts = designed(box_lucas(coarse + "  over: starts\n"));
  EXPECT_NE(starts.message.find("--from"), std::string::npos) << starts.message;
  const Result drawn =
      design(problem_of(box_lucas(coarse + "  over: starts\n")), {.draws = {{{"k1", 0.7}, {"k2", 0.2}}}});
  expect_times(drawn.taken, times_of(designed(box_lucas(coarse)).taken), 0);
}

// V s/(K + s) with s set by the experiment: levels K b/(2K + b) and b.
TEST(Designs, FindLevelsThatMayBeAnyNumber) {
  const Result result = designed(
      "equations: {x: 0}\ninitial: {x: 0}\nparameters: {V: {guess: 2}, K: {guess: 0.5}, s: 1}\n"
      "observables: {v: {formula: V*s/(K + s), noise: 0.1}}\ndesign:\n"
      "  measure: [{observables: [v], times: [1]}]\n  experiments: {s: {from: 0.01, to: 3, levels: 7}}\n  budget: 2\n");
  ASSERT_EQ(result.status, Status::found) << result.message;
  ASSERT_TRUE(result.refined);
  ASSERT_EQ(result.refined->taken.size(), 2U);
  const std::string low = result.refined->taken[0].experiment, high = result.refined->taken[1].experiment;
  EXPECT_NEAR(std::stod(low.substr(2)), 0.375, 1e-4);
  EXPECT_NEAR(std::stod(high.substr(2)), 3, 1e-9);
}

// A dose A at the time tau into x, which decays: x(t) = A e^{-k (t - tau)}; with samples at t = 5 alone, k is told best
// where 5 - tau = 1/k.
TEST(Designs, FindTheTimeOfADose) {
  const Result result = designed(
      "equations: {x: -k*x}\ninitial: {x: 0}\nparameters: {k: {guess: 0.4}, tau: 1}\nevents: [{at: tau, add: {x: 2}}]\n"
      "observables: {y: {formula: x, noise: 0.1}}\ndesign:\n  measure: [{observables: [y], times: [5]}]\n"
      "  experiments: {tau: {from: 0, to: 4.5, levels: 4}}\n  budget: 1\n");
  ASSERT_EQ(result.status, Status::found) << result.message;
  ASSERT_TRUE(result.refined);
  EXPECT_NEAR(std::stod(result.refined->taken[0].experiment.substr(4)), 2.5, 1e-3);
}

// New experiments have initial values of their own, which one sample alone cannot tell from the rest.
TEST(Designs, OfNewExperimentsWithUnknownInitialValuesTakeMoreThanOneSampleEach) {
  const Result result = designed(
      "equations: {x: -k*dose*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 0.5}, dose: 1}\n"
      "observables: {y: {formula: x, noise: 0.1}}\ndesign:\n"
      "  measure: [{observables: [y], times: {from: 0, to: 5, step: 0.5}}]\n  experiments: {dose: [1, 2]}\n"
      "  for: [k]\n  budget: 4\n");
  ASSERT_EQ(result.status, Status::found) << result.message;
  std::map<std::string, int> samples;
  for (const Taken& each : result.taken) samples[each.experiment] += each.count;
  for (const auto& [experiment, count] : samples) EXPECT_GE(count, 2) << experiment;
  EXPECT_LE(result.largest, result.level * (1 + 1e-4));
  EXPECT_LE(result.efficiency, 1 + 1e-6);
}

TEST(Designs, KeepTheirPromiseWhenTheyAreMeasured) {
  const Result result = designed(predator_prey(
      "  measure: [{observables: [predator, prey], times: {from: 0, to: 10, step: 0.5}}]\n  budget: 8\n"));
  ASSERT_EQ(result.status, Status::found) << result.message;
  model::Problem problem = problem_of(predator_prey("  measure: [{observables: [prey], times: [1]}]\n  budget: 1\n"));
  for (const Taken& each : result.taken)
    for (int n = 0; n < each.count; ++n)
      for (const int o : {0, 1}) problem.measurements.push_back({.experiment = 0, .observable = o, .time = each.time});
  const fit::StudyResult study = fit::study(problem, {.replicates = 200}, {});
  ASSERT_TRUE(study.ok) << study.message;
  for (const fit::StudyQuantity& quantity : study.quantities) {
    const double promised = *error_of(result, quantity.id).then;
    EXPECT_NEAR(quantity.expected_sd, promised, 1e-5 * promised);
    EXPECT_NEAR(quantity.sd, promised, 4 * promised / std::sqrt(2 * 200.0));  // four standard errors
    EXPECT_NEAR(quantity.coverage95, 0.95, 4 * std::sqrt(0.95 * 0.05 / 200));
  }
}

TEST(Designs, StopWhenTheyAreTold) {
  RunContext context;
  context.interrupted = [] { return true; };
  EXPECT_EQ(design(problem_of(box_lucas(coarse)), {}, context).status, Status::interrupted);
}

}  // namespace
}  // namespace salvo::design
