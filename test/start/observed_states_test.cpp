#include "start/observed_states.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/samples.hpp"
#include "start/invert_observable.hpp"
#include "start/start_nodes.hpp"

namespace salvo::start {
namespace {

// Two states that decay; the observables are what matters.
test::Builder two_states() {
  test::Builder builder(test::Equations{{"a", "-k*a"}, {"b", "-k*b"}});
  builder.parameter("k", test::estimated(1)).parameter("scale", test::estimated(4));
  builder.experiment("default", {test::estimated(1), test::estimated(1)});
  return builder;
}
double a(double t) { return 2 * std::exp(-0.3 * t); }
double b(double t) { return 1 + std::sin(t) / 2; }

ObservedStates observed(test::Builder builder) {
  const test::Sample sample{"", builder.build(), model::IntervalCount{3}};
  return observed_at_guess(*test::lay_out(sample, {})).front();
}

TEST(ObservedStates, InvertsAnObservableOfOneState) {
  for (const auto& [formula, g] :
       std::vector<std::pair<std::string, double (*)(double)>>{{"log(a)", [](double x) { return std::log(x); }},
                                                               {"scale*a + 1", [](double x) { return 4 * x + 1; }},
                                                               {"a^2", [](double x) { return x * x; }},
                                                               {"a/(1 + a)", [](double x) { return x / (1 + x); }}}) {
    test::Builder builder = two_states();
    builder.observable("seen", formula, "0.001");
    for (double t = 0; t <= 5; t += 0.5) builder.measure(0, 0, t, g(a(t)));
    const ObservedStates found = observed(builder);
    ASSERT_TRUE(found.states[0].curve) << formula;
    EXPECT_FALSE(found.states[1].curve) << formula;
    for (const SeriesPoint& point : found.states[0].series) EXPECT_NEAR(point.value, a(point.time), 1e-8) << formula;
    EXPECT_TRUE(found.left_over.empty()) << formula;
  }
}

TEST(ObservedStates, ErrorsGoAlongWithTheSlope) {
  test::Builder builder = two_states();
  builder.observable("seen", "a^2", "0.1");
  for (double t = 0; t <= 5; t += 0.5) builder.measure(0, 0, t, a(t) * a(t));
  const ObservedStates found = observed(builder);
  for (const SeriesPoint& point : found.states[0].series) EXPECT_NEAR(point.sigma, 0.1 / (2 * a(point.time)), 1e-9);
}

TEST(ObservedStates, ASumRevealsTheOtherState) {
  test::Builder builder = two_states();
  builder.observable("sum", "a + b", "0.0001").observable("one", "a", "0.0001");
  for (double t = 0; t <= 5; t += 0.25) builder.measure(0, 0, t, a(t) + b(t)).measure(0, 1, t, a(t));
  const ObservedStates found = observed(builder);
  ASSERT_TRUE(found.states[1].curve);
  for (double t = 0; t <= 5; t += 0.125) EXPECT_NEAR(found.states[1].at(t), b(t), 0.01) << t;
}

TEST(ObservedStates, WhatOnlyAProductShowsStaysHidden) {
  test::Builder builder = two_states();
  builder.observable("product", "a*b", "0.01");
  for (double t = 0; t <= 5; t += 0.5) builder.measure(0, 0, t, a(t) * b(t));
  const ObservedStates found = observed(builder);
  EXPECT_TRUE(found.states[0].series.empty());
  EXPECT_TRUE(found.states[1].series.empty());
  EXPECT_EQ(found.left_over.size(), 11U);
}

TEST(ObservedStates, AFewPointsMakeNoCurve) {
  test::Builder builder = two_states();
  builder.observable("often", "a", "0.01").observable("seldom", "b", "0.01");
  for (double t = 0; t <= 5; t += 0.5) builder.measure(0, 0, t, a(t));
  for (const double t : {0., 2.5, 5.}) builder.measure(0, 1, t, b(t));
  const ObservedStates found = observed(builder);
  EXPECT_TRUE(found.states[0].curve);
  EXPECT_FALSE(found.states[1].curve);
  EXPECT_EQ(found.states[1].series.size(), 3U);
  EXPECT_EQ(found.left_over, (std::vector<int>{11, 12, 13}));
}

TEST(ObservedStates, LogarithmicNoiseIsSmoothedOnItsScale) {
  test::Builder builder = two_states();
  builder.observable("seen", "a", "0.1", model::Distribution::log_normal);
  Random random(8);
  for (double t = 0; t <= 20; t += 0.5) builder.measure(0, 0, t, a(t) * std::exp(0.1 * random.normal()));
  const ObservedStates found = observed(builder);
  ASSERT_TRUE(found.states[0].logarithmic);
  for (double t = 0; t <= 20; t += 1) EXPECT_NEAR(std::log(found.states[0].at(t)), std::log(a(t)), 0.12) << t;
}

TEST(ObservedStates, AKnownInitialValueIsAnExactPoint) {
  test::Builder builder(test::Equations{{"a", "-k*a"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "a", "0.1").experiment("default", {"2"});
  for (double t = 1; t <= 6; t += 0.5) builder.measure(0, 0, t, a(t) + (t < 1.2 ? 0.1 : 0));
  const ObservedStates found = observed(builder);
  EXPECT_NEAR(found.states[0].at(0), 2, 1e-3);
}

TEST(InvertObservable, SaysWhenThereIsNoRoot) {
  test::Builder builder = two_states();
  builder.observable("seen", "a^2", "0.1");
  const auto compiled = compile::compile(builder.build());
  const std::vector<double> p{1, 4};
  ObservableInverter inverter(*compiled);
  const auto inverted = [&](double value, double from) {
    std::vector<double> x{from, 1};
    return inverter.invert(0, value, 0, p, x, 0);
  };
  EXPECT_FALSE(inverted(-1, 1));
  EXPECT_FALSE(inverted(4, 0));                   // no slope to follow
  EXPECT_NEAR(inverted(4, -1)->state, -2, 1e-9);  // the branch of the guess
}

}  // namespace
}  // namespace salvo::start
