#include <gtest/gtest.h>

#include <cmath>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/begun.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "integrate/delayed/delayed.hpp"
#include "integrate/delayed/dense_output.hpp"
#include "integrate/delayed/flight.hpp"
#include "integrate/delayed/implicit_step.hpp"
#include "integrate/delayed/past.hpp"
#include "integrate/delayed/path.hpp"
#include "integrate/delayed/stiff_rule.hpp"
#include "integrate/delayed/sweep.hpp"
#include "integrate/rodas5p_tableau.hpp"

// Equations that look into their own past: values against closed forms and numbers found in another way, derivatives
// against differences of solutions whose steps follow the point.
namespace salvo::integrate::delays_tests {
namespace {

using test::begun;
using test::Builder;
using test::Flight;
using test::Lane;

struct Delayed {
  const char* name;
  model::Problem problem;
  Lane lane;
};

// x(t) = sum_n (-k)^n (t - (n - 1) tau)^n / n! where the history is 1.
Delayed linear() {
  return {
      "linear", begun({{"x", "-k*delay(x, tau)"}}, {"k", "tau"}).build(), {0, {1.3, 2.5, 3.7, 4.4}, {1}, {0.8, 0.9}}};
}

// The population of Hutchinson; its history is not where it begins.
Delayed hutchinson() {
  Builder builder = begun({{"N", "r*N*(1 - N(t - tau)/K)"}}, {"r", "K", "tau", "H"});
  builder.history(0, "H");
  return {"Hutchinson", builder.build(), {0, {1, 2.5, 5, 10}, {2}, {1.2, 10, 1.5, 2}}};
}

// Two delays of three values, one of them of a formula with time and one nested; histories of time and parameters.
Delayed two_delays() {
  Builder builder = begun({{"x", "-a*x + b*delay(y/(1 + y^2) + 0.1*sin(t)*x, s)"},
                           {"y", "c*delay(x, tau) - 0.4*y + 0.1*delay(delay(x, s)*y, tau)"}},
                          {"a", "b", "c", "s", "tau", "h"});
  builder.history(0, "h + 0.3*sin(t)").history(1, "0.2 + h*t");
  return {"two delays", builder.build(), {0.2, {0.9, 2.1, 3.1, 5.3}, {0.9, 0.4}, {0.7, 1.1, 0.8, 0.5573, 1.2519, 0.6}}};
}

// Doses at estimated times, and a threshold on what was.
Delayed events() {
  Builder builder =
      begun({{"x", "-k*x + 0.3*y(t - tau)"}, {"y", "m*x - 0.5*y(t - s)"}}, {"k", "m", "tau", "s", "lag", "c"});
  builder.event_at({"lag", "1.8"}, {{0, "x + 0.8 + 0.1*delay(y, tau)"}});
  builder.event_when("delay(y, s) > c", {{1, "0.5*y + 0.1*t"}});
  return {"events", builder.build(), {0, {0.5, 1.4, 2.6, 4.2}, {0.4, 0.2}, {0.9, 1.3, 0.7, 0.45, 0.37, 0.41}}};
}

// A switch in the right-hand side that a delayed state decides, and inputs as they were.
Delayed switched() {
  Builder builder =
      begun({{"x", "piecewise(a, delay(x, tau) < c, -b*x) + 0.3*delay(u*x, s)"}, {"y", "delay(v, tau) - y"}},
            {"a", "b", "c", "tau", "s"});
  builder.input("u", model::Interpolation::linear, {0.1, 0.6, 1.3, 2, 2.2}, {0.3, 1.5, 0.8, 2.2, 1})
      .input("v", model::Interpolation::constant, {0, 0.9, 1.7}, {0.2, -0.3, 0.5});
  return {"switched", builder.build(), {0, {0.4, 1.3, 2.5, 4.1}, {0.3, 0.2}, {0.9, 0.8, 0.7, 0.63, 0.31}}};
}

// The start and a dose have their images at the same time as stops and as one another.
Delayed coincident() {
  Builder builder = begun({{"x", "-k*x(t - tau) + 0.2*x(t - s)"}}, {"k", "tau", "s", "h"});
  builder.event_at({"1"}, {{0, "x + 0.5"}});
  builder.history(0, "h");
  return {"coincident", builder.build(), {0, {0.5, 1, 2, 3.5}, {1}, {0.8, 1, 0.5, 0.7}}};
}

std::vector<Delayed> all() { return {linear(), hutchinson(), two_delays(), events(), switched(), coincident()}; }

const model::Integrator fine = model::Dopri5{1e-12, 1e-14};
const model::Integrator fine_implicit = model::Rodas5p{1e-12, 1e-14};

template <int W = 1>
std::vector<double> states_at_stops(const Delayed& each, const model::Integrator& integrator, const Lane& lane) {
  Flight<1> flight(compile::compile(each.problem), integrator, {lane});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok())
      << each.name << ": " << describe(flight.record.ending[0], flight.model->state_names);
  return flight.record.x_stop[0];
}

double closed_form(double k, double tau, double t) {
  double sum = 0;
  double factorial = 1;
  for (int n = 0; n <= static_cast<int>(std::floor(t / tau)) + 1; ++n) {
    if (n > 0) factorial *= n;
    sum += std::pow(-k, n) * std::pow(t - (n - 1) * tau, n) / factorial;
  }
  return sum;
}

TEST(Delays, LinearEquationsHaveTheirClosedForm) {
  const Delayed each = linear();
  Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  const double by_tau[] = {-.256, -.77312, -.1484745387, .2373072213};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(flight.at_stop(0, k)[0], closed_form(0.8, 0.9, each.lane.stops[k]), 1e-10);
    EXPECT_NEAR(tangents[0][k][0 + 2 * flight.model->observed()], by_tau[k], 1e-9);
  }
  Delayed unit = linear();
  unit.lane = {0, {1, 2, 3, 4, 5, 10}, {1}, {1, 1}};
  const double exact[] = {0, -0.5, -1. / 6, 5. / 24, 19. / 120, 10493. / 518400};
  for (const model::Integrator& integrator : {fine, fine_implicit, model::Integrator{model::Rk4{0.01}}}) {
    const std::vector<double> x = states_at_stops(unit, integrator, unit.lane);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(x[2 * k], exact[k], 1e-9);
  }
}

