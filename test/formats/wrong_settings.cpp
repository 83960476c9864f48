#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

// The mistake is in the lines after the good problem.
WrongInput setting(std::string name, const std::string& lines, int line, int column, std::string message,
                   std::string hint = {}) {
  return in_problem(std::move(name), longer(lines), line, column, std::move(message), std::move(hint));
}

}  // namespace

std::vector<WrongInput> wrong_settings() {
  return {
      setting("StartThatIsNotANumber", "start: now\n", 16, 8, "'start' must be a number"),
      setting("UnknownNodes", "shooting: {nodes: often}\n", 16, 19, "'often' does not say", "measurements"),
      setting("HalfAnInterval", "shooting: {nodes: 2.5}\n", 16, 19, "'2.5' does not say"),
      setting("NodesThatDoNotIncrease", "shooting: {nodes: [0, 2, 1]}\n", 16, 26, "must increase: 1 follows 2"),
      setting("NoNodes", "shooting: {nodes: []}\n", 16, 19, "empty", "auto"),
      setting("UnknownStartOfNodes", "shooting: {start: dta}\n", 16, 19, "unknown start 'dta'", "did you mean 'data'?"),
      setting("UnknownOptionOfShooting", "shooting: {node: 3}\n", 16, 12, "unknown option 'node'", "'nodes'"),
      setting("ShootingThatIsAText", "shooting: single\n", 16, 11, "must be a map"),
      setting("UnknownMethod", "method: gaus-newton\n", 16, 9, "unknown method", "did you mean 'gauss-newton'?"),
      setting("UnknownIntegrator", "integrator: dopri\n", 16, 13, "unknown integrator 'dopri'",
              "did you mean 'dopri5'?"),
      setting("StepOfAnAdaptiveIntegrator", "integrator: {name: dopri5, step: 0.1}\n", 16, 28, "unknown option 'step'"),
      setting("ToleranceOfAFixedStep", "integrator: {name: rk4, rtol: 1e-6}\n", 16, 25, "unknown option 'rtol'"),
      setting("ToleranceBeyondTheComputer", "integrator: {name: dopri5, rtol: 1e-16}\n", 16, 34, "at least 1e-14"),
      setting("ToleranceThatComputesNothing", "integrator: {name: dopri5, rtol: 1}\n", 16, 34, "at most 0.01", "1e-8"),
      setting("NegativeTolerance", "integrator: {name: auto, atol: -1}\n", 16, 32, "atol must be positive"),
      setting("StepOfZero", "integrator: {name: rk4, step: 0}\n", 16, 31, "step must be positive"),
      setting("UnknownParameterInAnExperiment", "experiments:\n  low: {set: {p9: 1}}\n", 17, 15,
              "'p9' in experiment low is not a parameter", "did you mean"),
      setting("StateSetInAnExperiment", "experiments:\n  low: {set: {x1: 1}}\n", 17, 15, "'x1' in experiment low",
              "initial"),
      setting("UnknownOptionOfAnExperiment", "experiments:\n  low: {sett: {p1: 1}}\n", 17, 9, "unknown option 'sett'",
              "'set'"),
      setting("ExperimentsAsAList", "experiments:\n  - low\n", 17, 3, "must be a map"),
      setting("UnknownNameInAConstraint", "constraints:\n  - p1 + p9 <= 3\n", 17, 10,
              "unknown name 'p9' in a constraint"),
      setting("UnknownNameRightOfAConstraint", "constraints:\n  - p1 <= 3*p9\n", 17, 13, "unknown name 'p9'"),
      setting("ConstraintWithoutRelation", "constraints:\n  - p1 + p2\n", 17, 5, "must compare two formulas"),
      setting("InitialValueOfNoStateInAConstraint", "constraints:\n  - 2 + initial(x9) <= 3\n", 17, 9,
              "'x9' in initial(x9) is not a state", "did you mean"),
      setting("TimeInAConstraint", "constraints:\n  - x1 <= 3*t\n", 17, 13, "time cannot be used in a constraint"),
      setting("ObservableInAConstraint", "constraints:\n  - predator <= 3\n", 17, 5,
              "the observable 'predator' cannot be used in a constraint", "initial(state)"),
      setting("AndInAConstraint", "constraints:\n  - p1 > 0.8 && p1 < 2\n", 17, 14, "a constraint cannot use &&",
              "a range: 0.8 < k < 2"),
      setting("OrInAConstraint", "constraints:\n  - p1 < 0.3 || p1 > 0.9\n", 17, 14, "a constraint cannot use ||",
              "fit each of them"),
      setting("ConditionInAConstraint", "constraints:\n  - (p1 < 0.3) == (p2 > 1)\n", 17, 5,
              "'(p1 < 0.3)' is a condition"),
      setting("StrangeComparison", "constraints:\n  - p1 => 3\n", 17, 8, "'=>' cannot compare", "<=, >= or =="),
      setting("DifferenceAsAConstraint", "constraints:\n  - p1 != p2\n", 17, 8, "'!=' cannot compare"),
      setting("ConstraintWithoutAnEnd", "constraints:\n  - 0 <= p1 <=\n", 17, 15, "in a constraint"),
      setting("ConstraintThatIsNeverTrue", "constraints:\n  - p3 >= 2*p4 + 1\n", 17, 5,
              "the constraint 'p3 >= 2*p4 + 1' is never true", "nothing that is estimated"),
      setting("ConstraintThatIsANumber", "constraints: 3\n", 16, 14, "must be a list"),
      setting("EventWithoutTime", "events:\n  - {set: {x1: 0}}\n", 17, 5, "either 'at', 'every' or 'when'"),
      setting("EventOfNoState", "events:\n  - {at: 5, set: {x9: 0}}\n", 17, 19, "'x9' in an event is not a state"),
      setting("UnknownNameInAnEvent", "events:\n  - {at: 5, set: {x1: x1 + dose}}\n", 17, 28, "unknown name 'dose'"),
  };
}

