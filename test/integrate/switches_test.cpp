#include <gtest/gtest.h>

#include <cmath>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/begun.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"

// Values and derivatives through everything that switches or jumps: long, because each kind is flown by every
// integrator and compared with the same closed forms.
namespace salvo::integrate {
namespace {

using test::begun;
using test::Builder;
using test::Flight;
using test::Lane;

struct Switched {
  const char* name;
  model::Problem problem;
  Lane lane;
  std::size_t jumps;  // that lane 0 meets
};

// At rest until tau; then x rises and turns y around. Time stands in the equations besides.
Switched lag_and_threshold() {
  Builder builder = begun({{"x", "piecewise(k, t > tau, 0) - m*x"},
                           {"y", "piecewise(0, t <= tau, piecewise(a*(1 + 0.3*sin(t)), x < limit, -b*y))"}},
                          {"k", "tau", "m", "a", "limit", "b"});
  return {"lag and threshold", builder.build(), {0, {0.5, 1.7, 2.9}, {0, 0}, {1.1, 0.73, 0.6, 0.8, 0.55, 0.9}}, 2};
}

Switched kinks() {
  Builder builder =
      begun({{"x", "u*cos(t) - k*min(x, m)"}, {"y", "abs(x) - sign(x)*y + max(y, x*x)"}}, {"u", "k", "m"});
  return {"kinks", builder.build(), {0.1, {0.9, 2.2, 3.4}, {0.1, 0.4}, {1.4, 0.7, 0.6}}, 3};
}

Switched bouncing_ball() {
  Builder builder = begun({{"h", "v"}, {"v", "-g - c*v"}}, {"g", "c", "r"});
  builder.event_when("h < 0", {{0, "0"}, {1, "-r*v"}});
  return {"bouncing ball", builder.build(), {0, {0.5, 1.1, 2}, {1.1, 0.2}, {9.3, 0.05, 0.8}}, 6};
}

Switched doses() {
  Builder builder = begun({{"gut", "-ka*gut"}, {"blood", "ka*gut - ke*blood"}}, {"ka", "ke", "lag", "amount"});
  builder.event_at({"lag", "0.9 + lag", "1.8"}, {{0, "gut + amount*(1 + 0.1*t)"}});
  return {"doses", builder.build(), {0, {0.4, 1.2, 2.5}, {0, 0}, {1.3, 0.4, 0.21, 1.7}}, 3};
}

// Begin, length and amount of an infusion are estimated.
Switched infusion() {
  Builder builder = begun({{"x", "piecewise(amount/width, t > lag && t < lag + width, 0) - k*x*(1 + 0.2*x)"}},
                          {"amount", "width", "lag", "k"});
  return {"infusion", builder.build(), {0, {0.4, 1.2, 2.5}, {0.3}, {2.1, 0.57, 0.31, 0.8}}, 2};
}

// The reset depends on everything: states, parameters and time; and one event causes another.
Switched fire() {
  Builder builder = begun({{"v", "(i - v)/tm + 0.1*cos(t)"}, {"n", "-0.2*n"}}, {"i", "tm", "c", "s"});
  builder.event_when("v > c", {{0, "s*v*n + 0.05*t"}, {1, "n + v"}});
  builder.event_when("n > 1.4", {{1, "0.3*n*c"}});
  return {"fire", builder.build(), {0, {0.7, 1.9, 3.3}, {0, 0.2}, {1.5, 0.8, 0.9, 0.1}}, 5};
}

// A constant, a linear and a cubic input, in products with states, in a condition and in what an event sets.
Switched inputs() {
  Builder builder = begun({{"x", "k*(u - x) + 0.2*w*y"}, {"y", "piecewise(a, x > limit + 0.1*v, -b*y) + v*x"}},
                          {"k", "a", "limit", "b", "s"});
  builder.input("u", model::Interpolation::linear, {0.1, 0.6, 1.3, 2, 2.2}, {0.3, 1.5, 0.8, 2.2, 1})
      .input("v", model::Interpolation::constant, {0, 0.9, 1.7}, {0.2, -0.3, 0.5})
      .input("w", model::Interpolation::cubic, {0, 0.5, 1, 1.5, 2}, {1, 0.4, 1.3, 0.9, 1.1});
  builder.event_at({"s", "1.7"}, {{0, "x + 0.1*u*t + v"}});
  builder.event_when("u > x + 0.35 && t > 0.5", {{1, "0.5*y + w"}});
  return {"inputs", builder.build(), {0, {0.4, 1.2, 2.5}, {0.2, 0.1}, {0.9, 0.7, 0.6, 0.8, 0.77}}, 12};
}

// What an event does later: it is due at a time that a state holds, known from the event on that sets it.
Switched waiting() {
  Builder builder = begun({{"x", "k - m*x + 0.1*sin(t)"}, {"due", "0"}, {"kept", "0"}}, {"k", "m", "c", "lag", "s"});
  builder.event_when("x > c", {{1, "t + lag*x"}, {2, "x*x"}});
  builder.event_when("due <= t", {{0, "s*kept + 0.1*x"}, {1, "50"}});
  return {"waiting", builder.build(), {0, {0.3, 1.5, 2.8}, {0.1, 50, 0}, {1.1, 0.3, 0.6, 0.7, 0.3}}, 8};
}

// Events at one time, and one at the start; what the first ones do decides which of the others acts next.
Switched ordered() {
  Builder builder = begun({{"x", "a - m*x"}, {"y", "-0.3*y"}}, {"a", "m", "tau", "b"});
  builder.event_when("t > tau", {{1, "y + b*x"}}).with_priority("y");
  builder.event_when("t > tau", {{1, "2*y*b + 0.1*t"}}).with_priority("3");
  builder.event_when("t > tau", {{0, "x*y"}}).with_priority("2 - y");
  builder.event_when("x < 1", {{1, "y + 0.2*a + x"}}).false_before_start();
  return {"ordered", builder.build(), {0, {0.4, 1.7, 2.9}, {0.1, 0.4}, {1.1, 0.7, 0.73, 0.6}}, 5};
}

std::vector<Switched> all() {
  return {lag_and_threshold(), kinks(), bouncing_ball(), doses(), infusion(), fire(), inputs(), waiting(), ordered()};
}

Ending ending_with(const Switched& each, const model::Integrator& integrator) {
  Flight<1> flight(compile::compile(each.problem), integrator, {each.lane});
  flight.integrate();
  return flight.record.ending[0];
}

std::vector<double> numbers_at_stops(const Switched& each, const model::Integrator& integrator, const Lane& lane) {
  Flight<1> flight(compile::compile(each.problem), integrator, {lane});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], flight.model->state_names);
  return flight.record.x_stop[0];
}