TEST(Delays, HistoriesMayChangeWithTime) {
  Builder builder = begun({{"x", "-delay(x, 1)"}}, {"unused"});
  builder.history(0, "1 + t");
  const Delayed each{"history", builder.build(), {0, {3}, {1}, {1}}};
  EXPECT_NEAR(states_at_stops(each, fine, each.lane)[0], -3. / 8, 1e-10);
}

// x = e^(l t) with l = -k e^(-l tau), which its history is, too.
TEST(Delays, AnExponentialGoesOnWithoutAKink) {
  const double k = 0.4;
  const double tau = 0.8;
  double l = -k;
  for (int i = 0; i < 50; ++i) l -= (l + k * std::exp(-l * tau)) / (1 - k * tau * std::exp(-l * tau));
  Builder builder = begun({{"x", "-k*delay(x, tau)"}}, {"k", "tau", "l"});
  builder.history(0, "exp(l*t)");
  const Delayed each{"exponential", builder.build(), {0, {0.5, 2, 5}, {1}, {k, tau, l}}};
  Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  const double e = std::exp(-l * tau);
  const double l_k = -e / (1 - k * tau * e);
  const double l_tau = k * l * e / (1 - k * tau * e);
  const int o = flight.model->observed();
  for (int n = 0; n < 3; ++n) {
    const double t = each.lane.stops[n];
    EXPECT_NEAR(flight.at_stop(0, n)[0], std::exp(l * t), 1e-11);
    const std::vector<double>& by = tangents[0][n];
    EXPECT_NEAR(by[1 * o] + by[3 * o] * l_k, t * std::exp(l * t) * l_k, 1e-9);
    EXPECT_NEAR(by[2 * o] + by[3 * o] * l_tau, t * std::exp(l * t) * l_tau, 1e-9);
  }
}

