#include <optional>

#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Likelihoods that are no parabolas: they jump, end at the edge of what a law allows, go on beyond a pole, or have a
// second valley. The ends are closed forms or come from nested searches on a grid. `fit` and `profile` say the same.
namespace salvo::fit {
namespace {

using test::estimate_of;

constexpr double rise_95 = 1.9207294103470;  // half of the 95 % quantile of chi-squared with one degree of freedom

struct Limits {
  std::string id;
  std::optional<double> lower;
  std::optional<double> upper;
};

model::Problem limited(const std::string& yaml, const std::string& csv) {
  const formats::Folder folder({{"problem.yaml", yaml + "data: data.csv\n"}, {"data.csv", csv}});
  return *formats::read_problem(folder / "problem.yaml");
}

// To 5 % of the distance from the estimate, or as said.
void expect_near(const std::optional<double>& end, const std::optional<double>& known, double estimate, double part,
                 const std::string& what) {
  EXPECT_EQ(end.has_value(), known.has_value()) << what;
  if (!end || !known) return;
  EXPECT_NEAR(*end, *known, part * std::abs(*known - estimate)) << what;
}

std::optional<double> finite(double end) { return std::isfinite(end) ? std::optional(end) : std::nullopt; }

FitResult expect_limits(const model::Problem& problem, const std::vector<Limits>& known, double exact = 1e-3) {
  const FitResult fitted = fit(problem, {}, {});
  EXPECT_EQ(fitted.status, Status::converged) << fitted.message;
  Options from_there;
  for (const auto* list : {&fitted.parameters, &fitted.initial})
    for (const Estimate& estimate : *list) from_there.guess[estimate.id] = estimate.estimate;
  const FitResult profiled = profile(problem, from_there, {}, {});
  EXPECT_TRUE(profiled.profiles) << profiled.message;
  if (!profiled.profiles) return fitted;
  for (const Limits& limits : known) {
    const Estimate& estimate = estimate_of(fitted, limits.id);
    EXPECT_TRUE(estimate.interval) << limits.id;
    if (!estimate.interval) continue;
    expect_near(finite(estimate.interval->first), limits.lower, estimate.estimate, 0.06,
                limits.id + " from below, fit");
    expect_near(finite(estimate.interval->second), limits.upper, estimate.estimate, 0.06,
                limits.id + " from above, fit");
    EXPECT_EQ(estimate.identifiable && limits.lower && limits.upper, limits.lower && limits.upper) << limits.id;
    for (const Profile& each : profiled.profiles->profiles) {
      if (each.id != limits.id) continue;
      expect_near(each.lower, limits.lower, each.estimate, exact, limits.id + " from below, profile");
      expect_near(each.upper, limits.upper, each.estimate, exact, limits.id + " from above, profile");
    }
  }
  return fitted;
}

// The fit is the same for every tau in (3, 4], and worse by far elsewhere.
const std::string step_data = "time,o\n0,1.1\n1,0.9\n2,1.0\n3,1.2\n4,3.1\n5,2.9\n6,3.0\n7,3.2\n";
const double step_reach = 1.959964 * 0.3 / 2;

TEST(LimitsAtJumps, OfTheTimeOfAStepAreTheMeasurementsAroundIt) {
  for (const std::string tau : {"{guess: 2.5}", "{guess: 2.5, scale: log}", "{guess: 2.5, bounds: [0.5, 6.5]}"}) {
    const FitResult result = expect_limits(
        limited("equations: {x: 0}\ninitial: {x: 1}\nparameters: {a: {guess: 2}, b: {guess: 2}, tau: " + tau +
                    "}\nobservables: {o: {formula: \"piecewise(a, t < tau, b)*x\", noise: 0.3}}\n",
                step_data),
        {{"tau", 3, 4}, {"a", 1.05 - step_reach, 1.05 + step_reach}, {"b", 3.05 - step_reach, 3.05 + step_reach}});
    EXPECT_TRUE(result.null_directions.empty());
    EXPECT_EQ(result.message.find("leaves the fit as it is"), std::string::npos) << result.message;
  }
}

TEST(LimitsAtJumps, OfTheTimeOfADoseAreTheMeasurementsAroundIt) {
  expect_limits(limited("equations: {x: 0}\ninitial: {x: a}\nevents: [{at: tau, add: {x: h}}]\n"
                        "parameters: {a: {guess: 2}, h: {guess: 1}, tau: {guess: 2.6}}\n"
                        "observables: {o: {formula: x, noise: 0.3}}\n",
                        step_data),
                {{"tau", 3, 4}, {"a", 1.05 - step_reach, 1.05 + step_reach}});
}

// The dose is halved if it is given before t2. What y and z say of the two times would change their order, which x
// rules out: the answer lies on the edge between two orders, and so does the way to the ends. There both rows together
// say 400 (t - 2.15)^2, and x hardly more.
TEST(LimitsAtJumps, OfTwoTimesWhoseOrderIsKnownLieOnTheEdge) {
  std::string csv = "time,ox,oy,oz\n";
  for (int t = 3; t <= 6; ++t)
    csv += std::to_string(t) + "," + std::to_string(5 * std::exp(-0.3 * (t - 2.15))) + "," + std::to_string(t - 2.3) +
           ",2\n";
  double x_squares = 0;  // of d x / d t1 in its noise
  for (int t = 3; t <= 6; ++t) x_squares += std::pow(0.3 * 5 * std::exp(-0.3 * (t - 2.15)) / 0.1, 2);
  const double reach = std::sqrt(2 * rise_95 / (800 + x_squares));
  expect_limits(limited("equations: {x: -0.3*x, y: u, z: w, u: 0, w: 0}\ninitial: {x: 0, y: 0, z: 0, u: 0, w: 1}\n"
                        "events: [{at: t1, add: {x: 10, u: 1}}, {at: t2, set: {x: 0.5*x, w: 0}}]\n"
                        "parameters: {t1: {guess: 2.0}, t2: {guess: 2.5}}\nobservables: {ox: {formula: x, noise: 0.1}, "
                        "oy: {formula: y, noise: 0.1}, oz: {formula: z, noise: 0.1}}\n",
                        csv),
                {{"t1", 2.15 - reach, 2.15 + reach}, {"t2", 2.15 - reach, 2.15 + reach}}, 0.02);
}

// Zero counts: the mean is zero, the edge of what it can be, and -log P = n m, or n k log(1 + m/k).
TEST(LimitsAtEdges, OfCountsThatAreAllZero) {
  const std::string zeros = "time,o\n0,0\n1,0\n2,0\n3,0\n4,0\n";
  const auto counts = [](const std::string& m, const std::string& law) {
    return "equations: {x: 0}\ninitial: {x: 1}\nparameters: {m: " + m +
           "}\nobservables: {o: {formula: m*x, distribution: " + law + "}}\n";
  };
  for (const std::string m : {"{guess: 2}", "{guess: 2, scale: log}"})
    expect_limits(limited(counts(m, "poisson"), zeros), {{"m", std::nullopt, rise_95 / 5}});
  expect_limits(limited(counts("{guess: 2}", "negative-binomial(3)"), zeros),
                {{"m", std::nullopt, 3 * std::expm1(rise_95 / 15)}});
}

// The expected information is far too large at the edge of a law: where the work for intervals is spent before the
// likelihood is followed, there is no error rather than a wrong one.
TEST(LimitsAtEdges, AreMissingWhereTheyCannotBePaidFor) {
  Options options;
  options.rules.intervals.share = options.rules.intervals.least_operations = 0;
  const FitResult result = fit(limited("equations: {x: 0}\ninitial: {x: 1}\nparameters: {m: {guess: 2}}\n"
                                       "observables: {o: {formula: m*x, distribution: poisson}}\n",
                                       "time,o\n0,0\n1,0\n2,0\n3,0\n4,0\n"),
                               options, {});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_FALSE(estimate_of(result, "m").standard_error);
  EXPECT_FALSE(estimate_of(result, "m").interval);
}

// An amount below zero makes it certain that all are below the limit; one on a logarithmic scale has no such place.
TEST(LimitsAtEdges, OfValuesThatAreAllBelowALimit) {
  for (const auto& [scale, upper] : {std::pair<std::string, double>{"lin", 0.116614854}, {"log10", 0.119102238}})
    expect_limits(limited("equations: {x: -0.3*x}\ninitial: {x: A}\nparameters: {A: {guess: 1, scale: " + scale +
                              "}}\nobservables: {o: {formula: x, noise: 0.05}}\n",
                          "time,o\n0,<0.1\n1,<0.1\n2,<0.1\n3,<0.1\n"),
                  {{"A", std::nullopt, upper}});
}

// The mode of a is at the edge of its prior; where b falls, a leaves the edge.
TEST(LimitsAtEdges, OfAPriorAreThoseOfThePosterior) {
  expect_limits(
      limited("equations: {x: 0}\ninitial: {x: 1}\nparameters: {a: {guess: 1, prior: exponential(0.5)}, b: {guess: "
              "1}}\nobservables: {o: {formula: a*x, noise: 0.5}, q: {formula: (b + a)*x, noise: 0.5}}\n",
              "time,o,q\n1,-0.3,2.0\n2,0.1,2.2\n"),
      {{"a", std::nullopt, 0.42632619}, {"b", 1.35210897, 2.79295191}});
}

TEST(LimitsAtEdges, OfARateAtItsBound) {
  expect_limits(limited("equations: {x: -k*x}\ninitial: {x: A}\nparameters: {k: {guess: 0.5, bounds: [0, 10]}, A: "
                        "{guess: 4}}\nobservables: {o: {formula: x, noise: 0.1}}\n",
                        "time,o\n1,5.05\n2,5.1\n3,4.98\n4,5.12\n"),
                {{"k", std::nullopt, 0.0156555087}, {"A", 4.9645018, 5.2841314}});
}

// What is squared has no slope at zero, and an interval all the same; so have its neighbours.
TEST(LimitsAtEdges, OfSquaresAtZero) {
  expect_limits(limited("equations: {x: -a^2*x}\ninitial: {x: A}\nparameters: {a: {guess: 0.5}, A: {guess: 4}}\n"
                        "observables: {o: {formula: x, noise: 0.1}}\n",
                        "time,o\n1,5.05\n2,5.1\n3,4.98\n4,5.12\n"),
                {{"a", -0.12512198, 0.12512198}, {"A", 4.9645018, 5.2841314}});
  expect_limits(limited("equations: {x: 0}\ninitial: {x: 1}\nparameters: {b: {guess: 1}, c: {guess: 1}}\n"
                        "observables: {o: {formula: b^2*t*x + c, noise: 0.1}}\n",
                        "time,o\n1,5.05\n2,5.0\n3,4.98\n4,4.9\n"),
                {{"b", -0.22903738, 0.22903738}, {"c", 4.82762272, 5.0804982}});
}

const std::string demand = "time,o\n1,1.317\n2,5.637\n3,8.441\n4,8.408\n5,8.958\n7,12.923\n";

// k may be negative, and then A is too: between lies a straight line, where A is infinite.
TEST(LimitsBeyondPoles, AreFound) {
  expect_limits(limited("equations: {x: k*(A - x)}\ninitial: {x: 0}\nparameters: {A: {guess: 15}, k: {guess: 0.3}}\n"
                        "observables: {o: {formula: x, noise: 1.2}}\n",
                        demand),
                {{"A", 11.4440939, std::nullopt}, {"k", -0.00167798, 0.37309556}});
}

// No rate is too small for k > 0.
TEST(LimitsBeyondPoles, AreNoneOnALogarithmicScale) {
  expect_limits(limited("equations: {x: k*(A - x)}\ninitial: {x: 0}\nparameters: {A: {guess: 15, scale: log}, k: "
                        "{guess: 0.3, scale: log}}\nobservables: {o: {formula: x, noise: 1.2}}\n",
                        demand),
                {{"A", 11.4440939, std::nullopt}, {"k", std::nullopt, 0.37309556}});
}

// Growth of which no end is seen: the capacity runs to infinity, and beyond it lies the best one.
TEST(LimitsBeyondPoles, LeadToABetterFit) {
  expect_limits(
      limited("equations: {x: r*x*(1 - x/K)}\ninitial: {x: 1}\nparameters: {r: {guess: 0.4}, K: {guess: 20}}\n"
              "observables: {o: {formula: x, noise: 0.3}}\n",
              "time,o\n0,0.6463\n1,1.278\n2,2.8072\n3,3.4347\n4,6.3284\n5,8.844\n6,13.9279\n"),
      {{"r", 0.41370429, 0.48794346}, {"K", 47.1304027, std::nullopt}});
}

// Where A is zero nothing is known of k, and on the other side another k is better.
TEST(LimitsInOtherValleys, AreFound) {
  expect_limits(limited("equations: {x: k*(A - x)}\ninitial: {x: 0}\nparameters: {A: {guess: 1}, c: {guess: 1}, k: "
                        "{guess: 1, bounds: [0.05, 20]}}\nobservables: {o: {formula: c + x, noise: 0.2}}\n",
                        "time,o\n0,2.1062\n0.5,2.06\n1,2.8693\n1.5,2.3024\n2,2.2667\n3,2.3561\n4,2.1748\n6,2.1455\n"),
                {{"A", -1.94721979, 1.03815857}, {"c", 1.69749753, 2.52881252}, {"k", std::nullopt, std::nullopt}});
}

}  // namespace
}  // namespace salvo::fit