// Initial values come first, then parameters.
Lane moved(Lane lane, int column, double by) {
  const int d = static_cast<int>(lane.x0.size());
  (column < d ? lane.x0[column] : lane.p[column - d]) += by;
  return lane;
}

// d (all states at all stops) / d column, from the tangents.
std::vector<double> column_of(const std::vector<std::vector<double>>& tangents, int d, int column) {
  std::vector<double> out;
  for (const std::vector<double>& at_stop : tangents)
    for (int i = 0; i < d; ++i) out.push_back(at_stop[i + column * d]);
  return out;
}

void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                  const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  for (std::size_t n = 0; n < found.size(); ++n)
    EXPECT_LE(test::relative_error(found[n], expected[n]), tolerance)
        << where << ", number " << n << ": " << found[n] << " " << expected[n];
}

std::string place_of(const Switched& each, const model::Integrator& integrator, int column) {
  return std::string(each.name) + ", integrator " + std::to_string(integrator.index()) + ", column " +
         std::to_string(column);
}

// The same jumps, each in the same step; steps that none of them ends, end at the same times.
bool takes_same_steps(const Record<1>& a, const Record<1>& b) {
  if (a.slots != b.slots || a.jumps[0].size() != b.jumps[0].size()) return false;
  std::vector<bool> is_cut(a.slots, false);
  for (std::size_t n = 0; n < a.jumps[0].size(); ++n) {
    const Jump& one = a.jumps[0][n];
    const Jump& other = b.jumps[0][n];
    if (one.slot != other.slot || one.step != other.step || one.next != other.next || one.function != other.function ||
        one.event != other.event)
      return false;
    if (one.step >= 0) is_cut[one.step] = true;
  }
  for (std::size_t i = 0; i < is_cut.size(); ++i)
    if (!is_cut[i] && std::abs(a.t[i] + a.h[i] - b.t[i] - b.h[i]) > 1e-12) return false;
  return true;
}

// Differences of order 6 with the widest spacing at which all points take the steps of the one in the middle: the wider
// they are, the less of them is rounding.
std::vector<double> difference_of_same_steps(const Switched& each, const model::Integrator& integrator,
                                             const Record<1>& middle, int column) {
  const auto model = compile::compile(each.problem);
  for (const double spacing : {4e-3, 2e-3, 1e-3, 5e-4, 2e-4}) {
    bool is_same = true;
    const auto numbers = [&](double by) {
      Flight<1> flight(model, integrator, {moved(each.lane, column, by)});
      flight.integrate();
      is_same = is_same && flight.record.ending[0].ok() && takes_same_steps(middle, flight.record);
      return flight.record.x_stop[0];
    };
    std::vector<double> out = test::fine_difference(numbers, 0, spacing);
    if (is_same) return out;
  }
  return {};
}

