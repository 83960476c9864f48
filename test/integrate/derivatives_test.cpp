#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "reference.hpp"

namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

struct MethodCase {
  model::Integrator integrator;
  const test::Tableau& tableau;
};
std::vector<MethodCase> method_cases() {
  return {{model::Rk4{0.1}, test::classical},
          {model::Dopri5{1e-4, 1e-6}, test::dormand_prince},
          {model::Dopri5{1e-9, 1e-11}, test::dormand_prince}};
}

const Lane predator_prey_lane{0, {0.7, 1.1, 2}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}};
const Lane driven_lane{0.4, {1.3, 2.5}, {0.3, -0.8}, {2.1, 0.3, 1.4, 1.7}};

template <class F>
void expect_tangent_and_adjoint_as_complex_step(const model::Problem& problem, const F& f, const Lane& lane) {
  for (const MethodCase& each : method_cases()) {
    Flight<1> flight(compile::compile(problem), each.integrator, {lane});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok());
    const int stops = static_cast<int>(lane.stops.size());
    const int d = flight.model->states;
    const int columns = d + flight.model->active;
    const auto tangents = flight.tangents();
    ASSERT_EQ(static_cast<int>(tangents[0].size()), stops);

    std::vector<std::vector<std::vector<double>>> expected;  // per stop: [state][column]
    for (int k = 0; k < stops; ++k) {
      const int step = flight.record.stop_slot[0][k];
      expected.push_back(test::complex_step(each.tableau, f, flight.record, lane.x0, lane.p, step));
      const auto path = test::repeat_steps<double>(each.tableau, f, flight.record, lane.x0, lane.p);
      for (int i = 0; i < d; ++i) EXPECT_NEAR(path[step - 1][i], flight.at_stop(0, k)[i], 1e-13);
      for (int i = 0; i < d; ++i)
        for (int c = 0; c < columns; ++c)
          EXPECT_LE(test::relative_error(tangents[0][k][i + c * d], expected[k][i][c], 0.1), 1e-12)
              << "stop " << k << ", state " << i << ", column " << c;
    }

    // Two scalars: one that looks at every stop, one at the last alone.
    std::vector<std::vector<std::vector<double>>> weights(2, std::vector<std::vector<double>>(stops, {0, 0}));
    for (int k = 0; k < stops; ++k) weights[0][k] = {1.3 - k, 0.4 + 0.3 * k};
    weights[1][stops - 1] = {-0.7, 2};
    const auto adjoints = flight.adjoints(weights);
    for (int scalar = 0; scalar < 2; ++scalar) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        for (int k = 0; k < stops; ++k)
          for (int i = 0; i < d; ++i) sum += weights[scalar][k][i] * expected[k][i][c];
        EXPECT_LE(test::relative_error(adjoints[0][scalar][c], sum, 0.1), 1e-12)
            << "scalar " << scalar << ", column " << c;
      }
    }
  }
}

TEST(Derivatives, OfPredatorAndPreyAreThoseOfTheNumbersThatWereComputed) {
  expect_tangent_and_adjoint_as_complex_step(test::predator_prey(), test::predator_prey_rhs, predator_prey_lane);
}

TEST(Derivatives, OfADrivenSystemAreThoseOfTheNumbersThatWereComputed) {
  expect_tangent_and_adjoint_as_complex_step(test::driven().build(), test::driven_rhs, driven_lane);
}

