#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/begun.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "integrate/delayed/past_at_start.hpp"

// Equations that look into their own past beside algebraic ones, by rodas5p.
namespace salvo::integrate::delays_with_roots_tests {
namespace {

using test::begun;
using test::Builder;
using test::Flight;
using test::Lane;

struct Case {
  const char* name;
  model::Problem problem;  // its algebraic variable is u
  Lane lane;
};

model::Problem with_root(model::Problem problem) {
  for (model::State& state : problem.states) state.is_algebraic = state.id == "u";
  return problem;
}

// u follows what x was: it jumps where a dose is seen again.
Case slaved() {
  Builder builder = begun({{"x", "-k*u + 0.3*y(t - tau)"},
                           {"u", "u + 0.2*u^3 - x - 0.5*delay(x, s)*(1 + 0.1*t)"},
                           {"y", "u - 0.5*y(t - s)"}},
                          {"k", "tau", "s", "dose"});
  builder.history(0, "0.4 + 0.1*t").event_at({"0.77"}, {{0, "x + dose"}});
  return {"slaved", with_root(builder.build()), {0, {0, 0.5, 1.4, 3.1}, {0.9, 0.7, 0.3}, {0.8, 0.73, 0.4519, 0.6}}};
}

// u itself is seen later, and its past before the start is told.
Case seen_again() {
  Builder builder = begun({{"x", "-k*x + 0.3*delay(u, tau)"}, {"u", "u*exp(u) - x - 0.2*sin(t)"}}, {"k", "tau", "h"});
  builder.history(1, "h*(1 + 0.2*t)").event_at({"1.11"}, {{0, "2*x"}});
  return {"seen again", with_root(builder.build()), {0, {0.6, 1.3, 2.9}, {1.1, 0.5}, {0.7, 0.83, 0.31}}};
}

// An event when u passes a threshold.
Case triggered() {
  Builder builder = begun({{"x", "-k*delay(u, tau)"}, {"u", "u + u^3 - x*(1 + 0.1*t) - 0.1*delay(x, tau)"}},
                          {"k", "low", "dose", "tau"});
  builder.history(1, "0.8").event_when("u < low", {{0, "x + dose*u"}});
  return {"triggered", with_root(builder.build()), {0, {0.5, 1.4, 3}, {1.5, 0.8}, {0.9, 0.5, 2.2, 0.37}}};
}

std::vector<Case> all() { return {slaved(), seen_again(), triggered()}; }

const model::Integrator fine = model::Rodas5p{1e-12, 1e-14};

std::vector<double> states_at_stops(const Case& each, const model::Integrator& integrator, const Lane& lane) {
  Flight<1> flight(compile::compile(each.problem), integrator, {lane});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok())
      << each.name << ": " << describe(flight.record.ending[0], flight.model->state_names);
  return flight.record.x_stop[0];
}

Lane moved(Lane lane, int column, double by) {
  const int d = static_cast<int>(lane.x0.size());
  (column < d ? lane.x0[column] : lane.p[column - d]) += by;
  return lane;
}

// u is the real root of 0.2 u^3 + u = b, put into the equations, which dopri5 then integrates.
TEST(DelaysWithRoots, AreWhatTheClosedFormOfTheRootSays) {
  const Case each = slaved();
  const std::string b = "(x + 0.5*delay(x, s)*(1 + 0.1*t))";
  const std::string w = "((" + b + "/0.4 + sqrt(" + b + "^2/0.16 + 1/(27*0.008)))^(1/3))";
  const std::string u = "(" + w + " - 1/(0.6*" + w + "))";
  Builder builder =
      begun({{"x", "-k*" + u + " + 0.3*y(t - tau)"}, {"y", u + " - 0.5*y(t - s)"}}, {"k", "tau", "s", "dose"});
  builder.history(0, "0.4 + 0.1*t").event_at({"0.77"}, {{0, "x + dose"}});
  Flight<1> twin(compile::compile(builder.build()), model::Dopri5{1e-12, 1e-14},
                 {Lane{0, each.lane.stops, {0.9, 0.3}, each.lane.p}});
  twin.integrate();
  Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
  flight.integrate();
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(flight.at_stop(0, k)[0], twin.at_stop(0, k)[0], 1e-10);
    EXPECT_NEAR(flight.at_stop(0, k)[2], twin.at_stop(0, k)[1], 1e-10);
  }
}

TEST(DelaysWithRoots, TangentsAreDifferencesOfSolutions) {
  for (const Case& each : all()) {
    Flight<1> flight(compile::compile(each.problem), fine, {each.lane});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], flight.model->state_names);
    const auto tangents = flight.tangents();
    const int o = flight.model->observed();
    for (int c = 0; c < flight.model->states + flight.model->active; ++c) {
      const auto numbers = [&](double by) { return states_at_stops(each, fine, moved(each.lane, c, by)); };
      const std::vector<double> expected = test::fine_difference(numbers, 0, 5e-4);
      for (std::size_t n = 0; n < expected.size(); ++n)
        EXPECT_LE(test::relative_error(tangents[0][n / o][n % o + c * o], expected[n]), 1e-7)
            << each.name << ", column " << c << ", number " << n << ": " << tangents[0][n / o][n % o + c * o] << " "
            << expected[n];
    }
  }
}

