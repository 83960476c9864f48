#include "salvo/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "salvo/fit.hpp"
#include "salvo/read.hpp"

namespace salvo {
namespace {

// Two states, two experiments, an unknown beginning.
ProblemBuilder relaxing() {
  ProblemBuilder builder;
  const Formula k = builder.parameter("k", {.guess = 0.8, .lower = 0, .upper = 100});
  const Formula dose = builder.parameter("dose", 1.0);
  const Formula x = builder.state("x");
  const Formula y = builder.state("y");
  builder.equation(x, -k * x).equation(y, k * x - 0.5 * y);
  builder.initial(x, dose).initial(y, Estimated{.guess = 0.1});
  builder.observable("seen", y, {.noise = 0.05});
  builder.experiment("low").experiment("high", {.set = {{dose, 3}}});
  return builder;
}

TEST(ProblemBuilder, GivesTheFitOfTheSameFile) {
  ProblemBuilder builder = relaxing();
  std::string data = "time,experiment,seen\n";
  for (const char* experiment : {"low", "high"})
    for (int i = 1; i <= 6; ++i) {
      const double value = (experiment[0] == 'l' ? 0.125 : 0.375) * (8 - i);
      builder.measure("seen", i, value, {.experiment = experiment});
      data += std::to_string(i) + "," + experiment + "," + std::to_string(value) + "\n";
    }
  const auto built = builder.build();
  ASSERT_TRUE(built) << to_string(built.issues().front());
  const formats::Folder folder({{"data.csv", data}});
  const auto read = formats::read_problem_text(
      "equations: {x: -k*x, y: k*x - 0.5*y}\nparameters: {k: {guess: 0.8, bounds: [0, 100]}, dose: 1}\n"
      "initial: {x: dose, y: {guess: 0.1}}\nobservables: {seen: {formula: y, noise: 0.05}}\n"
      "experiments: {low: {}, high: {set: {dose: 3}}}\ndata: data.csv\n",
      folder / "model.yaml");
  ASSERT_TRUE(read) << to_string(read.issues().front());
  const FitResult a = fit::fit(*built, {}, {});
  const FitResult b = fit::fit(*read, {}, {});
  EXPECT_EQ(a.status, b.status);
  ASSERT_EQ(a.parameters.size(), 1u);
  ASSERT_EQ(a.initial.size(), 2u);  // y in both experiments
  EXPECT_NEAR(a.parameters[0].estimate, b.parameters[0].estimate, 1e-7);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(a.initial[i].estimate, b.initial[i].estimate, 1e-7);
  EXPECT_NEAR(a.llh, b.llh, 1e-9);
}

TEST(ProblemBuilder, SaysEverythingThatIsWrong) {
  ProblemBuilder builder;
  const Formula x = builder.state("x");
  builder.state("x");
  builder.state("2x");
  const Formula k = builder.parameter("exp", {.guess = 3, .lower = 4});
  builder.equation(k, 1).initial(x, x).observable("y", x);
  builder.measure("y", -1, 2).measure("z", 1, 2).measure("y", 1, std::numeric_limits<double>::quiet_NaN());
  const auto problem = builder.build();
  ASSERT_FALSE(problem);
  std::string all;
  for (const Issue& issue : problem.issues()) all += issue.message + "\n";
  for (const char* said :
       {"two things are named 'x'", "'2x' cannot be the name of a state", "'exp' has a meaning in formulas",
        "the guess of the parameter 'exp' is 3, outside its bounds 4 and inf", "'exp' has an equation, but is no state",
        "the state 'x' has no equation", "the state '2x' has no initial value",
        "the initial value of x depends on 'x', but may be made of parameters only",
        "a measurement of 'y' at t = -1 is before its experiment starts, at 0",
        "a measurement is of 'z', which is no observable", "a measurement of 'y' is not finite",
        "has no sigma, and its observable no noise"})
    EXPECT_NE(all.find(said), std::string::npos) << said << "\nis not in\n" << all;
}

TEST(ProblemBuilder, RefusesFormulasOfAnother) {
  ProblemBuilder other;
  const Formula foreign = other.state("x");
  ProblemBuilder builder;
  const Formula x = builder.state("x");
  builder.equation(x, foreign).initial(x, 1).observable("y", x, {.noise = 1}).measure("y", 1, 1);
  const auto problem = builder.build();
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues()[0].message, "an equation is made of symbols of another ProblemBuilder");
}

TEST(ProblemBuilder, TakesConstraintsAndEvents) {
  ProblemBuilder builder;
  const Formula k = builder.parameter("k", {.guess = 1});
  const Formula x = builder.state("x");
  builder.equation(x, -k * x).initial(x, 1).observable("y", x, {.noise = 0.1}).measure("y", 3, 0.4);
  builder.at_most(k, 2).event_at({1, 1 + k}, {{x, x + 1}}).event_when(x < 0.1, {{x, 1}});
  const auto problem = builder.build();
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->constraints.size(), 1u);
  EXPECT_EQ(problem->constraints[0].text, "k <= 2");
  ASSERT_EQ(problem->events.size(), 2u);
  EXPECT_EQ(std::get<model::AtTimes>(problem->events[0].trigger).times.size(), 2u);
  EXPECT_EQ(problem->events[1].text, "when x < 0.1");
  EXPECT_EQ(problem->events[1].assignments.at(0).state, 0);
}

