#include "fit/places.hpp"

#include <gtest/gtest.h>

#include "fit/simulate.hpp"
#include "helpers/field_problems.hpp"

namespace salvo::fit {
namespace {

TEST(Places, AreReadByObservablesBehindThoseOfTheProblem) {
  test::FieldBuilder builder({.from = 0, .to = 1, .cells = 10});
  builder.parameter("D", test::within(0.1, 0, 1)).field({"u", "D*dxx(u)", "1 + x"});
  builder.observable("twice", "2*u").observable("amount", "integral(u, x)").measure(0, 0, 2, 0.5);
  const model::Problem problem = builder.build();
  EXPECT_EQ(observables_of_places(problem), std::vector<int>{0});
  const std::vector<Place> places{{0.25, 0}, {0.75, 0}};
  const model::Problem read = read_at(problem, places);
  ASSERT_EQ(read.observables.size(), 2 + 2 * places.size());  // the field, then what has another value at each place
  EXPECT_EQ(read.states.size(), problem.states.size());
  EXPECT_EQ(read.measurements.size(), problem.measurements.size());
}

// u stays 1 + x where nothing moves it, also where u itself is an observable of which no place is known.
TEST(Places, HaveTheValuesThatFieldsHaveThere) {
  test::FieldBuilder builder({.from = 0, .to = 1, .cells = 10});
  builder.parameter("k", test::within(0.5, 0, 1)).field({"u", "k*(u - 1 - x)", "1 + x"}).observable("seen", "u");
  builder.measure(0, 0, 2, 0.5);
  const SimulateResult result = simulate(builder.build(), {.at = {1}, .places = {{0.25, 0}, {0.75, 0}}});
  ASSERT_TRUE(result.ok) << result.message;
  ASSERT_EQ(result.experiments.size(), 1u);
  const Matrix& seen = result.experiments[0].observables;  // the observable itself, then the field and it at each place
  ASSERT_EQ(seen.rows, 5);
  const std::vector<double> expected{1.5, 1.25, 1.25, 1.75, 1.75};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(seen(k, 0), expected[k], 1e-7) << k;
}

}  // namespace
}  // namespace salvo::fit