// By a spectral method (Chebyshev, 20 points between discontinuities), derivatives by complex step with these moving.
TEST(Delays, HutchinsonsPopulationIsThatOfASpectralMethod) {
  Delayed each = hutchinson();
  each.lane.stops.push_back(30);
  Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
  flight.integrate();
  const double x[] = {5.223392946846, 18.73180838916, 3.640610769997, 19.52561876173, 4.445290764089};
  for (int k = 0; k < 5; ++k) EXPECT_LE(test::relative_error(flight.at_stop(0, k)[0], x[k]), 1e-9);
  const auto tangents = flight.tangents();
  const std::vector<double>& by = tangents[0][3];
  const int o = flight.model->observed();
  EXPECT_LE(test::relative_error(by[1 * o], 16.1288529414), 1e-8);
  EXPECT_LE(test::relative_error(by[2 * o], 3.05029777208), 1e-8);
  EXPECT_LE(test::relative_error(by[3 * o], 97.9472879051), 1e-8);
  EXPECT_LE(test::relative_error(by[0] + by[4 * o], -5.48867947953), 1e-8);
}

TEST(Delays, KnownProblemsHaveTheirKnownNumbers) {
  const Delayed glass{"Mackey-Glass",
                      begun({{"x", "0.2*x(t - 14)/(1 + x(t - 14)^10) - 0.1*x"}}, {"unused"}).build(),
                      {0, {10, 50, 100, 200, 500}, {0.5}, {1}}};
  const double of_glass[] = {.81544357643006, .51220304575547, .8281877478106, 1.262733165157, 1.0104431117};
  const std::vector<double> x = states_at_stops(glass, fine, glass.lane);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_LE(test::relative_error(x[2 * k], of_glass[k]), k < 4 ? 1e-9 : 1e-7);
  const Delayed logistic{
      "logistic", begun({{"x", "x*(1 - delay(x, 1))"}}, {"unused"}).build(), {0, {5, 10, 20}, {1.2}, {1}}};
  const double of_logistic[] = {1.029447334466, 1.003469043347, .9998867317788};
  const std::vector<double> y = states_at_stops(logistic, fine, logistic.lane);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(y[2 * k], of_logistic[k], 1e-10);
}

TEST(Delays, MethodsAgree) {
  for (const Delayed& each : all()) {
    const std::vector<double> by_dopri5 = states_at_stops(each, fine, each.lane);
    const std::vector<double> by_rk4 = states_at_stops(each, model::Rk4{0.002}, each.lane);
    const std::vector<double> by_rodas5p = states_at_stops(each, fine_implicit, each.lane);
    for (std::size_t n = 0; n < by_rk4.size(); ++n) {
      EXPECT_LE(test::relative_error(by_rk4[n], by_dopri5[n]), 1e-8) << each.name << ", number " << n;
      EXPECT_LE(test::relative_error(by_rodas5p[n], by_dopri5[n]), 1e-10) << each.name << ", number " << n;
    }
  }
}

// Initial values come first, then parameters.
Lane moved(Lane lane, int column, double by) {
  const int d = static_cast<int>(lane.x0.size());
  (column < d ? lane.x0[column] : lane.p[column - d]) += by;
  return lane;
}

// Differences of solutions whose steps and discontinuities follow the point.
void expect_as_differences(const Delayed& each, const model::Integrator& integrator, double spacing, double tolerance) {
  Flight<1> flight(compile::compile(each.problem), integrator, {each.lane});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok())
      << each.name << ": " << describe(flight.record.ending[0], flight.model->state_names);
  const auto tangents = flight.tangents();
  const int o = flight.model->observed();
  for (int c = 0; c < flight.model->states + flight.model->active; ++c) {
    const auto numbers = [&](double by) { return states_at_stops(each, integrator, moved(each.lane, c, by)); };
    const std::vector<double> expected = test::fine_difference(numbers, 0, spacing);
    for (std::size_t n = 0; n < expected.size(); ++n)
      EXPECT_LE(test::relative_error(tangents[0][n / o][n % o + c * o], expected[n]), tolerance)
          << each.name << ", integrator " << integrator.index() << ", column " << c << ", number " << n << ": "
          << tangents[0][n / o][n % o + c * o] << " " << expected[n];
  }
}