void expect_as_differences_of_same_steps(const Switched& each, const model::Integrator& integrator, double tolerance) {
  Flight<1> flight(compile::compile(each.problem), integrator, {each.lane});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok()) << each.name;
  EXPECT_GE(flight.record.jumps[0].size(), each.jumps) << each.name;
  const auto tangents = flight.tangents();
  const int d = flight.model->states;
  for (int c = 0; c < d + flight.model->active; ++c)
    expect_close(column_of(tangents[0], d, c), difference_of_same_steps(each, integrator, flight.record, c), tolerance,
                 place_of(each, integrator, c));
}

// Steps follow the point, so that these are differences of the solution, as exactly as it is found.
void expect_as_differences(const Switched& each, const model::Integrator& integrator, double tolerance) {
  Flight<1> flight(compile::compile(each.problem), integrator, {each.lane});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok()) << each.name;
  const auto tangents = flight.tangents();
  const int d = flight.model->states;
  for (int c = 0; c < d + flight.model->active; ++c) {
    const auto numbers = [&](double by) { return numbers_at_stops(each, integrator, moved(each.lane, c, by)); };
    expect_close(column_of(tangents[0], d, c), test::fine_difference(numbers, 0, 2e-4), tolerance,
                 place_of(each, integrator, c));
  }
}

constexpr double as_differences = 1e-10;

// The ends of fixed steps do not depend on the point.
TEST(Switches, TangentsOfFixedStepsAreTheirDifferences) {
  for (const Switched& each : all()) expect_as_differences_of_same_steps(each, model::Rk4{0.09}, as_differences);
}

// Steps that no error limits lead from stop to stop; the first of these are so close together that the first step,
// which depends on the point, leads to the first of them.
TEST(Switches, TangentsOfAnyMethodAreDifferencesOfTheSameSteps) {
  const std::vector<model::Integrator> rough{model::Dopri5{1e9, 1e9}, model::Rodas5p{1e9, 1e9}};
  for (const Switched& each : all()) {
    Switched dense = each;
    dense.lane.stops.clear();
    const double apart = (each.lane.stops.back() - each.lane.begin) / 20;
    for (double share = 1e-6; share < 0.5; share *= 3) dense.lane.stops.push_back(each.lane.begin + share * apart);
    for (int k = 1; k <= 20; ++k) dense.lane.stops.push_back(each.lane.begin + apart * k);
    for (const model::Integrator& integrator : rough)
      expect_as_differences_of_same_steps(dense, integrator, as_differences);
  }
}

TEST(Switches, TangentsOfAccurateStepsAreThoseOfTheSolution) {
  const std::vector<model::Integrator> fine{model::Dopri5{1e-12, 1e-13}, model::Rodas5p{1e-12, 1e-13}};
  for (const Switched& each : all())
    for (const model::Integrator& integrator : fine) expect_as_differences(each, integrator, 1e-6);
}

std::vector<std::vector<std::vector<double>>> some_weights(int scalars, std::size_t stops, int states) {
  std::vector<std::vector<std::vector<double>>> out(scalars, std::vector<std::vector<double>>(stops));
  for (int c = 0; c < scalars; ++c)
    for (std::size_t k = 0; k < stops; ++k)
      for (int i = 0; i < states; ++i) out[c][k].push_back(std::sin(1 + 3 * c + 7. * static_cast<double>(k) + 11 * i));
  return out;
}

template <int W>
void expect_adjoints_of_tangents(const Switched& each, const std::shared_ptr<const compile::CompiledModel>& model,
                                 const model::Integrator& integrator, std::size_t budget) {
  std::vector<Lane> lanes;
  for (int l = 0; l < (W + 1) / 2 + 1 && l < W; ++l) {
    lanes.push_back(each.lane);
    for (double& p : lanes.back().p) p *= 1 + 0.013 * l;
  }
  Flight<W> flight(model, integrator, lanes);
  flight.record.stage_budget = budget;
  flight.record.x_budget = budget;
  flight.integrate();
  const int d = flight.model->states;
  const auto tangents = flight.tangents();
  for (const int scalars : {1, 12}) {
    const auto weights = some_weights(scalars, each.lane.stops.size(), d);
    const auto adjoints = flight.adjoints(weights);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      ASSERT_TRUE(flight.record.ending[l].ok()) << each.name;
      for (int c = 0; c < scalars; ++c) {
        for (int column = 0; column < d + flight.model->active; ++column) {
          double sum = 0;
          double size = 1;  // of the numbers that are added
          for (std::size_t k = 0; k < weights[c].size(); ++k)
            for (int i = 0; i < d; ++i) {
              sum += weights[c][k][i] * tangents[l][k][i + column * d];
              size += std::abs(tangents[l][k][i + column * d]);
            }
          EXPECT_LE(std::abs(adjoints[l][c][column] - sum), 1e-12 * size)
              << each.name << ", lane " << l << ", scalar " << c << ", column " << column;
        }
      }
    }
  }
}

