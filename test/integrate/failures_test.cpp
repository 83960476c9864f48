#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::Equations;
using test::Flight;

std::shared_ptr<const compile::CompiledModel> model_of(const Equations& equations) {
  test::Builder builder(equations);
  std::vector<std::variant<std::string, model::Estimated>> initial(equations.size(), std::string("1"));
  builder.observable("seen", equations[0].first, "1").experiment("default", initial);
  return compile::compile(builder.build());
}

TEST(Failure, APoleIsFoundWhereItIs) {
  Flight<1> flight(model_of({{"calm", "-calm"}, {"wild", "wild^2"}}), model::Dopri5{}, {{0, {0.5, 3}, {1, 1}, {}}});
  flight.integrate();
  const Ending& ending = flight.record.ending[0];
  EXPECT_FALSE(ending.ok());
  EXPECT_NEAR(ending.time, 1, 1e-3);
  EXPECT_EQ(ending.state, 1);
  EXPECT_NEAR(flight.at_stop(0, 0)[1], 2, 1e-6);  // what was reached before stands
  const std::string sentence = describe(ending, flight.model->state_names);
  EXPECT_NE(sentence.find("wild"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("t = 1"), std::string::npos) << sentence;
}

TEST(Failure, PredatorAndPreyAtThePapersGuessHaveTheirPoleAt3306) {
  Flight<1> flight(compile::compile(test::predator_prey()), model::Dopri5{},
                   {{0, {10}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}}});
  flight.integrate();
  EXPECT_NEAR(flight.record.ending[0].time, 3.3064, 1e-3);
}

TEST(Failure, FixedStepsNoticeNumbersThatAreNotFinite) {
  Flight<1> flight(model_of(Equations{{"wild", "wild^2"}}), model::Rk4{0.01}, {{0, {3}, {1}, {}}});
  flight.integrate();
  EXPECT_EQ(flight.record.ending[0].outcome, Outcome::not_finite);
  EXPECT_NEAR(flight.record.ending[0].time, 1, 0.1);
}

TEST(Failure, ARightHandSideThatIsNotANumberEndsTheIntegration) {
  for (const model::Integrator& integrator :
       {model::Integrator(model::Rk4{0.01}), model::Integrator(model::Dopri5{})}) {
    Flight<1> flight(model_of(Equations{{"x", "log(1 - t)"}}), integrator, {{0, {3}, {1}, {}}});
    flight.integrate();
    EXPECT_FALSE(flight.record.ending[0].ok());
    EXPECT_NEAR(flight.record.ending[0].time, 1, 0.02);
    Flight<1> at_once(model_of(Equations{{"x", "sqrt(-x)"}}), integrator, {{0, {3}, {1}, {}}});
    at_once.integrate();
    EXPECT_FALSE(at_once.record.ending[0].ok());
    EXPECT_LE(at_once.record.ending[0].time, 1e-6);
  }
}

TEST(Failure, AnEquationWithoutAFiniteValueIsBlamedBeforeTheStatesThatFollowIt) {
  for (const model::Integrator& integrator :
       {model::Integrator(model::Rk4{0.01}), model::Integrator(model::Dopri5{})}) {
    Flight<1> flight(model_of({{"after", "before - after"}, {"before", "1/(before - before)"}, {"last", "before"}}),
                     integrator, {{0, {3}, {1, 1, 1}, {}}});
    flight.integrate();
    EXPECT_FALSE(flight.record.ending[0].ok());
    EXPECT_EQ(flight.record.ending[0].state, 1);
    EXPECT_EQ(flight.record.ending[0].time, 0);
  }
}

TEST(Failure, TooManyStepsAreGivenUp) {
  Flight<1> fixed(model_of(Equations{{"x", "-x"}}), model::Rk4{0.001}, {{0, {1}, {1}, {}}});
  fixed.launch.max_steps = 500;
  fixed.integrate();
  EXPECT_EQ(fixed.record.ending[0].outcome, Outcome::too_many_steps);
  EXPECT_NEAR(fixed.record.ending[0].time, 0.5, 1e-9);
  Flight<1> stiff(model_of(Equations{{"x", "-1e7*(x - cos(t))"}}), model::Dopri5{}, {{0, {10}, {1}, {}}});
  stiff.integrate();
  EXPECT_EQ(stiff.record.ending[0].outcome, Outcome::too_many_steps);
  EXPECT_NE(describe(stiff.record.ending[0], stiff.model->state_names).find("too many steps"), std::string::npos);
}

TEST(Failure, EveryEndingHasItsSentence) {
  const std::vector<std::string> names{"x"};
  for (const Outcome outcome :
       {Outcome::reached_end, Outcome::step_too_small, Outcome::not_finite, Outcome::equation_not_finite,
        Outcome::too_many_steps, Outcome::stiff, Outcome::no_jacobian, Outcome::not_built_in, Outcome::sliding,
        Outcome::grazing, Outcome::endless_events, Outcome::too_many_jumps, Outcome::stopped})
    EXPECT_FALSE(describe({.outcome = outcome}, names).empty());
}

}  // namespace
}  // namespace salvo::integrate