TEST(Delays, TangentsAreDifferencesOfSolutions) {
  for (const Delayed& each : {linear(), hutchinson(), two_delays(), events(), switched()})
    for (const model::Integrator& integrator : {fine, fine_implicit})
      expect_as_differences(each, integrator, 5e-4, 1e-7);
}

// The ends of fixed steps do not depend on the point, but for those at images of discontinuities.
TEST(Delays, TangentsOfFixedStepsAreTheirDifferences) {
  for (const Delayed& each : {linear(), hutchinson(), two_delays()})
    expect_as_differences(each, model::Rk4{0.11}, 1e-5, 1e-8);
}

template <int W>
void expect_adjoints_of_tangents(const Delayed& each, const model::Integrator& integrator) {
  const auto model = compile::compile(each.problem);
  std::vector<Lane> lanes;
  for (int l = 0; l < (W + 1) / 2 + 1 && l < W; ++l) {
    lanes.push_back(each.lane);
    for (double& p : lanes.back().p) p *= 1 + 0.013 * l;
  }
  Flight<W> flight(model, integrator, lanes);
  flight.integrate();
  const int o = model->observed();
  const auto tangents = flight.tangents();
  for (const int scalars : {1, 5}) {
    std::vector<std::vector<std::vector<double>>> weights(scalars,
                                                          std::vector<std::vector<double>>(each.lane.stops.size()));
    for (int c = 0; c < scalars; ++c)
      for (std::size_t k = 0; k < each.lane.stops.size(); ++k)
        for (int i = 0; i < o; ++i) weights[c][k].push_back(std::sin(1 + 3 * c + 7. * static_cast<double>(k) + 11 * i));
    const auto adjoints = flight.adjoints(weights);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      ASSERT_TRUE(flight.record.ending[l].ok()) << each.name;
      for (int c = 0; c < scalars; ++c)
        for (int column = 0; column < model->states + model->active; ++column) {
          double sum = 0;
          double size = 1;  // of the numbers that are added
          for (std::size_t k = 0; k < weights[c].size(); ++k)
            for (int i = 0; i < o; ++i) {
              sum += weights[c][k][i] * tangents[l][k][i + column * o];
              size += std::abs(tangents[l][k][i + column * o]);
            }
          EXPECT_LE(std::abs(adjoints[l][c][column] - sum), 1e-12 * size)
              << each.name << ", integrator " << integrator.index() << ", lane " << l << ", scalar " << c << ", column "
              << column;
        }
    }
  }
}

TEST(Delays, AdjointsAreTransposedTangents) {
  for (const Delayed& each : all())
    for (const model::Integrator& integrator :
         {model::Integrator{model::Rk4{0.07}}, model::Integrator{model::Dopri5{1e-7, 1e-9}},
          model::Integrator{model::Rodas5p{1e-7, 1e-9}}}) {
      expect_adjoints_of_tangents<1>(each, integrator);
      expect_adjoints_of_tangents<4>(each, integrator);
    }
}

// A known past in the place of what a state was: intervals are ordinary ones, and its knots move with the delay.
Delayed with_known_past() {
  Builder builder = begun({{"N", "r*N*(1 - N(t - tau)/K)"}, {"y", "delay(N*y, s) - y"}}, {"r", "K", "tau", "s"});
  return {"known past", builder.build(), {0.1, {0.9, 2.2, 4.1}, {2, 1}, {1.2, 10, 1.51, 0.43}}};
}

