#include <array>

#include "base/random.hpp"
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

// Both states are exactly 0 until then, and nothing says how small their errors should be. In closed form, with
// s = t - 2: x = k (1 - e^-s) and y = k (1 - e^-s - s e^-s).
TEST(Discontinuities, StatesAtZeroAreFollowedOnceTheirSourceIsSwitchedOn) {
  Builder builder({{"x", "piecewise(k, t > 2, 0) - x"}, {"y", "x - y"}});
  builder.parameter("k", test::within(0.5, 0.01, 10)).observable("seen", "y", "0.01");
  builder.experiment(model::default_experiment, {std::string("0"), std::string("0")});
  for (int j = 1; j <= 12; ++j) {
    const double s = std::max(0.0, 0.5 * j - 2);
    builder.measure(0, 0, 0.5 * j, 1.5 * (1 - std::exp(-s) - s * std::exp(-s)));
  }
  const model::Problem problem = builder.build();
  for (const model::Integrator& integrator :
       {model::Integrator(model::AutoIntegrator{}), model::Integrator(model::Dopri5{}),
        model::Integrator(model::Rodas5p{}), model::Integrator(model::Cvodes{})}) {
    const EvaluateResult exact = evaluate(problem, {.integrator = integrator, .values = {{"k", 1.5}}});
    if (exact.message.find("built without SUNDIALS") != std::string::npos) continue;
    ASSERT_TRUE(exact.ok) << exact.message;
    for (std::size_t i = 0; i < problem.measurements.size(); ++i)
      EXPECT_NEAR(exact.simulations[i].simulation, problem.measurements[i].value, 1e-6) << integrator.index();
    const FitResult result = test::fit_of(problem, {.integrator = integrator});
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(test::estimate_of(result, "k").estimate, 1.5, 1e-5);
  }
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

// Ten bounces, noise of two centimetres, guesses off by a quarter: from some of them bounces come closer and closer.
TEST(Discontinuities, TenBouncesAreFollowedFromFarAway) {
  const auto ball = [](double g, double r, double drop) {
    Builder builder({{"h", "v"}, {"v", "-g"}});
    builder.parameter("g", test::within(g, 1, 30)).parameter("r", test::within(r, 0.1, 1));
    builder.parameter("drop", test::within(drop, 0.1, 10));
    builder.event_when("h < 0", {{0, "0"}, {1, "-r*v"}});
    builder.observable("height", "h", "0.02");
    builder.experiment(model::default_experiment, {std::string("drop"), std::string("0")});
    for (int j = 1; j < 80; ++j) builder.measure(0, 0, 0.108 * j, 0);
    return builder.build();
  };
  const std::map<std::string, double> truth{{"g", 9.81}, {"r", 0.9}, {"drop", 2}};
  const model::Problem exact = test::without_noise(ball(9.81, 0.9, 2), truth);
  for (const auto& [by_g, by_r, by_drop] : {std::array{1.25, 0.75, 1.25}, std::array{0.75, 0.75, 0.75}}) {
    model::Problem problem = ball(9.81 * by_g, 0.9 * by_r, 2 * by_drop);
    for (std::size_t i = 0; i < problem.measurements.size(); ++i)
      problem.measurements[i].value = exact.measurements[i].value + 0.028 * std::sin(1 + 97.3 * static_cast<double>(i));
    const FitResult result = test::fit_of(problem);
    ASSERT_EQ(result.status, Status::converged) << result.message;
    for (const Estimate& parameter : result.parameters)
      EXPECT_NEAR(parameter.estimate, truth.at(parameter.id), 4 * parameter.standard_error.value_or(0)) << parameter.id;
  }
}

// 14 doses in 3 patients; lag and bioavailability are estimated, from starts within a factor of 3.
TEST(Discontinuities, RepeatedDosesAreFollowedFromRandomStarts) {
  const std::vector<std::pair<std::string, double>> truth{{"ka", 1.1},    {"ke", 0.15}, {"out", 0.3},
                                                          {"back", 0.25}, {"lag", 0.4}, {"F", 0.7}};
  const std::vector<std::vector<std::string>> given{
      {"0", "12", "24", "36", "48"}, {"0", "8", "16", "24", "40"}, {"1", "20", "30", "44"}};
  Random random(5);
  model::Problem exact;
  for (int start = 0; start < 6; ++start) {
    Builder builder({{"gut", "-ka*gut"},
                     {"blood", "ka*gut - (ke + out)*blood + back*tissue"},
                     {"tissue", "out*blood - back*tissue"}});
    for (const auto& [id, value] : truth) {
      const double factor = start == 0 ? 1 : std::pow(3, 2 * random.uniform() - 1);
      builder.parameter(id, test::within(value * factor, value / 3.1, value * 3.1, model::Scale::log));
    }
    builder.observable("concentration", "blood/12", "0.1");
    for (const char* patient : {"a", "b", "c"})
      builder.experiment(patient, {std::string("0"), std::string("0"), std::string("0")});
    for (const auto& times : given) {
      std::vector<std::string> later;
      for (const std::string& time : times) later.push_back(time + " + lag");
      builder.event_at(later, {{0, "gut + F*100"}});
    }
    for (int e = 0; e < 3; ++e)
      for (const double t : {0.5, 1., 2., 4., 6., 10., 12.5, 14., 18., 25., 27., 33., 42., 46., 50., 55., 60.})
        builder.measure(e, 0, t, 0);
    model::Problem problem = builder.build();
    for (int e = 0; e < 3; ++e) problem.events[static_cast<std::size_t>(e)].experiments = {e};
    if (start == 0) {
      exact = test::without_noise(problem, {truth.begin(), truth.end()});
      continue;
    }
    problem.measurements = exact.measurements;
    const FitResult result = test::fit_of(problem);
    ASSERT_EQ(result.status, Status::converged) << result.message;
    // Rates may change places, as the three exponentials of the concentration do; the fit is the same.
    EXPECT_LT(result.chi2, 1e-6);
    EXPECT_NEAR(test::estimate_of(result, "lag").estimate, 0.4, 1e-3);
  }
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

// --- inputs ----------------------------------------------------------------------------------------------------------

// A house in the weather of three days, hour by hour; `smooth` has the same weather as a formula.
model::Problem house(model::Interpolation interpolation, bool smooth) {
  const std::string weather = "(12 + 6*sin(0.2617993877991494*(t - 9)))";
  Builder builder(test::Equations{{"inside", "k*(" + (smooth ? weather : std::string("outside")) + " - inside) + q"}});
  builder.parameter("k", test::within(0.3, 0.001, 5)).parameter("q", test::within(0.2, -10, 10));
  builder.observable("seen", "inside", "0.3").experiment(model::default_experiment, {test::estimated(15)});
  if (!smooth) {
    std::vector<double> time, value;
    for (int hour = 0; hour < 72; ++hour) {
      time.push_back(hour);
      value.push_back(12 + 6 * std::sin(0.2617993877991494 * (hour - 9)) + std::sin(17. * hour));
    }
    builder.input("outside", interpolation, time, value);
  }
  for (int j = 1; j <= 28; ++j) builder.measure(0, 0, 2.5 * j, 0);
  return builder.build();
}
const std::map<std::string, double> house_truth{{"k", 0.16}, {"q", 0.6}, {"inside", 18}};

TEST(Discontinuities, WhatAMeasuredInputDoesIsFound) {
  for (const auto interpolation :
       {model::Interpolation::constant, model::Interpolation::linear, model::Interpolation::cubic}) {
    const FitResult result = test::fit_of(test::without_noise(house(interpolation, false), house_truth));
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(test::estimate_of(result, "k").estimate, 0.16, 1e-6);
    EXPECT_NEAR(test::estimate_of(result, "q").estimate, 0.6, 1e-6);
    EXPECT_NEAR(test::estimate_of(result, "inside").estimate, 18, 1e-5);
  }
}

TEST(Discontinuities, AMeasuredInputCostsAtMostThreeTimesASmoothOne) {
  const auto work = [](bool smooth) {
    const FitResult result =
        test::fit_of(test::without_noise(house(model::Interpolation::linear, smooth), house_truth));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    return static_cast<double>(result.work.rhs);
  };
  EXPECT_LE(work(false), 3 * work(true));
}

// Experiments with inputs of their own, which stand in an observable and in an initial value.
TEST(Discontinuities, InputsStandInObservablesAndInitialValues) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.5, 0.01, 5)).parameter("gain", test::within(1, 0.01, 10));
  builder.observable("seen", "gain*u*x", "0.05");
  builder.experiment("a", {std::string("2*u")}).experiment("b", {std::string("2*u")}, {}, 1);
  builder.input("u", model::Interpolation::linear, {0, 4}, {1, 2});
  for (int e = 0; e < 2; ++e)
    for (int j = 1; j <= 6; ++j) builder.measure(e, 0, 1 + 0.5 * j, 0);
  model::Problem problem = builder.build();
  const std::vector<double> time{0, 4};
  const std::vector<double> value{3, 1};
  problem.inputs[0].of_experiment[1] = std::make_shared<model::InputCurve>(model::Interpolation::linear, time, value);
  const double k = 0.8;
  const double gain = 1.5;
  for (model::Measurement& m : problem.measurements) {
    const double u = m.experiment == 0 ? 1 + m.time / 4 : 3 - m.time / 2;
    const double x0 = m.experiment == 0 ? 2 * 1 : 2 * 2.5;
    m.value = gain * u * x0 * std::exp(-k * (m.time - m.experiment));
  }
  const FitResult result = test::fit_of(problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "k").estimate, k, 1e-6);
  EXPECT_NEAR(test::estimate_of(result, "gain").estimate, gain, 1e-6);
}

