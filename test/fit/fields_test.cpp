#include <gtest/gtest.h>

#include <cmath>

#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/grid_error.hpp"
#include "wave.hpp"

// Fits of fields: estimates, and what the cells have done to them.
namespace salvo::fit {
namespace {

using model::BoundaryKind;
using test::FieldBuilder;
using test::measure;
using test::wave;
using test::wave_places;
using test::wave_times;
using test::with_data;

TEST(FitOfFields, FindsDiffusionAndGrowthFromFarAway) {
  FieldBuilder fine = wave(400, 0.25, 1.1);
  measure(fine, wave_places, wave_times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  FieldBuilder start = wave(200, 0.05, 3);
  measure(start, wave_places, wave_times);
  const model::Problem problem = with_data(start.build(), exact, 0.02);
  const FitResult result = fit(problem, {}, {});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.parameters[0].estimate, 0.25, 4 * *result.parameters[0].standard_error);
  EXPECT_NEAR(result.parameters[1].estimate, 1.1, 4 * *result.parameters[1].standard_error);
  ASSERT_TRUE(result.grid_error);
  EXPECT_LT(result.grid_error->largest, GridError::worth_telling);
}

// On coarse cells that resolve the front the estimates are off by what is told: as found by a fit on fine cells.
TEST(FitOfFields, TellsWhatCoarseCellsHaveDone) {
  FieldBuilder fine = wave(640, 0.25, 1.1);
  measure(fine, wave_places, wave_times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  const auto fitted = [&](int cells) {
    FieldBuilder start = wave(cells, 0.25, 1.1);
    measure(start, wave_places, wave_times);
    return fit(with_data(start.build(), exact, 0.02), {}, {});
  };
  const FitResult coarse = fitted(80);
  const FitResult reference = fitted(640);
  ASSERT_TRUE(coarse.grid_error && !coarse.grid_error->parameters.empty());
  for (int k = 0; k < 2; ++k) {
    const double shift = coarse.parameters[k].estimate - reference.parameters[k].estimate;
    const double told = coarse.grid_error->parameters[k].shift;
    EXPECT_GT(told / shift, 1.0 / 3) << k;  // 40 and 80 cells are not yet where the order holds
    EXPECT_LT(told / shift, 3) << k;
  }
  EXPECT_GT(coarse.grid_error->largest, 5 * reference.grid_error->largest);
}

// Halves of a few cells would say nothing: the error is told by finer grids, and Richardson's rule holds there.
TEST(FitOfFields, TellsWhatVeryFewCellsHaveDone) {
  FieldBuilder fine = wave(640, 0.25, 1.1);
  measure(fine, wave_places, wave_times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  FieldBuilder start = wave(12, 0.25, 1.1);
  measure(start, wave_places, wave_times);
  const FitResult few = fit(with_data(start.build(), exact, 0.02), {}, {});
  ASSERT_TRUE(few.grid_error && few.grid_error->parameters.size() == 2u) << few.message;
  EXPECT_TRUE(few.grid_error->spoils_answer());
  EXPECT_NE(few.message.find("estimates of the grid"), std::string::npos) << few.message;
  for (int k = 0; k < 2; ++k) {
    const double shift = few.parameters[k].estimate - (k == 0 ? 0.25 : 1.1);
    EXPECT_GT(few.grid_error->parameters[k].shift / shift, 1.0 / 3) << k;
    EXPECT_LT(few.grid_error->parameters[k].shift / shift, 3) << k;
  }
}

TEST(FitOfFields, ExtrapolatesWhereTheOrderOfTheSchemeIsSeen) {
  FieldBuilder builder = wave(320, 0.25, 1.1);
  measure(builder, wave_places, wave_times);
  const model::Problem problem = builder.build();
  FieldBuilder fine = wave(640, 0.25, 1.1);
  measure(fine, wave_places, wave_times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  const FitResult result = fit(with_data(problem, exact, 0.02), {}, {});
  ASSERT_TRUE(result.grid_error);
  EXPECT_NEAR(result.grid_error->order, 2, 0.3);
  for (const auto& parameter : result.grid_error->parameters) EXPECT_TRUE(parameter.has_order) << parameter.id;
}

// Nodes would be as many unknowns as cells each.
TEST(FitOfFields, IsDoneAlongUnbrokenTrajectories) {
  FieldBuilder builder = wave(40, 0.25, 1.1);
  builder.state("tank", "-r*tank", "2").observable("level", "tank", "0.1");
  for (int i = 1; i < 8; ++i) builder.measure(1, 0.4 * i, 2 * std::exp(-0.44 * i));
  measure(builder, wave_places, wave_times);
  const model::Problem problem = builder.build();
  const EvaluateResult exact = evaluate(problem, {});
  const FitResult result = fit(with_data(problem, exact, 0.02), {}, {});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.nodes, 2);  // both ends of one interval
}

// Derivatives of the rows by differences of the rows, with a boundary value that is estimated.
TEST(FitOfFields, HasTheDerivativesOfItsRows) {
  FieldBuilder builder({.from = 0, .to = 1, .cells = 30});
  builder.parameter("D", test::within(0.1, 0, 1))
      .parameter("g", test::within(1.3, 0, 3))
      .parameter("v", test::within(0.4, 0, 3));
  builder.field({"u",
                 "D*dxx(u) - v*dx(u)",
                 "g*exp(-5*x)",
                 {BoundaryKind::value, {"g*(1 + piecewise(0, t < 0.35, 0.5))"}},
                 {BoundaryKind::gradient, {"0"}}});
  builder.observable("u", "u", "0.1").observable("amount", "integral(u, x, 0, 0.517)", "0.1");
  builder.measure(0, 0.3, 1, 0.512).measure(0, 0.5, 1, 0).measure(0, 0.5, 1, 1).measure(1, 0.5, 1);
  const model::Problem problem = builder.build();
  const EvaluateResult exact = evaluate(problem, {.jacobian = true, .integrator = model::Rodas5p{1e-11}});
  ASSERT_TRUE(exact.ok) << exact.message;
  const std::vector<std::pair<std::string, double>> values{{"D", 0.1}, {"g", 1.3}, {"v", 0.4}};
  for (int k = 0; k < 3; ++k) {
    const double h = 1e-4;
    const auto at = [&](double step) {
      return evaluate(problem, {.jacobian = true,
                                .integrator = model::Rodas5p{1e-11},
                                .values = {{values[k].first, values[k].second + step}}});
    };
    const EvaluateResult up = at(h);
    const EvaluateResult down = at(-h);
    for (int i = 0; i < exact.jacobian.rows; ++i)
      EXPECT_NEAR(exact.jacobian(i, k), (up.rows[i] - down.rows[i]) / (2 * h),
                  2e-6 * (1 + std::abs(exact.jacobian(i, k))));
  }
}

// What is predicted moves by its derivatives, whatever the noise is.
TEST(FitOfFields, HasTheDerivativesOfItsPredictions) {
  FieldBuilder builder = wave(40, 0.25, 1.1);
  measure(builder, {0, 1.3, 10}, {0.5, 2});
  const model::Problem problem = builder.build();
  const auto at = [&](double D) {
    return evaluate(problem, {.prediction_jacobian = true, .integrator = model::Rodas5p{1e-11}, .values = {{"D", D}}});
  };
  const double h = 1e-4;
  const EvaluateResult here = at(0.25);
  const EvaluateResult up = at(0.25 + h);
  const EvaluateResult down = at(0.25 - h);
  ASSERT_EQ(here.prediction_jacobian.rows, 6);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(here.prediction_jacobian(i, 0),
                (up.simulations[i].simulation - down.simulations[i].simulation) / (2 * h), 1e-6);
}

}  // namespace
}  // namespace salvo::fit