std::vector<model::Integrator> tight_methods() {
  return {model::Rk4{0.07}, model::Dopri5{1e-7, 1e-9}, model::Rodas5p{1e-7, 1e-9}};
}

TEST(Switches, AdjointsAreTransposedTangents) {
  for (const Switched& each : all()) {
    const auto model = compile::compile(each.problem);
    for (const model::Integrator& integrator : tight_methods()) {
      for (const std::size_t budget : {std::size_t{1} << 30U, std::size_t{3000}}) {
        expect_adjoints_of_tangents<1>(each, model, integrator, budget);
        expect_adjoints_of_tangents<4>(each, model, integrator, budget);
      }
    }
  }
}

// Machine code computes what the interpreter does: values, tangents and adjoints.
TEST(Switches, MachineCodeMeetsThemToo) {
  for (const Switched& each : all()) {
    const auto tape = compile::compile(each.problem);
    const auto native = compile::accelerate(*tape, {.lanes = 4, .directions = true, .stiff = true});
    if (!native.model) GTEST_SKIP() << native.trouble;
    for (const model::Integrator& integrator : tight_methods()) {
      expect_adjoints_of_tangents<4>(each, native.model, integrator, std::size_t{1} << 30U);
      const std::vector<Lane> lanes(4, each.lane);
      Flight<4> interpreted(tape, integrator, lanes);
      Flight<4> compiled(native.model, integrator, lanes);
      interpreted.integrate();
      compiled.integrate();
      const auto expected = interpreted.tangents();
      const auto found = compiled.tangents();
      ASSERT_EQ(found[3].size(), expected[3].size()) << each.name;
      for (std::size_t k = 0; k < expected[3].size(); ++k)
        for (std::size_t n = 0; n < expected[3][k].size(); ++n)
          EXPECT_LE(test::relative_error(found[3][k][n], expected[3][k][n]), as_differences) << each.name;
    }
  }
}

// d x / d tau = -k e^(-m (t - tau)): without the term of the jump it would be 0.
TEST(Switches, ALagTimeHasTheInfluenceItShould) {
  const Switched each = lag_and_threshold();
  const auto& p = each.lane.p;
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{1e-11, 1e-12}}, model::Integrator{model::Rodas5p{1e-11, 1e-12}},
        model::Integrator{model::Rk4{0.002}}}) {
    Flight<1> flight(compile::compile(each.problem), integrator, {each.lane});
    flight.integrate();
    const auto tangents = flight.tangents();
    const double expected = -p[0] * std::exp(-p[2] * (each.lane.stops[2] - p[1]));
    EXPECT_GT(std::abs(expected), 0.1);
    EXPECT_NEAR(tangents[0][2][2 * (2 + 1)], expected, 1e-8);
  }
}

// CVODES starts anew at each discontinuity; its derivatives are those of the solution. So are those of short steps,
// whose lengths do not go by the values alone: a state that is exactly zero would allow any.
TEST(Switches, ASecondOpinionAgrees) {
  for (const Switched& each : all()) {
    const auto model = compile::compile(each.problem);
    Flight<1> own(model, model::Rk4{0.001}, {each.lane});
    Flight<1> other(model, model::Cvodes{.rtol = 1e-13, .atol = 1e-14, .family = model::MultistepFamily::adams},
                    {each.lane});
    own.integrate();
    other.integrate();
    if (other.record.ending[0].outcome == Outcome::not_built_in) GTEST_SKIP() << "built without SUNDIALS";
    ASSERT_TRUE(other.record.ending[0].ok()) << each.name;
    const auto expect_near = [&](const std::vector<double>& a, const std::vector<double>& b) {
      ASSERT_EQ(a.size(), b.size()) << each.name;
      for (std::size_t n = 0; n < a.size(); ++n) EXPECT_LE(test::relative_error(a[n], b[n]), 1e-8) << each.name << n;
    };
    expect_near(other.record.x_stop[0], own.record.x_stop[0]);
    const auto tangents = own.tangents();
    const auto other_tangents = other.tangents();
    for (std::size_t k = 0; k < tangents[0].size(); ++k) expect_near(other_tangents[0][k], tangents[0][k]);
    const auto weights = some_weights(2, each.lane.stops.size(), model->states);
    const auto adjoints = own.adjoints(weights);
    const auto other_adjoints = other.adjoints(weights);
    for (int c = 0; c < 2; ++c) expect_near(other_adjoints[0][c], adjoints[0][c]);
  }
}

