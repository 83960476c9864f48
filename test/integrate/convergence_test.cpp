#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

// x' = -k x and y' = v, v' = -k y - c v + a cos(w t) have solutions in closed form.
double decay_error(const model::Integrator& integrator) {
  Flight<1> flight(compile::compile(test::decay(test::estimated(1), "1").build()), integrator,
                   {{0, {2}, {1.5}, {1.3}}});
  flight.integrate();
  return std::abs(flight.at_stop(0, 0)[0] - 1.5 * std::exp(-2.6));
}

// Undamped and driven: y = A cos(sqrt(k) t) + B cos(w t) with B = a / (k - w^2), from y(0) = 1, v(0) = 0.
double driven_error(const model::Integrator& integrator, double begin = 0) {
  const double k = 4;
  const double a = 1.5;
  const double w = 1.3;
  const double B = a / (k - w * w);
  const auto y = [&](double t) { return (1 - B) * std::cos(2 * t) + B * std::cos(w * t); };
  const auto v = [&](double t) { return -2 * (1 - B) * std::sin(2 * t) - w * B * std::sin(w * t); };
  Flight<1> flight(compile::compile(test::driven().build()), integrator,
                   {{begin, {begin + 3}, {y(begin), v(begin)}, {k, 0, a, w}}});
  flight.integrate();
  return std::abs(flight.at_stop(0, 0)[0] - y(begin + 3));
}

double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

TEST(Rk4, HasOrderFour) {
  EXPECT_NEAR(order(decay_error(model::Rk4{0.1}), decay_error(model::Rk4{0.05}), 2), 4, 0.1);
  EXPECT_NEAR(order(driven_error(model::Rk4{0.1}), driven_error(model::Rk4{0.05}), 2), 4, 0.3);
  EXPECT_NEAR(order(driven_error(model::Rk4{0.1}, 1.7), driven_error(model::Rk4{0.05}, 1.7), 2), 4, 0.3);
}

TEST(Rk4, DividesEachPieceEvenly) {
  Flight<1> flight(compile::compile(test::decay(test::estimated(1), "1").build()), model::Rk4{0.1},
                   {{0, {0.25, 1.25}, {1}, {1}}});
  flight.integrate();
  EXPECT_EQ(flight.record.stop_slot[0], (std::vector<int>{3, 13}));
  EXPECT_NEAR(flight.record.h[0], 0.25 / 3, 1e-16);
  EXPECT_NEAR(flight.record.h[3], 0.1, 1e-16);
}

// With n steps of a method of order 5 the error falls like n^-5, whatever chose the steps.
TEST(Dopri5, HasOrderFive) {
  const auto steps_and_error = [](double rtol) {
    const double k = 4;
    Flight<1> flight(compile::compile(test::driven().build()), model::Dopri5{rtol, rtol},
                     {{0, {20}, {1, 0}, {k, 0, 0, 1}}});
    flight.integrate();
    const double error =
        std::hypot(flight.at_stop(0, 0)[0] - std::cos(40.0), flight.at_stop(0, 0)[1] / 2 + std::sin(40.0));
    return std::pair<double, double>{flight.record.steps[0], error};
  };
  const auto [few, large] = steps_and_error(1e-6);
  const auto [many, small] = steps_and_error(1e-10);
  EXPECT_NEAR(order(large, small, many / few), 5, 0.4);
}

TEST(Dopri5, KeepsItsTolerance) {
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    EXPECT_LE(driven_error(model::Dopri5{rtol, 1e-2 * rtol}), 30 * rtol) << rtol;
    EXPECT_LE(driven_error(model::Dopri5{rtol, 1e-2 * rtol}, 1.7), 30 * rtol) << rtol;
    EXPECT_LE(decay_error(model::Dopri5{rtol, 1e-2 * rtol}), 10 * rtol) << rtol;
  }
}

TEST(Dopri5, LandsOnEveryStop) {
  const std::vector<double> stops{0.1, 0.1000001, 0.7, 2.9, 3};
  Flight<1> flight(compile::compile(test::decay(test::estimated(1), "1").build()), model::Dopri5{},
                   {{0, stops, {2}, {0.8}}});
  flight.integrate();
  ASSERT_EQ(flight.record.stop_slot[0].size(), stops.size());
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(flight.at_stop(0, k)[0], 2 * std::exp(-0.8 * stops[k]), 1e-7) << k;
}

TEST(Dopri5, FollowsARightHandSideThatJumps) {
  test::Builder builder(test::Equations{{"x", "piecewise(1, t < 1, -2)"}});
  builder.observable("x", "x", "1").experiment("default", {"0"});
  Flight<1> flight(compile::compile(builder.build()), model::Dopri5{}, {{0, {3}, {0}, {}}});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok());
  EXPECT_NEAR(flight.at_stop(0, 0)[0], -3, 1e-6);
}

TEST(Integrator, AutoGoesOnWithAMethodForStiffEquationsAtItsTolerances) {
  EXPECT_EQ(for_stiff(model::AutoIntegrator{1e-5, 1e-7}), model::Integrator(model::Rodas5p{1e-5, 1e-7}));
  EXPECT_EQ(for_stiff(model::Rk4{0.2}), model::Integrator(model::Rk4{0.2}));
  EXPECT_EQ(name_in_use(model::AutoIntegrator{}), "dopri5");
}

TEST(Tolerances, BecomeNoFinerThanOneLikes) {
  EXPECT_EQ(no_finer(model::Dopri5{1e-8}, 1e-5), model::Integrator(model::Dopri5{1e-5}));
  EXPECT_EQ(no_finer(model::Rodas5p{1e-8, 1e-9}, 1e-6), model::Integrator(model::Rodas5p{1e-6, 1e-9}));
  EXPECT_EQ(no_finer(model::AutoIntegrator{1e-4, 1e-3}, 1e-5), model::Integrator(model::AutoIntegrator{1e-4, 1e-3}));
  EXPECT_EQ(no_finer(model::Rk4{0.2}, 1e-5), model::Integrator(model::Rk4{0.2}));
  EXPECT_EQ(no_finer(model::Dopri5{1e-8}, 0), model::Integrator(model::Dopri5{1e-8}));
  EXPECT_NEAR(steps_saved(model::Dopri5{1e-10}, 1e-5), 10, 1e-12);
  EXPECT_EQ(steps_saved(model::Dopri5{1e-4}, 1e-5), 1);
  EXPECT_EQ(steps_saved(model::Rk4{0.2}, 1e-5), 1);
}

}  // namespace
}  // namespace salvo::integrate
