#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "base/random.hpp"
#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/grid_error.hpp"
#include "helpers/field_problems.hpp"

// Fits of fields: estimates, and what the cells have done to them.
namespace salvo::fit {
namespace {

using model::BoundaryKind;
using test::FieldBuilder;

double noise(int i) { return std::sqrt(2.0) * std::sin(12.9898 * i + 4.1 * std::sin(78.233 * i)); }

// u_t = D u_xx + r u (1 - u), measured at some places and times with known noise. Data come from fine cells.
FieldBuilder wave(int cells, double D, double r) {
  FieldBuilder builder({.from = 0, .to = 10, .cells = cells});
  builder.parameter("D", test::within(D, 0, 10)).parameter("r", test::within(r, 0, 10));
  builder.field({"u", "D*dxx(u) + r*u*(1 - u)", "0.8*exp(-x^2/2)"}).observable("density", "u", "0.02");
  return builder;
}

void measure(FieldBuilder& builder, const std::vector<double>& places, const std::vector<double>& times) {
  for (const double t : times)
    for (const double x : places) builder.measure(0, t, 0, x);
}

model::Problem with_data(model::Problem problem, const EvaluateResult& exact, double sigma) {
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation + sigma * noise(static_cast<int>(i));
  return problem;
}

const std::vector<double> places{0, 0.7, 1.5, 2.2, 3.1, 4, 5.3, 6.6, 8, 10};
const std::vector<double> times{0.5, 1, 2, 3};

TEST(FitOfFields, FindsDiffusionAndGrowthFromFarAway) {
  FieldBuilder fine = wave(400, 0.25, 1.1);
  measure(fine, places, times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  FieldBuilder start = wave(200, 0.05, 3);
  measure(start, places, times);
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
  measure(fine, places, times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  const auto fitted = [&](int cells) {
    FieldBuilder start = wave(cells, 0.25, 1.1);
    measure(start, places, times);
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
  measure(fine, places, times);
  const EvaluateResult exact = evaluate(fine.build(), {});
  ASSERT_TRUE(exact.ok) << exact.message;
  FieldBuilder start = wave(12, 0.25, 1.1);
  measure(start, places, times);
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
  measure(builder, places, times);
  const model::Problem problem = builder.build();
  FieldBuilder fine = wave(640, 0.25, 1.1);
  measure(fine, places, times);
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
  measure(builder, places, times);
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

// Pictures hold what a solution at the same places and times says, and bands what the covariance makes of it.
TEST(FitOfFields, HasPicturesOfItsSolution) {
  FieldBuilder builder = wave(80, 0.25, 1.1);
  builder.observable("twice", "2*u", "0.05");
  measure(builder, places, times);
  builder.measure(1, 2, 0.3, 4.2);
  const model::Problem start = builder.build();
  const EvaluateResult exact = evaluate(start, {});
  const FitResult result = fit(with_data(start, exact, 0.02), {}, {});
  ASSERT_EQ(result.field_pictures.size(), 2u) << result.message;
  const FieldPicture& density = result.field_pictures[0];
  const FieldPicture& twice = result.field_pictures[1];
  ASSERT_EQ(density.profiles.size(), times.size());
  ASSERT_EQ(twice.profiles.size(), 1u);
  const FieldPicture::Profile& last = density.profiles[2];
  EXPECT_EQ(last.time, 2);
  FieldBuilder other = wave(80, 0.25, 1.1);
  other.measure(0, 2, 0, density.place[17]);
  const auto solved =
      evaluate(other.build(), {.prediction_jacobian = true,
                               .values = {{"D", result.parameters[0].estimate}, {"r", result.parameters[1].estimate}}});
  EXPECT_NEAR(last.value[17], solved.simulations[0].simulation, 1e-6);
  EXPECT_NEAR(twice.profiles[0].value[17], 2 * last.value[17], 1e-12);
  double variance = 0;
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < 2; ++l)
      variance +=
          solved.prediction_jacobian(0, k) * result.covariance_on_scale(k, l) * solved.prediction_jacobian(0, l);
  EXPECT_NEAR(last.upper[17] - last.value[17], 1.959964 * std::sqrt(variance), 1e-6);
  ASSERT_GE(density.film.size(), 2u);
  EXPECT_EQ(density.film.front().value.size(), times.size());
  EXPECT_NE(density.film.front().value[2][17], last.value[17]);
  const std::size_t at_two = 40;  // of 61 times from 0 to 3
  EXPECT_NEAR(density.time[at_two], 2, 1e-12);
  EXPECT_NEAR(density.map[at_two][17], last.value[17], 1e-5);
}

}  // namespace
}  // namespace salvo::fit