// The fixed steps of rk4 do not depend on the point, so plain differences of the integrator itself serve as well.
TEST(Derivatives, OfManyFunctionsAgreeWithDifferences) {
  const auto model = compile::compile(test::many_functions().build());
  const Lane lane{0.2, {0.6, 1.7}, {0.8, 0.6}, {1.3, 0.7}};
  Flight<1> flight(model, model::Rk4{0.05}, {lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  for (int c = 0; c < 4; ++c) {
    const auto f = [&](double value) {
      Lane moved = lane;
      (c < 2 ? moved.x0[c] : moved.p[c - 2]) = value;
      Flight<1> other(model, model::Rk4{0.05}, {moved});
      other.integrate();
      return std::vector<double>(other.record.x_stop[0]);
    };
    const std::vector<double> expected = test::difference(f, c < 2 ? lane.x0[c] : lane.p[c - 2]);
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 2; ++i)
        EXPECT_LE(test::relative_error(tangents[0][k][i + c * 2], expected[k * 2 + i]), 1e-10) << c << k << i;
  }
}

TEST(Derivatives, TangentAndAdjointAreTransposesOfEachOther) {
  for (const MethodCase& each : method_cases()) {
    Flight<1> flight(compile::compile(test::fitzhugh_nagumo().build()), each.integrator,
                     {{0, {1, 3.5}, {-1, 1}, {0.2, 0.3, 3}}});
    flight.integrate();
    const auto tangents = flight.tangents();
    const std::vector<double> v{0.3, -1.1, 0.7, 0.2, -0.5};
    const std::vector<std::vector<double>> w{{0.4, -0.9}, {1.2, 0.8}};
    const auto adjoint = flight.adjoints({w})[0][0];
    double forward = 0;
    double backward = 0;
    double size = 0;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 5; ++c) {
          const double part = w[k][i] * tangents[0][k][i + c * 2] * v[c];
          forward += part;
          size += std::abs(part);
        }
    for (int c = 0; c < 5; ++c) backward += adjoint[c] * v[c];
    EXPECT_LE(std::abs(forward - backward), 1e-13 * size);
  }
}

TEST(Derivatives, AreTheSameWithStagesKeptAndComputedAgain) {
  for (const MethodCase& each : method_cases()) {
    const auto model = compile::compile(test::predator_prey());
    Flight<4> kept(model, each.integrator, {predator_prey_lane, {0, {3}, {1, 1}, {1, 1, 1, 1}}});
    Flight<4> again(model, each.integrator, kept.lanes);
    again.record.stage_budget = 0;
    kept.integrate();
    again.integrate();
    EXPECT_TRUE(kept.record.stages_kept);
    EXPECT_FALSE(again.record.stages_kept);
    EXPECT_EQ(kept.tangents(), again.tangents());
    const std::vector<std::vector<std::vector<double>>> weights{{{1, 2}, {-1, 0.5}, {0.3, 0.7}}};
    EXPECT_EQ(kept.adjoints(weights), again.adjoints(weights));
  }
}

TEST(Steps, AreNotKeptWhereOnlyTheStopsAreOfInterest) {
  for (const model::Integrator& integrator :
       {model::Integrator{model::Rk4{0.1}}, model::Integrator{model::Dopri5{}}, model::Integrator{model::Rodas5p{}}}) {
    const auto model = compile::compile(test::predator_prey());
    Flight<4> kept(model, integrator, {predator_prey_lane, {0, {3}, {1, 1}, {1, 1, 1, 1}}});
    Flight<4> values(model, integrator, kept.lanes);
    values.record.keeps_steps = false;
    kept.integrate();
    values.integrate();
    EXPECT_EQ(values.record.x_stop, kept.record.x_stop);
    EXPECT_EQ(values.record.stop_slot, kept.record.stop_slot);
    EXPECT_EQ(values.record.steps, kept.record.steps);
    EXPECT_EQ(values.record.rhs, kept.record.rhs);
    for (const auto* numbers : {&values.record.t, &values.record.h, &values.record.x, &values.record.stage})
      EXPECT_EQ(numbers->capacity(), 0);
  }
}

// Half of what was kept before has no place any more, though the memory for it is still there.
TEST(Derivatives, AreTheSameInARecordThatWasLargerBefore) {
  for (const MethodCase& each : method_cases()) {
    const auto model = compile::compile(test::predator_prey());
    Flight<4> flight(model, each.integrator, {predator_prey_lane, {0, {3}, {1, 1}, {1, 1, 1, 1}}});
    flight.integrate();
    ASSERT_TRUE(flight.record.stages_kept);
    const auto tangents = flight.tangents();
    flight.record.stage_budget = flight.record.stage.size() * sizeof(double) / 2;
    flight.integrate();
    EXPECT_FALSE(flight.record.stages_kept);
    EXPECT_EQ(flight.tangents(), tangents);
  }
}

}  // namespace
}  // namespace salvo::integrate
