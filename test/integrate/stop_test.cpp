#include <gtest/gtest.h>

#include "flight.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::Flight;

const std::vector<model::Integrator> stopped_integrators{model::Dopri5{}, model::Rk4{1e-3}, model::Rodas5p{},
                                                         model::Cvodes{}};

TEST(Stop, EndsEveryIntegratorBeforeItsEnd) {
  for (const model::Integrator& integrator : stopped_integrators) {
    SCOPED_TRACE(name_in_use(integrator));
    Flight<1> flight(compile::compile(test::predator_prey()), integrator, {{0, {5, 10}, {0.4, 1}, {1, 1, 1, 1}}});
    StopFlag stop;
    flight.launch.stop = &stop;
    flight.integrate();
    if (flight.record.ending[0].outcome == Outcome::not_built_in) continue;
    ASSERT_TRUE(flight.record.ending[0].ok());
    const int steps = flight.record.steps[0];
    stop.raise();
    flight.integrate();
    EXPECT_EQ(flight.record.ending[0].outcome, Outcome::stopped);
    EXPECT_LT(flight.record.steps[0], steps / 4);
    EXPECT_TRUE(flight.record.stop_slot[0].empty());
    EXPECT_EQ(describe(flight.record.ending[0], flight.model->state_names), "the run was told to stop");
  }
}

TEST(Stop, EndsLanesSideBySide) {
  Flight<4> flight(compile::compile(test::predator_prey()), model::Dopri5{},
                   {{0, {5}, {0.4, 1}, {1, 1, 1, 1}}, {0, {9}, {0.5, 1}, {1, 1, 1, 1}}});
  StopFlag stop;
  stop.raise();
  flight.launch.stop = &stop;
  flight.integrate();
  for (int l = 0; l < 2; ++l) EXPECT_EQ(flight.record.ending[l].outcome, Outcome::stopped);
}

// Events that act at one time may be very many, each of which looks at all conditions.
TEST(Stop, EndsEventsThatActAtOneTime) {
  for (const model::Integrator& integrator : stopped_integrators) {
    SCOPED_TRACE(name_in_use(integrator));
    test::Builder builder = test::decay(test::estimated(1), std::string("1"));
    for (int i = 0; i < 50; ++i)
      builder.event_when("t >= 0", {{0, "x + 1"}}).false_before_start().event_at({"0"}, {{0, "x + 1"}});
    Flight<1> flight(compile::compile(builder.build()), integrator, {{0, {5}, {1}, {1}}});
    StopFlag stop;
    flight.launch.stop = &stop;
    flight.integrate();
    if (flight.record.ending[0].outcome == Outcome::not_built_in) continue;
    ASSERT_TRUE(flight.record.ending[0].ok());
    ASSERT_EQ(flight.record.jumps[0].size(), 100U);
    stop.raise();
    flight.integrate();
    EXPECT_EQ(flight.record.ending[0].outcome, Outcome::stopped);
    EXPECT_LE(flight.record.jumps[0].size(), 1U);
  }
}

TEST(Stop, EndsSweepsToo) {
  for (const model::Integrator& integrator :
       {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
    SCOPED_TRACE(name_in_use(integrator));
    Flight<1> flight(compile::compile(test::predator_prey()), integrator, {{0, {10}, {0.4, 1}, {1, 1, 1, 1}}});
    StopFlag stop;
    flight.launch.stop = &stop;
    flight.integrate();
    stop.raise();
    int reached = 0;
    const std::vector<Seed> seeds = unit_seeds(*flight.model);
    Seeds<1> all{.columns = {flight.model->states + flight.model->active}, .of_lane = {seeds}};
    tangent<1>(
        *flight.model, integrator, flight.launch, flight.record, all,
        [&reached](int, int, const double*) { ++reached; }, flight.scratch);
    EXPECT_EQ(reached, 0);
  }
}

}  // namespace
}  // namespace salvo::integrate