// Lanes switch at times of their own and do not disturb each other: values and derivatives are those of a lane alone.
TEST(Switches, LanesGoOnByThemselves) {
  for (const Switched& each : all()) {
    for (const model::Integrator& integrator : tight_methods()) {
      std::vector<Lane> lanes;
      for (int l = 0; l < 4; ++l) {
        lanes.push_back(each.lane);
        for (double& p : lanes.back().p) p *= 1 + 0.021 * l;
      }
      const auto model = compile::compile(each.problem);
      Flight<4> together(model, integrator, lanes);
      together.integrate();
      const auto tangents = together.tangents();
      for (int l = 0; l < 4; ++l) {
        Flight<1> alone(model, integrator, {lanes[l]});
        alone.integrate();
        EXPECT_EQ(alone.record.x_stop[0], together.record.x_stop[l]) << each.name << ", lane " << l;
        EXPECT_EQ(alone.record.jumps[0].size(), together.record.jumps[l].size());
        EXPECT_EQ(alone.tangents()[0], tangents[l]) << each.name << ", lane " << l;
      }
    }
  }
}

// x(t) = k/m (1 - e^(-m (t - tau))) after tau, for any method and from any first step.
TEST(Switches, AreMetExactly) {
  const Switched each = lag_and_threshold();
  const auto& p = each.lane.p;
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{1e-10, 1e-12}}, model::Integrator{model::Rodas5p{1e-10, 1e-12}},
        model::Integrator{model::Rk4{0.001}}}) {
    const std::vector<double> x = numbers_at_stops(each, integrator, each.lane);
    for (std::size_t k = 0; k < each.lane.stops.size(); ++k) {
      const double since = std::max(each.lane.stops[k] - p[1], 0.0);
      EXPECT_NEAR(x[2 * k], p[0] / p[2] * (1 - std::exp(-p[2] * since)), 1e-8);
    }
  }
}

// A pulse that is a millionth of everything else wide.
TEST(Switches, ShortPulsesCountByTheirIntegral) {
  Builder builder = begun({{"x", "piecewise(1e6*d, t > tau && t < tau + 1e-6, 0) - k*x"}}, {"d", "tau", "k"});
  const Switched each{"pulse", builder.build(), {0, {3}, {0}, {2, 1.2345, 0.3}}, 2};
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{1e-9, 1e-11}}, model::Integrator{model::Rodas5p{1e-9, 1e-11}},
        model::Integrator{model::Rk4{0.05}}, model::Integrator{model::Rk4{0.77}}, model::Integrator{model::Rk4{3}},
        model::Integrator{model::Cvodes{.rtol = 1e-9, .atol = 1e-11}}}) {
    const Ending ending = ending_with(each, integrator);
    const auto* fixed = std::get_if<model::Rk4>(&integrator);
    const bool is_coarse = fixed != nullptr && fixed->step > 0.1;  // e^(-0.3 t) in one step or two
    if (ending.outcome == Outcome::not_built_in) continue;
    EXPECT_NEAR(numbers_at_stops(each, integrator, each.lane)[0], 2 * std::exp(-0.3 * (3 - 1.2345)),
                is_coarse ? 1e-2 : 1e-5);
  }
}

// The same pulse in a table.
TEST(Switches, ShortPulsesOfInputsCountByTheirIntegral) {
  Builder builder = begun({{"x", "d*u - k*x"}}, {"d", "k"});
  builder.input("u", model::Interpolation::constant, {0, 1.2345, 1.2345 + 1e-6}, {0, 1e6, 0});
  const Switched each{"pulse", builder.build(), {0, {3}, {0}, {2, 0.3}}, 2};
  for (const model::Integrator& integrator : tight_methods())
    EXPECT_NEAR(numbers_at_stops(each, integrator, each.lane)[0], 2 * std::exp(-0.3 * (3 - 1.2345)), 1e-5);
}

// x' = u: the integral of a line through the rows, of steps and of a spline, whatever the method.
TEST(Switches, InputsAreIntegratedExactly) {
  const std::vector<double> time{0.3, 1, 1.5, 2.5};
  const std::vector<double> value{1, 3, 2, 5};
  const auto integral = [&](model::Interpolation interpolation) {
    Builder builder = begun({{"x", "k*u"}}, {"k"});
    builder.input("u", interpolation, time, value);
    const Switched each{"integral", builder.build(), {0, {4}, {0}, {1}}, 3};
    std::vector<double> out;
    for (const model::Integrator& integrator :
         {model::Integrator{model::Dopri5{1e-3, 1e-3}}, model::Integrator{model::Rodas5p{1e-3, 1e-3}},
          model::Integrator{model::Rk4{4}}})
      out.push_back(numbers_at_stops(each, integrator, each.lane)[0]);
    return out;
  };
  for (const double x : integral(model::Interpolation::constant))
    EXPECT_NEAR(x, 1 * 1 + 3 * 0.5 + 2 * 1 + 5 * 1.5, 1e-12);
  for (const double x : integral(model::Interpolation::linear))
    EXPECT_NEAR(x, 1 * 0.3 + 2 * 0.7 + 2.5 * 0.5 + 3.5 * 1 + 5 * 1.5, 1e-12);
  const model::InputCurve spline(model::Interpolation::cubic, time, value);
  double area = 1 * 0.3 + 5 * 1.5;
  for (std::size_t i = 1; i < time.size(); ++i) {  // Simpson's rule is exact for cubics
    const double h = time[i] - time[i - 1];
    area += h / 6 * (value[i - 1] + 4 * spline.at(time[i - 1] + h / 2) + value[i]);
  }
  for (const double x : integral(model::Interpolation::cubic)) EXPECT_NEAR(x, area, 1e-12);
}