// x' = k (u - x) from 0 under u = t is x = t - (1 - exp(-k t))/k, by a table as by the time itself.
TEST(ProblemBuilder, TakesInputsFromTables) {
  ProblemBuilder builder;
  const Formula k = builder.parameter("k", {.guess = 0.3});
  const Formula x = builder.state("x");
  const Formula u = builder.input("u", {{.time = {0, 1, 4}, .value = {0, 1, 4}, .experiment = "ramp"},
                                        {.time = {0}, .value = {2}, .experiment = "step"}});
  builder.equation(x, k * (u - x)).initial(x, 0).observable("y", x, {.noise = 0.01});
  builder.experiment("ramp").experiment("step");
  for (const double t : {1.0, 2.0, 4.0}) {
    builder.measure("y", t, t - (1 - std::exp(-0.7 * t)) / 0.7, {.experiment = "ramp"});
    builder.measure("y", t, 2 * (1 - std::exp(-0.7 * t)), {.experiment = "step"});
  }
  const auto problem = builder.build();
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  const FitResult result = fit::fit(*problem, {}, {});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.parameters[0].estimate, 0.7, 1e-6);
}

TEST(ProblemBuilder, SaysWhatIsWrongWithInputs) {
  const auto issue_of = [](const std::vector<InputRows>& tables) -> std::string {
    ProblemBuilder builder;
    const Formula x = builder.state("x");
    builder.equation(x, builder.input("u", tables) - x).initial(x, 0).observable("y", x, {.noise = 1});
    builder.experiment("a").experiment("b").measure("y", 1, 1, {.experiment = "a"});
    const auto problem = builder.build();
    return problem ? "" : problem.issues().front().message;
  };
  EXPECT_EQ(issue_of({{.time = {0, 1}, .value = {1, 2}}}), "");
  EXPECT_EQ(issue_of({{.time = {0, 1}, .value = {1}}}), "the input 'u' has 2 times and 1 value");
  EXPECT_EQ(issue_of({{.time = {1, 1}, .value = {1, 2}}}), "the times of the input 'u' do not increase");
  EXPECT_EQ(issue_of({{.time = {1}, .value = {std::nan("")}}}), "the input 'u' is not finite everywhere");
  EXPECT_EQ(issue_of({}), "the input 'u' has 0 tables for the experiment 'a'");
  EXPECT_EQ(issue_of({{.time = {0}, .value = {1}, .experiment = "a"}}),
            "the input 'u' has 0 tables for the experiment 'b'");
  EXPECT_EQ(issue_of({{.time = {0}, .value = {1}}, {.time = {0}, .value = {1}, .experiment = "a"}}),
            "the input 'u' has 2 tables for the experiment 'a'");
  EXPECT_EQ(issue_of({{.time = {0}, .value = {1}, .experiment = "c"}}),
            "the input 'u' has a table of 'c', which is no experiment");
}

// One variable that a formula gives, and one that none does.
TEST(ProblemBuilder, TakesAlgebraicEquations) {
  ProblemBuilder builder;
  const Formula k = builder.parameter("k", {.guess = 1});
  const Formula x = builder.state("x");
  const Formula y = builder.variable("y");
  const Formula z = builder.variable("z", 0.5);
  builder.equation(x, -k * z).algebraic(y, x + y - 3).algebraic(z, z * z + z - y * k).initial(x, 2);
  builder.observable("seen", y + z, {.noise = 0.1}).measure("seen", 1, 0.74).measure("seen", 2, 0.27);
  const Result<model::Problem> problem = builder.build();
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->states.size(), 2u);
  EXPECT_TRUE(problem->states[1].is_algebraic);
  EXPECT_EQ(expression::print(problem->graph, problem->observables[0].formula), "3 - x + z");
  EXPECT_EQ(problem->graph[std::get<expression::NodeId>(problem->experiments[0].initial[1])].value, 0.5);
}

