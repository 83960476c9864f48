#include "shooting/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/problems.hpp"

namespace salvo::shooting {
namespace {

// exp(-k t), asked for more often than a trajectory may take steps of its own.
TEST(Trajectory, MayBeAskedForAtMoreTimesThanItMayTakeSteps) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).experiment(model::default_experiment, {"1"});
  const auto model = compile::compile(builder.build());
  std::vector<double> times;
  for (int i = 1; i <= integrate::default_max_steps + 10'000; ++i) times.push_back(1e-5 * i);
  const double x[] = {1};
  const double p[] = {0.7};
  const Trajectory found = trajectory(*model, model::AutoIntegrator{}, {}, x, p, times);
  ASSERT_TRUE(found.ending.ok());
  ASSERT_EQ(found.time.size(), times.size());
  EXPECT_NEAR(found.states.data.back(), std::exp(-0.7 * times.back()), 1e-9);
}

}  // namespace
}  // namespace salvo::shooting