// A hundred thousand rows: as many steps, and no more per step.
TEST(Switches, LongTablesCostNoMorePerStep) {
  const auto work = [](int rows) {
    std::vector<double> time, value;
    for (int i = 0; i < rows; ++i) time.push_back(i), value.push_back(std::sin(0.1 * i));
    Builder builder = begun({{"x", "k*(u - x)"}}, {"k"});
    builder.input("u", model::Interpolation::linear, time, value);
    Flight<1> flight(compile::compile(builder.build()), model::Dopri5{1e-6, 1e-8}, {{0, {50}, {0}, {0.3}}});
    flight.integrate();
    EXPECT_TRUE(flight.record.ending[0].ok());
    return std::pair(flight.record.rhs, flight.record.x_stop[0]);
  };
  EXPECT_EQ(work(100'000), work(100));
}

// A trajectory with ten thousand doses, each of which does what one does.
TEST(Switches, ManyTimesOfEventsAreMetOneByOne) {
  constexpr int count = 10'000;
  Builder builder = begun({{"x", "-x"}, {"n", "0"}}, {"a"});
  for (int i = 0; i < count; ++i) builder.event_at({std::to_string(i + 1) + "/10000"}, {{0, "x + a"}, {1, "n + 1"}});
  const auto model = compile::compile(builder.build());
  EXPECT_TRUE(model->discontinuities->moved.empty());
  EXPECT_TRUE(model->discontinuities->conditional.empty());
  EXPECT_EQ(model->discontinuities->conditions.output_count(), 0) << "times have no conditions to be looked at";
  Flight<1> flight(model, model::Dopri5{}, {{0, {1}, {0, 0}, {0.5}}});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  EXPECT_EQ(flight.record.jumps[0].size(), static_cast<std::size_t>(count));
  EXPECT_EQ(flight.record.x_stop[0][1], count);
  const double q = std::exp(-1e-4);  // between two doses
  EXPECT_NEAR(flight.record.x_stop[0][0], 0.5 * (1 - std::pow(q, count)) / (1 - q), 1e-3);
}

// What stands still is written down where it changes and shared where it does not.
TEST(Switches, JumpsThatChangeNoTruthValueShareThem) {
  Builder builder = begun({{"x", "-x"}}, {"a"});
  builder.event_at({"0.1", "0.2", "0.3"}, {{0, "x + a"}}).event_when("x < 0.5", {{0, "x + a"}});
  Flight<1> flight(compile::compile(builder.build()), model::Dopri5{}, {{0, {3}, {1}, {0.1}}});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  const std::vector<Jump>& jumps = flight.record.jumps[0];
  ASSERT_GE(jumps.size(), 4U);
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    if (i > 0) {
      EXPECT_EQ(jumps[i].frozen_before, jumps[i - 1].frozen);
    }
    if (*jumps[i].frozen == *jumps[i].frozen_before) {
      EXPECT_EQ(jumps[i].frozen, jumps[i].frozen_before);
    }
  }
  EXPECT_EQ(jumps[0].frozen, jumps[0].frozen_before) << "the first dose turns no condition";
}

TEST(Switches, MoreChangesThanMemoryHoldsAreAStatus) {
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{}}, model::Integrator{model::Rodas5p{}}, model::Integrator{model::Cvodes{}}}) {
    Builder builder = begun({{"x", "-x"}}, {"a"});
    builder.event_when("x < 0.5", {{0, "x + a"}});
    Flight<1> flight(compile::compile(builder.build()), integrator, {{0, {9}, {1}, {0.1}}});
    flight.integrate();
    if (flight.record.ending[0].outcome == Outcome::not_built_in) continue;
    ASSERT_TRUE(flight.record.ending[0].ok());
    ASSERT_GT(flight.record.jumps[0].size(), 20U);
    flight.record.frozen_budget = 10 * sizeof(double);
    flight.integrate();
    EXPECT_EQ(flight.record.ending[0].outcome, Outcome::too_many_jumps);
    EXPECT_LE(flight.record.jumps[0].size(), 11U);
    const std::string words = describe(flight.record.ending[0], flight.model->state_names);
    EXPECT_NE(words.find("x < 0.5"), std::string::npos) << words;
  }
}

