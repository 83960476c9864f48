#include "base/random.hpp"
#include "fits.hpp"

// What moves discontinuities is found from far away, where no derivative shows the way: the fit is as good as the one
// from the truth.
namespace salvo::fit {
namespace {

using test::Builder;
using Values = std::map<std::string, double>;

struct Moving {
  const char* name;
  model::Problem problem;
  Values truth;
};

// Draws noise of the stated size; where it is to be estimated, `noise` is the name of a parameter.
model::Problem with_noise(Builder builder, const Values& truth, double sigma, std::uint64_t seed) {
  model::Problem problem = test::without_noise(builder.build(), truth);
  Random random(seed);
  for (model::Measurement& m : problem.measurements) m.value += sigma * random.normal();
  return problem;
}

Moving thermostat(bool is_noise_known, std::uint64_t seed) {
  Builder builder({{"T", "-k*(T - 8) + h*on"}, {"on", "0"}});
  builder.parameter("lo", test::within(16.5, 14, 20)).parameter("hi", test::within(23, 20.1, 25));
  builder.parameter("h", test::within(9, 1, 20)).parameter("k", test::within(0.6, 0.05, 2));
  Values truth{{"lo", 18.2}, {"hi", 21.4}, {"h", 5.1}, {"k", 0.31}};
  if (!is_noise_known) {
    builder.parameter("s", test::within(0.3, 1e-3, 10, model::Scale::log));
    truth["s"] = 0.1;
  }
  builder.event_when("T > hi", {{1, "0"}}).event_when("T < lo", {{1, "1"}});
  builder.observable("temperature", "T", is_noise_known ? "0.1" : "s");
  builder.experiment(model::default_experiment, {std::string("16"), std::string("1")});
  for (int j = 1; j <= 48; ++j) builder.measure(0, 0, 0.25 * j, 0);
  return {"thermostat", with_noise(builder, truth, 0.1, seed), truth};
}

// About nine harvests, three or four data between two of them.
Moving harvest(bool is_noise_known, std::uint64_t seed) {
  Builder builder(test::Equations{{"N", "r*N*(1 - N/cap)"}});
  builder.parameter("r", test::within(0.5, 0.05, 10)).parameter("cap", test::within(20, 5, 60));
  builder.parameter("limit", test::within(8, 1.5, 11)).parameter("taken", test::within(0.4, 0.05, 0.99));
  Values truth{{"r", 0.9}, {"cap", 12}, {"limit", 6}, {"taken", 0.6}};
  if (!is_noise_known) {
    builder.parameter("s", test::within(0.6, 1e-3, 10, model::Scale::log));
    truth["s"] = 0.2;
  }
  builder.event_when("N > limit", {{0, "(1 - taken)*N"}});
  builder.observable("seen", "N", is_noise_known ? "0.2" : "s");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 35; ++j) builder.measure(0, 0, 0.4 * j, 0);
  return {"harvest", with_noise(builder, truth, 0.2, seed), truth};
}

Moving two_doses(bool is_noise_known, std::uint64_t seed) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.9, 0.02, 5));
  builder.parameter("first", test::within(4.5, 0, 6)).parameter("second", test::within(10.5, 6, 12));
  builder.parameter("d1", test::within(2, 0.1, 50)).parameter("d2", test::within(12, 0.1, 50));
  Values truth{{"k", 0.5}, {"first", 2.3}, {"second", 7.7}, {"d1", 4}, {"d2", 6}};
  if (!is_noise_known) {
    builder.parameter("s", test::within(0.3, 1e-3, 10, model::Scale::log));
    truth["s"] = 0.1;
  }
  builder.event_at({"first"}, {{0, "x + d1"}}).event_at({"second"}, {{0, "x + d2"}});
  builder.observable("seen", "x", is_noise_known ? "0.1" : "s");
  builder.experiment(model::default_experiment, {std::string("0")});
  for (int j = 1; j <= 24; ++j) builder.measure(0, 0, 0.5 * j, 0);
  return {"two doses", with_noise(builder, truth, 0.1, seed), truth};
}