// A capacitor between two resistors: C (y1' - y2') = -(y1 - u)/R, and the sum of the currents is 0. With w = y1 - y2,
// y1 - u + y2 = 0 and R C w' = u - y1 = y2, so that y2 = (u - w)/2 and w = u + (w0 - u) e^(-t/(2 R C)).
TEST(ProblemBuilder, TakesMass) {
  ProblemBuilder builder;
  const Formula C = builder.parameter("C", {.guess = 0.7});
  const Formula y1 = builder.state("y1");
  const Formula y2 = builder.state("y2");
  const Formula u = builder.parameter("u", 2);
  builder.equation(y1, u - y1).equation(y2, -y2);
  builder.mass(y1, {{y1, C}, {y2, -C}}).mass(y2, {{y1, -C}, {y2, C}});
  builder.initial(y1, 0.5).initial(y2, 1.2);
  builder.observable("seen", y2, {.noise = 0.1}).measure("seen", 1, 0.74).measure("seen", 2, 0.27);
  const Result<model::Problem> problem = builder.build();
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->states.size(), 1u);
  EXPECT_EQ(problem->states[0].id, "mass_y1");
  const fit::EvaluateResult at = fit::evaluate(*problem, {});
  for (std::size_t i = 0; i < 2; ++i) {
    const double w = 2 + (0.5 - 1.2 - 2) * std::exp(-problem->measurements[i].time / (2 * 0.7));
    EXPECT_NEAR(at.simulations[i].simulation, (2 - w) / 2, 1e-7);
  }
}

TEST(ProblemBuilder, SaysWhatAMassLacks) {
  const auto issue = [](const auto& put) {
    ProblemBuilder builder;
    const Formula x = builder.state("x");
    const Formula y = builder.state("y");
    builder.equation(x, y - x).equation(y, x - y).initial(x, 1);
    builder.observable("seen", x, {.noise = 0.1}).measure("seen", 1, 1);
    put(builder, x, y);
    const auto problem = builder.build();
    return problem ? std::string() : problem.issues().front().message;
  };
  using F = const Formula&;
  EXPECT_EQ(issue([](ProblemBuilder& b, F x, F y) {
              b.mass(x, {{y, x}}).initial(y, 1);
            }),
            "the row of x in the mass depends on 'x', but may be made of parameters only");
  EXPECT_EQ(issue([](ProblemBuilder& b, F x, F) {
              b.mass(b.variable("z"), {{x, 1}});
            }),
            "'z' has a row of mass, but is no state");
  EXPECT_NE(issue([](ProblemBuilder& b, F x, F y) {
              b.mass(x, {{x, 1}, {y, 2}}).mass(y, {});
            }).find("no known initial"),
            std::string::npos);
}

TEST(ProblemBuilder, TakesDelaysAndHistories) {
  ProblemBuilder builder;
  const Formula tau = builder.parameter("tau", {.guess = 1, .lower = 0.5, .upper = 2});
  const Formula x = builder.state("x");
  builder.equation(x, -delay(x, tau)).initial(x, 1).history(x, 1 + builder.time());
  builder.observable("seen", x, {.noise = 0.1}).measure("seen", 3, -0.375);
  const auto problem = builder.build();
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(expression::print(problem->graph, problem->states[0].derivative), "-delay(x, tau)");
  EXPECT_NE(problem->states[0].history, expression::no_node);
}

TEST(ProblemBuilder, RefusesDelaysThatMayVanishOrChange) {
  const auto issue = [](double lower, bool of_state) {
    ProblemBuilder builder;
    const Formula tau = builder.parameter("tau", {.guess = 1, .lower = lower, .upper = 2});
    const Formula x = builder.state("x");
    builder.equation(x, -delay(x, of_state ? 1 + x : tau)).initial(x, 1);
    builder.observable("seen", x, {.noise = 0.1}).measure("seen", 3, -0.375);
    const auto problem = builder.build();
    return problem ? "" : problem.issues().front().message;
  };
  EXPECT_EQ(issue(0, false), "tau is a delay, and its bounds do not keep it above 0");
  EXPECT_EQ(issue(0.5, true), "a delay depends on 'x'");
}

TEST(ProblemBuilder, SaysWhatAnAlgebraicEquationLacks) {
  ProblemBuilder builder;
  const Formula x = builder.state("x");
  const Formula y = builder.variable("y");
  builder.equation(x, -x).algebraic(y, x - 3).initial(x, 2).observable("seen", x, {.noise = 0.1}).measure("seen", 1, 1);
  const Result<model::Problem> problem = builder.build();
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues().front().message, "'y' is in none of the algebraic equations: nothing determines it");
}

}  // namespace
}  // namespace salvo