TEST(Delays, AKnownPastTakesThePlaceOfStates) {
  const Delayed each = with_known_past();
  const std::vector<double> time{0, 0.5, 1, 1.6, 2, 2.5, 3, 4};
  const auto of_N = std::make_shared<model::InputCurve>(model::Interpolation::cubic, time,
                                                        std::vector<double>{2, 3, 5, 8, 12, 14, 9, 6});
  const auto of_y = std::make_shared<model::InputCurve>(model::Interpolation::linear, time,
                                                        std::vector<double>{1, 0.5, 0.7, 0.2, 0.1, 0.3, 0.2, 0.6});
  const std::vector<compile::KnownPast> known{{0, model::Interpolation::cubic, {of_N}},
                                              {1, model::Interpolation::linear, {of_y}}};
  const auto model = compile::compile(each.problem, nullptr, known);
  EXPECT_FALSE(model->looks_back());
  for (const bool is_start : {true, false})
    for (const model::Integrator& integrator :
         {fine, model::Integrator{model::Rodas5p{1e-11, 1e-12}}, model::Integrator{model::Rk4{0.01}}}) {
      const auto states = [&](const Lane& lane) {
        Flight<4> flight(model, integrator, {lane, lane});
        flight.launch.is_start[0] = flight.launch.is_start[1] = is_start;
        flight.integrate();
        return flight.record.x_stop[0];
      };
      Flight<1> flight(model, integrator, {each.lane});
      flight.launch.is_start[0] = is_start;
      flight.integrate();
      ASSERT_TRUE(flight.record.ending[0].ok());
      EXPECT_EQ(flight.record.x_stop[0], states(each.lane));
      const auto tangents = flight.tangents();
      for (int c = 0; c < 6; ++c) {
        const auto numbers = [&](double by) { return states(moved(each.lane, c, by)); };
        const std::vector<double> expected = test::fine_difference(numbers, 0, 1e-3);
        for (std::size_t n = 0; n < expected.size(); ++n)
          EXPECT_LE(test::relative_error(tangents[0][n / 2][n % 2 + c * 2], expected[n]), 1e-7)
              << "integrator " << integrator.index() << ", column " << c << ", number " << n;
      }
      EXPECT_GT(std::abs(tangents[0][2][4 * 2]), 1e-3);  // by tau
    }
}

TEST(Delays, MachineCodeComputesWhatTheInterpreterDoes) {
  for (const Delayed& each : all())
    for (const bool is_stiff : {false, true}) {
      const auto tape = compile::compile(each.problem);
      const auto native = compile::accelerate(*tape, {.lanes = 1, .stiff = is_stiff});
      if (!native.model) GTEST_SKIP() << native.trouble;
      const model::Integrator integrator =
          is_stiff ? model::Integrator{model::Rodas5p{1e-7, 1e-9}} : model::Integrator{model::Dopri5{1e-7, 1e-9}};
      Flight<1> interpreted(tape, integrator, {each.lane});
      Flight<1> compiled(native.model, integrator, {each.lane});
      interpreted.integrate();
      compiled.integrate();
      EXPECT_TRUE(native.model->rhs.is_native<1>() && native.model->delays->jacobian.is_native<1>());
      if (is_stiff) {
        EXPECT_TRUE(native.model->stiff->kernels().curvature_of_past.kernel.is_native<1>()) << each.name;
      }
      const auto expected = interpreted.tangents();
      const auto found = compiled.tangents();
      for (std::size_t k = 0; k < expected[0].size(); ++k)
        for (std::size_t n = 0; n < expected[0][k].size(); ++n)
          EXPECT_LE(test::relative_error(found[0][k][n], expected[0][k][n]), 1e-9) << each.name;
    }
}

TEST(Delays, ALaneHasTheSameBitsBesideOthers) {
  for (const Delayed& each : all()) {
    const auto model = compile::compile(each.problem);
    std::vector<Lane> lanes;
    for (int l = 0; l < 4; ++l) lanes.push_back(moved(each.lane, static_cast<int>(each.lane.x0.size()), 0.03 * l));
    for (const model::Integrator& integrator : {fine, fine_implicit}) {
      Flight<4> together(model, integrator, lanes);
      together.integrate();
      for (int l = 0; l < 4; ++l) {
        Flight<1> alone(model, integrator, {lanes[l]});
        alone.integrate();
        EXPECT_EQ(alone.record.x_stop[0], together.record.x_stop[l]) << each.name;
      }
    }
  }
}

