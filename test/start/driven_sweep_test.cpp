#include "start/driven_sweep.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"

namespace salvo::start {
namespace {

// x' = -k x, simulated, and y' = x, given as y = 7 throughout; k = 2.
struct Decay {
  Decay() {
    test::Builder builder(test::Equations{{"x", "-k*x"}, {"y", "x"}});
    builder.parameter("k", test::estimated(2)).observable("see", "y", "0.1");
    builder.experiment("default", {test::estimated(1), test::estimated(1)}).measure(0, 0, 1, 1);
    sample.problem = builder.build();
    problem = test::lay_out(sample, {});
    values = problem->values_of(0, {2, 1, 7}, true);
    mesh.time = {0, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7};
    mesh.stops = {0, 0.4, 0.7};
    mesh.steps_until = {0, 2, 3};
    mesh.simulated = {1, 0};
    mesh.restarted = {0, 0};
    mesh.restart_at = {0, 0, 0};
    for (std::size_t k = 0; k < mesh.time.size(); ++k) mesh.driver.insert(mesh.driver.end(), {0, 7});
    pattern = tangent_pattern(problem->model(), values, 1, 3, mesh.simulated, {1, 0});
  }
  test::Sample sample{"", {}, model::SingleInterval{}};
  std::unique_ptr<shooting::ShootingProblem> problem;
  shooting::ExperimentValues values;
  DrivenStates::Mesh mesh;
  TangentPattern pattern;
};

// A step h of the classical method multiplies x by 1 + z + z^2/2 + z^3/6 + z^4/24, z = -k h.
double growth(double z) { return 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))); }
double growth_slope(double z) { return 1 + z * (1 + z / 2 * (1 + z / 3)); }

TEST(DrivenSweep, TakesTheStepsOfTheClassicalMethod) {
  Decay decay;
  DrivenRecord record(3, 2, decay.pattern.entries());
  DrivenSweep<1> sweep(decay.problem->model(), decay.mesh, decay.values, decay.pattern, 1, record);
  ASSERT_TRUE(sweep.run(std::vector<DrivenSweep<1>::Part>{{0, 2}}));
  const double first = growth(-0.4) * growth(-0.4);
  const double second = first * growth(-0.6);
  EXPECT_NEAR(record.x[2], first, 1e-15);
  EXPECT_NEAR(record.x[4], second, 1e-15);
  EXPECT_EQ(record.x[3], 7);
  EXPECT_NEAR(record.increments[2], first - 1, 1e-15);
  EXPECT_NEAR(record.increments[5], -(second - first) / 2, 1e-15);  // y' = x = -x'/k
}

TEST(DrivenSweep, DifferentiatesTheStepsItTakes) {
  Decay decay;
  DrivenRecord record(3, 2, decay.pattern.entries());
  DrivenSweep<1> sweep(decay.problem->model(), decay.mesh, decay.values, decay.pattern, 1, record);
  ASSERT_TRUE(sweep.run(std::vector<DrivenSweep<1>::Part>{{0, 2}}));
  const auto tangent = [&](int stop, int unknown) {
    return record.tangent[stop * record.entries + decay.pattern.place(0, unknown)];
  };
  EXPECT_NEAR(tangent(1, 0), 2 * growth(-0.4) * growth_slope(-0.4) * -0.2, 1e-15);  // by k
  EXPECT_NEAR(tangent(1, 1), growth(-0.4) * growth(-0.4), 1e-15);                   // by x(0)
}

TEST(DrivenSweep, EndsWhereAStateIsNoNumber) {
  Decay decay;
  decay.values.s0[0] = HUGE_VAL;
  DrivenRecord record(3, 2, 0);
  const TangentPattern none{.start = {0, 0, 0}};
  DrivenSweep<1> sweep(decay.problem->model(), decay.mesh, decay.values, none, 1, record);
  EXPECT_FALSE(sweep.run(std::vector<DrivenSweep<1>::Part>{{0, 2}}));
  EXPECT_EQ(record.is_there, (std::vector<char>{0, 0, 0}));
}

}  // namespace
}  // namespace salvo::start