// Friction that holds a body fast is no motion that can be computed: v would change its sign again and again. The data
// say mu = 1.5, which stops it within them; the largest mu that does not is no answer.
TEST(Discontinuities, TheEdgeOfWhatCanBeComputedIsNoMinimum) {
  Builder builder(test::Equations{{"v", "-mu*sign(v)"}});
  builder.parameter("mu", test::within(0.9, 0.1, 10));
  builder.observable("speed", "v", "0.05").experiment(model::default_experiment, {std::string("3")});
  for (int j = 1; j <= 15; ++j) builder.measure(0, 0, 0.2 * j, std::max(3 - 1.5 * 0.2 * j, 0.0));
  const FitResult result = test::fit_of(builder.build());
  EXPECT_NE(result.status, Status::converged);
  EXPECT_NE(result.message.find("the model cannot be computed"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("v"), std::string::npos) << result.message;
}

// --- measured steady states ------------------------------------------------------------------------------------------

// R <-> C, both conserved in sum; what R begins with is estimated and shared with the experiment at rest.
TEST(Discontinuities, ASteadyStateThatIsMeasuredSharesTheInitialValues) {
  Builder builder({{"R", "-kon*R + koff*C"}, {"C", "kon*R - koff*C"}});
  builder.parameter("kon", test::within(1, 0.01, 20)).parameter("koff", test::within(1, 0.01, 20));
  builder.observable("bound", "C", "0.05").observable("free", "R", "0.05");
  builder.experiment("up", {test::estimated(5), std::string("0")});
  builder.experiment("up_at_rest", {test::estimated(5), std::string("0")});
  for (const double t : {0.1, 0.2, 0.4, 0.6}) builder.measure(0, 1, t, 0);
  builder.measure(1, 0, 0, 0);
  model::Problem problem = builder.build();
  problem.experiments[1].equilibrate = model::Equilibration{.is_final = true};
  problem.experiments[1].initial_of = 0;
  const double kon = 0.8;
  const double koff = 0.3;
  const double total = 6;
  const double at_rest = total * kon / (kon + koff);
  for (model::Measurement& m : problem.measurements)
    m.value = m.experiment == 1 ? at_rest : total - at_rest * (1 - std::exp(-(kon + koff) * m.time));
  const FitResult result = test::fit_of(problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "kon").estimate, kon, 1e-5);
  EXPECT_NEAR(test::estimate_of(result, "koff").estimate, koff, 1e-5);
  ASSERT_EQ(result.initial.size(), 1u);
  EXPECT_EQ(result.initial[0].id, "R");
  EXPECT_NEAR(result.initial[0].estimate, total, 1e-5);
}