// At its ends the interpolant is the step, and its slope is f there.
TEST(Delays, InterpolantsMeetTheEndsOfTheirStep) {
  const compile::Tableau tableau{.c = {0, 0.5}, .a = {{}, {0.5}}, .b = {0.25, 0.75}};
  const DenseMethod method = dense_explicit(tableau, {0.3, -0.2, -0.1}, 4);
  DenseWeights beta{}, slope{};
  method.weights(0, beta);
  method.slopes(0, slope);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(beta[i], 0);
    EXPECT_NEAR(slope[i], i == 0 ? 1 : 0, 1e-15);
  }
  method.weights(1, beta);
  method.slopes(1, slope);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(beta[i], i < 2 ? tableau.b[i] : 0, 1e-15);
    EXPECT_NEAR(slope[i], i == 2 ? 1 : 0, 1e-15);
  }
}

// One step of x' = cos(t) - x^2, written out, whose length is halved twice: the error in its middle falls like h^5,
// that of the slope like h^4.
TEST(Delays, TheInterpolantOfRodas5pHasOrderFour) {
  using Tableau = Rodas5pTableau;
  const auto f = [](double t, double x) { return std::cos(t) - x * x; };
  const auto model = compile::compile(begun({{"x", "cos(t) - x^2"}}, {"unused"}).build());
  std::vector<double> errors, errors_of_slope;
  for (const double h : {0.2, 0.1, 0.05}) {
    const double t = 0.1;
    const double x = 0.8;
    double k[Tableau::stages];
    for (int i = 0; i < Tableau::stages; ++i) {
      double X = x;
      double side = -Tableau::gamma_sum[i] * h * std::sin(t);
      for (int j = 0; j < i; ++j) X += h * Tableau::a[i][j] * k[j], side += Tableau::c[i][j] * k[j];
      k[i] = (side + f(t + Tableau::alpha[i] * h, X)) / (1 / Tableau::gamma + 2 * h * x);
    }
    DenseWeights beta{}, slope{};
    dense_rodas5p().weights(0.5, beta);
    dense_rodas5p().slopes(0.5, slope);
    double at = x;
    double v = 0;
    for (int i = 0; i < Tableau::stages; ++i) at += h * beta[i] * k[i], v += slope[i] * k[i];
    Flight<1> flight(model, model::Dopri5{1e-14, 1e-15}, {Lane{t, {t + h / 2}, {x}, {1}}});
    flight.integrate();
    const double exact = flight.at_stop(0, 0)[0];
    errors.push_back(std::abs(at - exact));
    errors_of_slope.push_back(std::abs(v - f(t + h / 2, exact)));
  }
  for (int n = 0; n < 2; ++n) {
    EXPECT_GT(std::log2(errors[n] / errors[n + 1]), 4.5);
    EXPECT_GT(std::log2(errors_of_slope[n] / errors_of_slope[n + 1]), 3.5);
  }
}

// y follows what x was 1e6 times as fast as x moves: explicit steps would be a million.
TEST(Delays, StiffEquationsAreFoundOut) {
  Builder builder = begun({{"x", "-0.5*delay(x, tau)"}, {"y", "1e6*(delay(x, tau) - y)"}}, {"tau"});
  const auto model = compile::compile(builder.build());
  const Lane lane{0, {1, 9.3}, {1, 0}, {1.1}};
  Flight<1> watching(model, model::AutoIntegrator{}, {lane});
  watching.integrate();
  EXPECT_EQ(watching.record.ending[0].outcome, Outcome::stiff);
  EXPECT_TRUE(turned_out_stiff(model::AutoIntegrator{}, watching.record.ending[0], default_max_steps));
  Flight<1> flight(model, for_stiff(model::AutoIntegrator{.rtol = 1e-10}), {lane});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  EXPECT_LT(flight.record.steps[0], 1500);
  EXPECT_NEAR(flight.at_stop(0, 1)[0], closed_form(0.5, 1.1, 9.3), 1e-9);
  EXPECT_NEAR(flight.at_stop(0, 1)[1], closed_form(0.5, 1.1, 8.2), 1e-6);
}