std::vector<WrongInput> wrong_events() {
  const auto event = [](std::string name, const std::string& text, int column, std::string message,
                        std::string hint = {}) {
    return setting(std::move(name), "events:\n  - " + text + "\n", 17, column, std::move(message), std::move(hint));
  };
  return {
      event("EventThatIsAText", "stop", 5, "an event must be a map", "set:"),
      event("EventWithTwoTriggers", "{at: 5, when: x1 > 3, set: {x1: 0}}", 5, "either 'at', 'every' or 'when'"),
      event("EventThatChangesNothing", "{at: 5}", 5, "needs 'set' or 'add'"),
      event("EventThatAddsToNoState", "{at: 5, add: {x9: 1}}", 19, "'x9' in an event is not a state", "'x1'"),
      event("EventThatSetsAParameter", "{at: 5, set: {p1: 1}}", 19, "'p1' in an event is not a state", "equation 0"),
      event("EventThatSetsAndAdds", "{at: 5, set: {x1: 1}, add: {x1: 1}}", 33, "changes 'x1' twice"),
      event("UnknownOptionOfAnEvent", "{at: 5, sett: {x1: 0}, set: {x1: 0}}", 13, "unknown option 'sett'", "'set'"),
      event("UnknownNameInATime", "{at: 5 + lag, set: {x1: 0}}", 14, "unknown name 'lag' in the time of an event"),
      event("StateInATime", "{at: [5, x1], set: {x1: 0}}", 14, "the state 'x1' cannot be used"),
      event("TimeInATime", "{at: t + 1, set: {x1: 0}}", 10, "time cannot be used"),
      event("NoTimes", "{at: [], set: {x1: 0}}", 10, "empty"),
      event("TimeThatIsNotFinite", "{at: inf, set: {x1: 0}}", 10, "must be finite"),
      event("EventBeforeTheStart", "{at: [3, -1], set: {x1: 0}}", 14, "an event at -1 is before the start"),
      event("KnownFormulaBeforeTheStart", "{at: p3 - 1, set: {x1: 0}}", 10, "an event at -0.5 is before the start"),
      event("EveryZero", "{every: 0, add: {x1: 1}}", 13, "'every' of an event must be positive, but is 0"),
      event("EveryLessThanZero", "{every: -p3, add: {x1: 1}}", 13, "must be positive, but is -0.5"),
      event("EveryEstimated", "{every: p1, add: {x1: 1}}", 13, "must be known beforehand", "at: ["),
      event("UntilEstimated", "{every: 1, until: p1, add: {x1: 1}}", 23, "'until' of an event must be known"),
      event("EveryInstant", "{every: 1e-9, until: 1e3, add: {x1: 1}}", 13, "1e+12 times", "100000"),
      event("UntilBeforeFrom", "{every: 1, from: 5, until: 3, add: {x1: 1}}", 32, "ends at 3 before it begins at 5"),
      event("RepetitionBeforeTheStart", "{every: 1, from: -2, add: {x1: 1}}", 13, "an event at -2 is before the start"),
      event("FromWithoutEvery", "{at: 3, from: 5, add: {x1: 1}}", 19, "'from' of an event belongs to 'every'"),
      event("ConditionThatIsANumber", "{when: x1 - 3, set: {x1: 0}}", 12, "must compare two formulas", "x1 > 3"),
      event("ConditionThatNeverTurns", "{when: 1 < 2, set: {x1: 0}}", 12, "never turns"),
      event("ConditionOfAnInstant", "{when: x1 == 3, set: {x1: 0}}", 12, "by == or !=", ">="),
      event("UnknownNameInACondition", "{when: x1 > limit, set: {x1: 0}}", 17, "unknown name 'limit'"),
      setting("EventsAsAMap", "events: {at: 5}\n", 16, 9, "must be a list"),
      setting("EventOfAnExperimentBeforeItsStart",
              "experiments:\n  default: {start: -1, events: [{at: -2, add: {x1: 1}}]}\n", 17, 38,
              "start of experiment default, -1"),
  };
}

