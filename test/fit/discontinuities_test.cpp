#include "fits.hpp"

// What is estimated about switches and events: data without noise lead back to the values they were made with.
namespace salvo::fit {
namespace {

using test::Builder;

void expect_found(const Builder& with_times, const std::map<std::string, double>& truth) {
  Builder builder = with_times;
  const FitResult result = test::fit_of(test::without_noise(builder.build(), truth));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  for (const Estimate& parameter : result.parameters) {
    EXPECT_NEAR(parameter.estimate, truth.at(parameter.id), 1e-5) << parameter.id;
    EXPECT_TRUE(parameter.identifiable) << parameter.id;
  }
}

TEST(Discontinuities, ALagTimeIsFound) {
  Builder builder(test::Equations{{"x", "piecewise(k, t > tau, 0) - k*x"}});
  builder.parameter("k", test::within(0.5, 0.01, 10)).parameter("tau", test::within(1.2, 0, 5));
  builder.observable("seen", "x", "0.01").experiment(model::default_experiment, {std::string("0")});
  for (int j = 1; j <= 12; ++j) builder.measure(0, 0, 0.5 * j, 0);
  expect_found(builder, {{"k", 0.8}, {"tau", 1.9}});
}

TEST(Discontinuities, AThresholdIsFound) {
  Builder builder({{"x", "piecewise(s, y < limit, -0.3*x)"}, {"y", "a - 0.1*y"}});
  builder.parameter("a", test::within(1, 0.1, 10)).parameter("limit", test::within(2, 0.1, 7));
  builder.parameter("s", test::within(1, 0, 10));
  builder.observable("product", "x", "0.05").observable("inhibitor", "y", "0.05");
  builder.experiment(model::default_experiment, {std::string("0"), std::string("0")});
  for (int j = 1; j <= 12; ++j) builder.measure(0, 0, 0.8 * j, 0).measure(0, 1, 0.8 * j, 0);
  expect_found(builder, {{"a", 0.9}, {"limit", 3.1}, {"s", 1.4}});
}

TEST(Discontinuities, GravityAndRestitutionAreFound) {
  Builder builder({{"h", "v"}, {"v", "-g"}});
  builder.parameter("g", test::within(9.3, 5, 15)).parameter("r", test::within(0.77, 0.3, 1));
  builder.event_when("h < 0", {{0, "0"}, {1, "-r*v"}});
  builder.observable("height", "h", "0.02").experiment(model::default_experiment, {std::string("2"), std::string("0")});
  for (int j = 1; j <= 40; ++j) builder.measure(0, 0, 0.1 * j, 0);
  expect_found(builder, {{"g", 9.81}, {"r", 0.85}});
}

// Measurements at the very times of doses, the first of them at the start.
TEST(Discontinuities, DosesAndTheirLagAreFound) {
  Builder builder({{"gut", "-ka*gut"}, {"blood", "ka*gut - ke*blood"}});
  builder.parameter("ka", test::within(1, 0.1, 10)).parameter("ke", test::within(0.2, 0.01, 3));
  builder.parameter("lag", test::within(0.5, 0, 2)).parameter("F", test::within(0.6, 0.05, 2));
  builder.event_at({"0", "6"}, {{1, "blood + 2"}});
  builder.event_at({"3 + lag"}, {{0, "gut + F*10"}});
  builder.observable("concentration", "blood", "0.05");
  builder.experiment(model::default_experiment, {std::string("0"), std::string("0")});
  for (int j = 0; j <= 18; ++j) builder.measure(0, 0, 0.5 * j, 0);
  expect_found(builder, {{"ka", 1.4}, {"ke", 0.3}, {"lag", 0.8}, {"F", 0.9}});
}

}  // namespace
}  // namespace salvo::fit