// z = x - c falls below zero and comes back within one long step.
TEST(Switches, TwoCrossingsInOneStepAreFound) {
  Builder builder = begun({{"x", "2*(t - 1)"}, {"y", "piecewise(1, x < c, 0)"}}, {"c"});
  const Switched each{"dip", builder.build(), {0, {2}, {1, 0}, {0.01}}, 2};
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{1e-6, 1e-6}}, model::Integrator{model::Rodas5p{1e-6, 1e-6}},
        model::Integrator{model::Rk4{2}}})
    EXPECT_NEAR(numbers_at_stops(each, integrator, each.lane)[1], 0.2, 1e-9);
}

TEST(Switches, AMeasurementAtAnEventSeesTheStateAfterIt) {
  Builder builder = begun({{"x", "-x"}}, {"a"});
  builder.event_at({"0", "1"}, {{0, "x + a"}});
  const Switched each{"dose", builder.build(), {0, {0, 1, 2}, {0}, {3}}, 2};
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{1e-11, 1e-12}}, model::Integrator{model::Rodas5p{1e-11, 1e-12}},
        model::Integrator{model::Rk4{0.001}}}) {
    const std::vector<double> x = numbers_at_stops(each, integrator, each.lane);
    EXPECT_NEAR(x[0], 3, 1e-12);
    EXPECT_NEAR(x[1], 3 + 3 * std::exp(-1), 1e-9);
    EXPECT_NEAR(x[2], (3 + 3 * std::exp(-1)) * std::exp(-1), 1e-9);
    expect_as_differences(each, integrator, 1e-9);
  }
}

// x reaches 1 at the times 1, 2, 3 of measurements, but for rounding, and begins anew.
TEST(Switches, AMeasurementWhereAConditionTurnsSeesTheStateAfterIt) {
  Builder builder = begun({{"x", "one"}, {"n", "0"}, {"y", "-y"}}, {"one"});
  builder.event_when("x >= one", {{0, "0"}, {1, "n + 1"}});
  const Switched each{"counter", builder.build(), {0, {0.5, 1, 1.7, 2, 3, 7}, {0, 0, 1}, {1}}, 0};
  for (const model::Integrator& integrator :
       {model::Integrator{model::Dopri5{}}, model::Integrator{model::Rodas5p{}}, model::Integrator{model::Rk4{0.1}}}) {
    const std::vector<double> x = numbers_at_stops(each, integrator, each.lane);
    const std::vector<double> counts{0, 1, 1, 2, 3, 7};
    for (std::size_t k = 0; k < counts.size(); ++k) {
      EXPECT_EQ(x[3 * k + 1], counts[k]) << k;
      EXPECT_NEAR(x[3 * k], each.lane.stops[k] - counts[k], 1e-9) << k;
    }
  }
}

// The state y, in which every event leaves its mark, after time 1.
double after_events(Builder& builder) {
  const Switched each{"events", builder.build(), {0, {2}, {0, 0}, {1}}, 0};
  const std::vector<double> found = numbers_at_stops(each, model::Dopri5{1e-11, 1e-12}, each.lane);
  return found[1];
}

TEST(Switches, OfEventsAtOneTimeTheHighestPriorityActsFirst) {
  const auto marks = [](const std::string& first, const std::string& second, const std::string& third) {
    Builder builder = begun({{"x", "1"}, {"y", "0"}}, {"one"});
    builder.event_when("t > one", {{1, "10*y + 1"}});
    if (!first.empty()) builder.with_priority(first);
    builder.event_when("x > one && t >= 0.5", {{1, "10*y + 2"}});
    if (!second.empty()) builder.with_priority(second);
    builder.event_when("t > one", {{1, "10*y + 3"}});
    if (!third.empty()) builder.with_priority(third);
    return after_events(builder);
  };
  EXPECT_EQ(marks("3", "", "1"), 132);
  EXPECT_EQ(marks("1", "", "3"), 312);
  EXPECT_EQ(marks("x", "", "x*x + 1"), 312) << "formulas have the values of that time";
  EXPECT_EQ(marks("5 - y", "", "4"), 132) << "and of those events that have acted";
  EXPECT_EQ(marks("", "", ""), 123) << "in the order of the file";
}

TEST(Switches, WhatAnEventCausesTakesItsTurnByPriority) {
  Builder builder = begun({{"x", "1"}, {"y", "0"}}, {"one"});
  builder.event_when("t > one", {{1, "10*y + 1"}}).with_priority("3");
  builder.event_when("t > one", {{1, "10*y + 2"}}).with_priority("1");
  builder.event_when("y > 0.5", {{1, "10*y + 3"}}).with_priority("2");
  EXPECT_EQ(after_events(builder), 132);
}