std::vector<WrongInput> wrong_doses() {
  const auto table = [](std::string name, const std::string& rows, int line, int column, std::string message,
                        std::string hint = {}) {
    return WrongInput{
        .name = std::move(name),
        .files = {{"problem.yaml", longer("doses: doses.csv\n")}, {"doses.csv", "time,state,amount,duration\n" + rows}},
        .in_file = "doses.csv",
        .line = line,
        .column = column,
        .message = std::move(message),
        .hint = std::move(hint)};
  };
  const auto section = [](std::string name, const std::string& text, int column, std::string message,
                          std::string hint = {}) {
    WrongInput input = setting(std::move(name), text + "\n", 16, column, std::move(message), std::move(hint));
    input.files.emplace("doses.csv", "time,state,amount\n0,x1,1\n");
    return input;
  };
  return {
      section("NoTableOfDoses", "doses: dose.csv", 8, "the table of doses 'dose.csv'", "did you mean 'doses.csv'?"),
      section("DosesWithoutAFile", "doses: {lag: p1}", 8, "'doses' names no file"),
      section("UnknownOptionOfDoses", "doses: {file: doses.csv, delay: p1}", 26, "unknown option 'delay'"),
      section("LagOfNoState", "doses: {file: doses.csv, lag: {x9: p1}}", 32, "'x9' in the lag of doses is not a state"),
      section("UnknownBioavailability", "doses: {file: doses.csv, bioavailability: F}", 43, "unknown name 'F'"),
      table("DoseIntoNoState", "0,x9,100,\n", 2, 3, "a dose into 'x9', which is not a state", "did you mean"),
      table("NegativeDuration", "0,x1,100,-2\n", 2, 10, "the duration of a dose is -2; it must be positive"),
      table("DoseBeforeTheStart", "-1,x1,100,\n", 2, 1, "a dose at -1 is before the start"),
      table("DoseAtNoTime", ",x1,100,\n", 2, 1, "the time is missing"),
      table("NoAmount", "0,x1,,\n", 2, 6, "the amount is missing"),
      table("AmountThatIsNotFinite", "0,x1,nan,\n", 2, 6, "must be finite"),
      table("UnknownNameInAnAmount", "0,x1,2*F,\n", 2, 8, "unknown name 'F' in the amount of a dose"),
      table("StateInAnAmount", "0,x1,x2,\n", 2, 6, "the state 'x2' cannot be used"),
      table("NoDoses", "", 1, 1, "the table holds no doses"),
  };
}

}  // namespace salvo::formats