TEST(Delays, WhatCannotBeFollowedIsSaid) {
  const Delayed each = linear();
  const auto model = compile::compile(each.problem);
  const auto ending = [&](const Lane& lane, const model::Integrator& integrator, bool is_start = true) {
    Flight<1> flight(model, integrator, {lane});
    flight.launch.is_start[0] = is_start;
    flight.integrate();
    return describe(flight.record.ending[0], model->state_names);
  };
  Lane lane = each.lane;
  lane.p[1] = -0.1;
  EXPECT_NE(ending(lane, fine).find("the delay tau is not a positive number"), std::string::npos);
  EXPECT_NE(ending(each.lane, fine, false).find("what was before t = 0"), std::string::npos);
  EXPECT_NE(ending(each.lane, model::Cvodes{}).find("take the integrator dopri5"), std::string::npos);
}

// Two delays that are equal act as one: derivatives by each add up to that by the one.
TEST(Delays, ThatBecomeEqualActAsOne) {
  Builder builder = begun({{"x", "-k*x(t - tau) - 0.3*x(t - s)"}}, {"k", "tau", "s"});
  Builder single = begun({{"x", "-(k + 0.3)*x(t - tau)"}}, {"k", "tau"});
  for (const model::Integrator& integrator : {fine, fine_implicit})
    for (const double apart : {0., 1e-15, 1e-9}) {
      Flight<1> two(compile::compile(builder.build()), integrator,
                    {Lane{0, {1.3, 2.7, 4.4}, {1}, {0.8, 0.9, 0.9 + apart}}});
      Flight<1> one(compile::compile(single.build()), integrator, {Lane{0, {1.3, 2.7, 4.4}, {1}, {0.8, 0.9}}});
      two.integrate();
      one.integrate();
      const auto of_two = two.tangents();
      const auto of_one = one.tangents();
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(two.at_stop(0, k)[0], one.at_stop(0, k)[0], 1e-8);
        const int o = two.model->observed();
        EXPECT_NEAR(of_two[0][k][2 * o] + of_two[0][k][3 * o], of_one[0][k][2 * one.model->observed()], 1e-7);
      }
    }
}

// A kink that passes over a stop: the delay may end at the very time of a measurement, just before and just after it.
TEST(Delays, MayEndAtAStop) {
  for (const model::Integrator& integrator : {fine, fine_implicit})
    for (const double off : {-1e-9, -1e-16, 0., 1e-16, 1e-9}) {
      const Delayed each = linear();
      const double tau = 1.3 + off;
      const Lane lane{0, {1.3, 2.6, 3.9}, {1}, {0.8, tau}};
      Flight<1> flight(compile::compile(each.problem), integrator, {lane});
      flight.integrate();
      const auto tangents = flight.tangents();
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(flight.at_stop(0, k)[0], closed_form(0.8, tau, lane.stops[k]), 1e-10) << off;
        const double h = 1e-4;  // the second derivative by tau jumps where the kink passes
        const double slope =
            (closed_form(0.8, tau + h, lane.stops[k]) - closed_form(0.8, tau - h, lane.stops[k])) / (2 * h);
        EXPECT_NEAR(tangents[0][k][2 * flight.model->observed()], slope, 1e-4) << off;
      }
    }
}

// A delay longer than the experiment: only the history is seen, and the delay has no influence.
TEST(Delays, ADelayLongerThanTheExperimentSeesTheHistoryAlone) {
  Delayed each = linear();
  each.lane.p = {0.8, 100};
  Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(flight.at_stop(0, k)[0], 1 - 0.8 * each.lane.stops[k], 1e-12);
    EXPECT_EQ(tangents[0][k][2 * flight.model->observed()], 0);
  }
}

}  // namespace
}  // namespace salvo::integrate::delays_tests
