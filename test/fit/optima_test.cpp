#include "results/optima.hpp"

#include "fits.hpp"

namespace salvo::fit {
namespace {

// x = cos(w t) is the same for w and -w: two optima with one objective.
TEST(DistinctOptima, AMirroredFrequencyIsAnotherOptimum) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::within(1.1, -3, 3)).observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, 0.4 * j, std::cos(0.4 * j));
  const FitResult result = test::fit_of(builder.build(), {.starts = 8, .seed = 2});
  const auto optima = distinct_optima(result.starts);
  ASSERT_GE(optima.size(), 2U) << result.message;
  EXPECT_NEAR(optima[0].parameters[0].second, 1, 1e-6);  // nearer to the guess
  EXPECT_NEAR(optima[1].parameters[0].second, -1, 1e-6);
  EXPECT_NEAR(optima[0].objective, optima[1].objective, 1e-6);
  EXPECT_TRUE(optima[0].is_one_point);
}

}  // namespace
}  // namespace salvo::fit