void expect_as_good_as_from_truth(const Moving& each) {
  const FitResult best = test::fit_of(each.problem, {.guess = each.truth});
  const FitResult found = test::fit_of(each.problem);
  EXPECT_EQ(found.status, Status::converged) << each.name << ": " << found.message;
  EXPECT_LE(found.objective, best.objective + 1e-3) << each.name << ": " << found.message;
}

TEST(Population, FindsWhatMovesDiscontinuities) {
  for (const std::uint64_t seed : {1, 2}) {
    expect_as_good_as_from_truth(thermostat(true, seed));
    expect_as_good_as_from_truth(harvest(true, seed));
    expect_as_good_as_from_truth(two_doses(true, seed));
  }
}

// Estimated noise explains a fit without any event as well.
TEST(Population, FindsWhatMovesDiscontinuitiesWhereNoiseIsEstimated) {
  for (const std::uint64_t seed : {1, 2}) {
    expect_as_good_as_from_truth(thermostat(false, seed));
    expect_as_good_as_from_truth(harvest(false, seed));
    expect_as_good_as_from_truth(two_doses(false, seed));
  }
}

// A dose between two other measurements fits the data too, but less well.
TEST(Population, FindsTheBestOfMinimaThatAreAllCredible) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Builder builder(test::Equations{{"x", "-k*x"}});
    builder.parameter("k", test::within(0.6, 0.02, 5)).parameter("when", test::within(6.5, 0, 12));
    builder.parameter("amount", test::within(9, 0.1, 50)).event_at({"when"}, {{0, "x + amount"}});
    builder.observable("seen", "x", "0.1").experiment(model::default_experiment, {std::string("2")});
    for (int j = 1; j <= 24; ++j) builder.measure(0, 0, 0.5 * j, 0);
    const Values truth{{"k", 0.35}, {"when", 4.2}, {"amount", 5}};
    expect_as_good_as_from_truth({"a dose", with_noise(builder, truth, 0.1, seed), truth});
  }
}

// Growth after a lag, both different in each of 20 experiments: 620 nodes would stand on the data. In closed form,
// B = B_0 g / (1 + B_0/cap (g - 1)) with g = e^(r max(t - lag, 0)).
TEST(Ways, OneTrajectoryForEachOfManyLagTimesComesBeforeVeryManyNodes) {
  constexpr int experiments = 20;
  Builder builder(test::Equations{{"B", "piecewise(0, t < lag, r)*B*(1 - B/cap)"}});
  for (const char* id : {"lag", "r", "cap"}) builder.parameter(id, 1.0);
  const auto name = [](const char* id, int e) { return id + std::to_string(e); };
  const auto lag = [](int e) { return 2 + 3 * std::pow(std::sin(e), 2); };
  const auto rate = [](int e) { return 0.3 + 0.05 * (e % 7); };
  for (int e = 0; e < experiments; ++e)
    for (const char* id : {"lag", "r", "cap"})
      builder.parameter(name(id, e), test::within(1, 1e-2, 30, model::Scale::log));
  builder.observable("seen", "B", "0.02");
  for (int e = 0; e < experiments; ++e) {
    builder.experiment("e" + std::to_string(e), {std::string("0.05")},
                       {{0, name("lag", e)}, {1, name("r", e)}, {2, name("cap", e)}});
    for (int j = 1; j <= 30; ++j) {
      const double g = std::exp(rate(e) * std::max(4. / 3 * j - lag(e), 0.0));
      builder.measure(e, 0, 4. / 3 * j, 0.05 * g / (1 + 0.05 * (g - 1)));
    }
  }
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.nodes, 2 * experiments);
  for (int e = 0; e < experiments; ++e) {
    EXPECT_NEAR(test::estimate_of(result, name("lag", e)).estimate, lag(e), 1e-4);
    EXPECT_NEAR(test::estimate_of(result, name("r", e)).estimate, rate(e), 1e-5);
  }
}

}  // namespace
}  // namespace salvo::fit