// --- pictures --------------------------------------------------------------------------------------------------------

// Doses at 2 and 4, one between nodes and one on a node: curves and bands end at one value and begin at another.
TEST(Discontinuities, NothingIsDrawnAcrossADose) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.5, 0.01, 5)).parameter("dose", test::within(8, 0.1, 50));
  builder.event_at({"2", "4"}, {{0, "x + dose"}});
  builder.observable("seen", "x", "0.1").experiment(model::default_experiment, {std::string("1")});
  for (const double t : {1.0, 1.5, 2.5, 3.0, 4.0, 5.0, 6.0}) builder.measure(0, 0, t, 0);
  const model::Problem problem = test::without_noise(builder.build(), {{"k", 0.7}, {"dose", 10}});
  const FitResult result = test::fit_of(problem, {.nodes = model::NodesAtMeasurements{}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  int partings = 0;
  for (std::size_t j = 0; j < result.solution_arcs.size(); ++j) {
    const Arc& arc = result.solution_arcs[j];
    ASSERT_EQ(arc.band.deviation.cols, arc.observables.cols);
    for (int i = 1; i < arc.observables.cols; ++i) {
      EXPECT_LT(std::abs(arc.observables(0, i) - arc.observables(0, i - 1)), 1) << "t = " << arc.time[i];
      EXPECT_LT(std::abs(arc.band.deviation(0, i) - arc.band.deviation(0, i - 1)), 0.02) << "t = " << arc.time[i];
    }
    if (j == 0 || result.solution_arcs[j - 1].interval != arc.interval) continue;
    ++partings;
    const Arc& before = result.solution_arcs[j - 1];
    const int last = before.observables.cols - 1;
    EXPECT_EQ(before.time.back(), arc.time.front());
    EXPECT_NEAR(arc.observables(0, 0) - before.observables(0, last), 10, 1e-4);
    EXPECT_GT(arc.band.deviation(0, 0), before.band.deviation(0, last) + 0.02) << "what a dose is worth is not known";
  }
  EXPECT_EQ(partings, 2);
}

}  // namespace
}  // namespace salvo::fit
