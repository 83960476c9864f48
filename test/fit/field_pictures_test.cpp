#include "fit/field_pictures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/fit.hpp"
#include "wave.hpp"

namespace salvo::fit {
namespace {

using test::FieldBuilder;
using test::measure;
using test::wave;
using test::wave_places;
using test::wave_times;
using test::with_data;

// Pictures hold what a solution at the same places and times says, and bands what the covariance makes of it.
TEST(FieldPictures, AreOfTheSolution) {
  FieldBuilder builder = wave(80, 0.25, 1.1);
  builder.observable("twice", "2*u", "0.05");
  measure(builder, wave_places, wave_times);
  builder.measure(1, 2, 0.3, 4.2);
  const model::Problem start = builder.build();
  const EvaluateResult exact = evaluate(start, {});
  const FitResult result = fit(with_data(start, exact, 0.02), {}, {});
  ASSERT_EQ(result.field_pictures.size(), 2u) << result.message;
  const FieldPicture& density = result.field_pictures[0];
  const FieldPicture& twice = result.field_pictures[1];
  ASSERT_EQ(density.profiles.size(), wave_times.size());
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
  EXPECT_EQ(density.film.front().value.size(), wave_times.size());
  EXPECT_NE(density.film.front().value[2][17], last.value[17]);
  const std::size_t at_two = 40;  // of 61 times from 0 to 3
  EXPECT_NEAR(density.time[at_two], 2, 1e-12);
  EXPECT_NEAR(density.map[at_two][17], last.value[17], 1e-5);
}

TEST(FieldPictures, AreNoneWhereNothingIsMeasuredAtPlaces) {
  FieldBuilder builder = wave(40, 0.25, 1.1);
  builder.observable("all", "integral(u, x)", "0.1").measure(1, 1, 2).measure(1, 2, 3).measure(1, 3, 5);
  const FitResult result = fit(builder.build(), {}, {});
  EXPECT_TRUE(result.field_pictures.empty());
}

}  // namespace
}  // namespace salvo::fit