template <int W>
void expect_adjoints_of_tangents(const Case& each) {
  const auto model = compile::compile(each.problem);
  std::vector<Lane> lanes;
  for (int l = 0; l < (W + 1) / 2; ++l)
    lanes.push_back(moved(each.lane, static_cast<int>(each.lane.x0.size()), 0.02 * l));
  Flight<W> flight(model, model::AutoIntegrator{}, lanes);
  flight.integrate();
  const int o = model->observed();
  const auto tangents = flight.tangents();
  std::vector<std::vector<std::vector<double>>> weights(3, std::vector<std::vector<double>>(each.lane.stops.size()));
  for (int c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < each.lane.stops.size(); ++k)
      for (int i = 0; i < o; ++i) weights[c][k].push_back(std::sin(1 + 3 * c + 7. * static_cast<double>(k) + 11 * i));
  const auto adjoints = flight.adjoints(weights);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    ASSERT_TRUE(flight.record.ending[l].ok()) << each.name;
    for (int c = 0; c < 3; ++c)
      for (int column = 0; column < model->states + model->active; ++column) {
        double sum = 0;
        double size = 1;
        for (std::size_t k = 0; k < weights[c].size(); ++k)
          for (int i = 0; i < o; ++i) {
            sum += weights[c][k][i] * tangents[l][k][i + column * o];
            size += std::abs(tangents[l][k][i + column * o]);
          }
        EXPECT_LE(std::abs(adjoints[l][c][column] - sum), 1e-12 * size)
            << each.name << ", lane " << l << ", scalar " << c << ", column " << column;
      }
  }
}

TEST(DelaysWithRoots, AdjointsAreTransposedTangents) {
  for (const Case& each : all()) {
    expect_adjoints_of_tangents<1>(each);
    expect_adjoints_of_tangents<4>(each);
  }
}

TEST(DelaysWithRoots, MachineCodeComputesWhatTheInterpreterDoes) {
  for (const Case& each : all()) {
    const auto tape = compile::compile(each.problem);
    const auto native = compile::accelerate(*tape, {.lanes = 1, .stiff = true});
    if (!native.model) GTEST_SKIP() << native.trouble;
    Flight<1> interpreted(tape, model::Rodas5p{1e-7, 1e-9}, {each.lane});
    Flight<1> compiled(native.model, model::Rodas5p{1e-7, 1e-9}, {each.lane});
    interpreted.integrate();
    compiled.integrate();
    const auto expected = interpreted.tangents();
    const auto found = compiled.tangents();
    for (std::size_t k = 0; k < expected[0].size(); ++k)
      for (std::size_t n = 0; n < expected[0][k].size(); ++n)
        EXPECT_LE(test::relative_error(found[0][k][n], expected[0][k][n]), 1e-8) << each.name;
  }
}

// u^2 = x falls to 0, where both roots meet: x = 1 - t/2 while the history is seen.
TEST(DelaysWithRoots, AFoldIsToldWithItsTime) {
  Builder builder = begun({{"x", "-0.5*delay(x, 5)"}, {"u", "u^2 - x"}}, {"unused"});
  const auto model = compile::compile(with_root(builder.build()));
  Flight<1> flight(model, model::AutoIntegrator{}, {Lane{0, {4}, {1, 1}, {1}}});
  flight.integrate();
  EXPECT_EQ(flight.record.ending[0].outcome, Outcome::fold);
  EXPECT_NEAR(flight.record.ending[0].time, 2, 1e-3);
  EXPECT_LT(flight.record.steps[0], 2000);
}

// h = 0.31 and history h (1 + 0.2 t).
TEST(DelaysWithRoots, ThePastAtTheStartIsTheHistory) {
  const Case each = seen_again();
  const auto model = compile::compile(each.problem);
  std::vector<double> p = each.lane.p;
  p.resize(static_cast<std::size_t>(model->parameters));
  double value = 0;
  double speed = 0;
  past_at_start(*model, p.data(), each.lane.x0.data(), 0)(0.1, &value, &speed);
  EXPECT_NEAR(value, 0.31 * (1 + 0.2 * (0.1 - 0.83)), 1e-15);
  EXPECT_NEAR(speed, 0.31 * 0.2, 1e-15);
}

TEST(DelaysWithRoots, ExplicitMethodsAreRefused) {
  Flight<1> flight(compile::compile(slaved().problem), model::Dopri5{}, {slaved().lane});
  flight.integrate();
  EXPECT_EQ(flight.record.ending[0].outcome, Outcome::algebraic);
}

}  // namespace
}  // namespace salvo::integrate::delays_with_roots_tests