TEST(Switches, AnEventThatIsNotPersistentNeedsItsConditionUntilItActs) {
  for (const bool is_persistent : {true, false}) {
    Builder builder = begun({{"x", "1"}, {"y", "0"}}, {"one"});
    builder.event_when("t > one", {{1, "1"}}).with_priority("2");
    builder.event_when("t > one && y < 0.5", {{1, "10*y + 2"}}).with_priority("1");
    if (!is_persistent) builder.not_persistent();
    EXPECT_EQ(after_events(builder), is_persistent ? 12 : 1);
  }
}

TEST(Switches, WhatTurnsAtTheStartActsThere) {
  const auto found = [](const std::string& condition, bool false_before) {
    Builder builder = begun({{"x", "1"}, {"y", "0"}}, {"one"});
    builder.event_when(condition, {{1, "y + 1"}});
    if (false_before) builder.false_before_start();
    builder.event_when("y >= 1", {{1, "y + 10"}});  // touches its bound and stays there
    return after_events(builder);
  };
  EXPECT_EQ(found("t >= 0", false), 0) << "it has been true before";
  EXPECT_EQ(found("t >= 0", true), 11);
  EXPECT_EQ(found("t > 0", false), 11) << "it is false at the start and true right after";
  EXPECT_EQ(found("x > 5", true), 0);
  EXPECT_EQ(found("x <= 0", true), 11) << "it is true at the start alone";
}

TEST(Switches, ATimeThatAStateHoldsIsMetExactly) {
  Builder builder = begun({{"x", "1"}, {"y", "0"}, {"due", "0"}}, {"one"});
  builder.event_when("x > one", {{2, "t + 1"}});
  builder.event_when("due <= t", {{1, "y + 1"}, {2, "t + 1"}});
  const Switched each{"clock", builder.build(), {0, {2, 3, 4}, {0, 0, 99}, {1}}, 0};
  for (const model::Integrator& integrator : tight_methods()) {
    const std::vector<double> found = numbers_at_stops(each, integrator, each.lane);
    EXPECT_EQ(found[7], 3) << "at 2, 3 and 4";
    EXPECT_NEAR(found[8], 5, 1e-12);
  }
}

Ending ending_of(const Builder& builder, const Lane& lane, const model::Integrator& integrator) {
  Builder copy = builder;
  Flight<1> flight(compile::compile(copy.build()), integrator, {lane});
  flight.integrate();
  return flight.record.ending[0];
}

// What waits for its time stands at 1e30, and is no measure for the rest.
TEST(Switches, AHugeStateDoesNotRuinItsNeighbour) {
  for (const double big : {1e10, 1e13, 1e20, 1e30})
    for (const model::Integrator& integrator :
         {model::Integrator{model::Dopri5{}}, model::Integrator{model::Rodas5p{}}}) {
      const Switched each{"huge", begun({{"x", "-a*x"}, {"big", "0"}}, {"a"}).build(), {0, {5}, {1, big}, {1}}, 0};
      EXPECT_NEAR(numbers_at_stops(each, integrator, each.lane)[0], std::exp(-5), 1e-6 * std::exp(-5)) << big;
    }
}

TEST(Switches, WhatCannotBeFollowedIsSaidInTheUsersWords) {
  for (const model::Integrator& integrator : tight_methods()) {
    const Ending slides = ending_of(begun({{"x", "piecewise(-1, x > c, 1)"}}, {"c"}), {0, {3}, {0}, {1}}, integrator);
    EXPECT_EQ(slides.outcome, Outcome::sliding);
    EXPECT_NEAR(slides.time, 1, 1e-9);
    EXPECT_EQ(slides.condition, "c < x");

    Builder ball = begun({{"h", "v"}, {"v", "-g"}}, {"g"});
    ball.event_when("h < 0", {{0, "0"}, {1, "-0.5*v"}});
    const Ending rests = ending_of(ball, {0, {9}, {1, 0}, {10}}, integrator);
    EXPECT_EQ(rests.outcome, Outcome::endless_events);
    EXPECT_NEAR(rests.time, 3 * std::sqrt(0.2), 1e-6);

    Builder back = begun({{"x", "-x"}}, {"c"});
    back.event_when("x < c", {{0, "c"}});
    const Ending held = ending_of(back, {0, {2}, {1}, {0.5}}, integrator);
    EXPECT_EQ(held.outcome, Outcome::endless_events);
    EXPECT_NEAR(held.time, std::log(2), 1e-6);

    Builder again = begun({{"x", "1"}}, {"c"});
    again.event_when("x > c", {{0, "x - 2"}});
    again.event_when("x < c - 1", {{0, "x + 2"}});
    EXPECT_EQ(ending_of(again, {0, {3}, {0}, {1}}, integrator).outcome, Outcome::endless_events);
  }
}

}  // namespace
}  // namespace salvo::integrate
