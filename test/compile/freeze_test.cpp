#include "compile/freeze.hpp"

#include <gtest/gtest.h>

#include "compile/compiled_model.hpp"
#include "helpers/problems.hpp"

namespace salvo::compile {
namespace {

using test::Builder;

Builder two_states(const std::string& x, const std::string& y) {
  Builder builder({{"x", x}, {"y", y}});
  builder.parameter("p", test::estimated(1)).parameter("tau", test::estimated(2));
  builder.observable("seen", "x", "1").experiment(model::default_experiment, {test::estimated(0), test::estimated(0)});
  return builder;
}

TEST(Freeze, EqualRelationsAndTheirNegationsAreOneSwitch) {
  const auto model = compile(two_states("piecewise(1, t > tau, 0) + piecewise(x, t <= tau, 2)",
                                        "piecewise(3, tau < t, y) + piecewise(1, !(t > tau), 0)")
                                 .build());
  ASSERT_TRUE(model->discontinuities);
  EXPECT_EQ(model->discontinuities->truths, 1);
  EXPECT_TRUE(model->discontinuities->functions[0].is_timed);
  EXPECT_EQ(model->discontinuities->functions[0].text, "tau < t");
  EXPECT_EQ(model->parameters, 3);
  EXPECT_TRUE(model->rhs_uses[1]) << "what moves a switch acts";
}

TEST(Freeze, InputsAreWrittenAsTheUserNamesThem) {
  Builder builder = two_states("piecewise(1, u > x, 0)", "p*w");
  builder.input("u", model::Interpolation::linear, {0, 1, 2}, {1, 5, 2});
  builder.input("w", model::Interpolation::constant, {0, 1}, {1, 5});
  builder.input("unused", model::Interpolation::cubic, {0, 1}, {1, 5});
  const auto model = compile(builder.build());
  const auto& functions = model->discontinuities->functions;
  ASSERT_EQ(functions.size(), 3U) << "a condition, and two inputs that drive the equations";
  EXPECT_EQ(functions[0].text, "x < u");
  EXPECT_FALSE(functions[0].is_timed);
  EXPECT_EQ(functions[1].input, 0);
  EXPECT_EQ(functions[2].input, 1);
  EXPECT_TRUE(functions[2].is_fixed());
  EXPECT_EQ(model->parameters, 2 + 1 + 3 + 1 + 5);
  EXPECT_EQ(model->active, 2);
}

TEST(Freeze, TimesAreKnownBeforehandOnlyWhereTheyAreLinearAndFreeOfStates) {
  const auto model = compile(two_states("piecewise(1, 2*t/p > tau + 1, 0) + piecewise(1, sin(t) > p, 0)",
                                        "min(x, p) + abs(y) + piecewise(1, t > x, 0)")
                                 .build());
  std::vector<bool> timed;
  for (const SwitchingFunction& function : model->discontinuities->functions) timed.push_back(function.is_timed);
  EXPECT_EQ(std::count(timed.begin(), timed.end(), true), 1);
  EXPECT_EQ(timed.size(), 5U);
  EXPECT_EQ(model->discontinuities->watched.size(), 4U);
}

TEST(Freeze, WhatDependsOnParametersAloneDoesNotSwitch) {
  EXPECT_FALSE(compile(two_states("piecewise(x, p > tau, 0) - max(p, 2)*x", "abs(p)*y").build())->discontinuities);
}

// f with the truth values of a point is the right-hand side as it was written, there.
TEST(Freeze, FrozenFormulasAreTheFormulasWhereTruthValuesAreRight) {
  const auto model = compile(two_states("piecewise(x, x > y && t < tau, -y) + sign(x - p)",
                                        "min(x, y) - max(abs(x), t)*piecewise(2, x < piecewise(p, t > tau, y), 5)")
                                 .build());
  std::vector<double> work(model->largest_work()), f(2 + model->kept);
  for (const double t : {0.3, 2.7})
    for (const double x : {-1.1, 0.4, 1.9})
      for (const double y : {-0.6, 0.8}) {
        const std::vector<double> state{x, y};
        std::vector<double> p(model->parameters, 0.0);
        p[0] = 1.3, p[1] = 2;
        const Arguments at{.time = &t, .state = state.data(), .parameter = p.data()};
        model->set_frozen<1>(0, at, work.data(), p.data());
        model->rhs.run<1>(at, work.data(), f.data());
        EXPECT_DOUBLE_EQ(f[0], (x > y && t < 2 ? x : -y) + (x > 1.3 ? 1 : -1));
        const double limit = t > 2 ? 1.3 : y;
        EXPECT_DOUBLE_EQ(f[1], std::min(x, y) - std::max(std::abs(x), t) * (x < limit ? 2 : 5));
      }
}

}  // namespace
}  // namespace salvo::compile
