#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

// The mistake is in the lines after the good problem.
WrongInput wrong(std::string name, const std::string& lines, int line, int column, std::string message,
                 std::string hint = {}) {
  return {.name = std::move(name),
          .files = {{"problem.yaml", longer(lines)}},
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

}  // namespace

std::vector<WrongInput> wrong_settings() {
  return {
      wrong("StartThatIsNotANumber", "start: now\n", 16, 8, "'start' must be a number"),
      wrong("UnknownNodes", "shooting: {nodes: often}\n", 16, 19, "'often' does not say", "measurements"),
      wrong("HalfAnInterval", "shooting: {nodes: 2.5}\n", 16, 19, "'2.5' does not say"),
      wrong("NodesThatDoNotIncrease", "shooting: {nodes: [0, 2, 1]}\n", 16, 26, "must increase: 1 follows 2"),
      wrong("NoNodes", "shooting: {nodes: []}\n", 16, 19, "empty", "auto"),
      wrong("UnknownStartOfNodes", "shooting: {start: dta}\n", 16, 19, "unknown start 'dta'", "did you mean 'data'?"),
      wrong("UnknownOptionOfShooting", "shooting: {node: 3}\n", 16, 12, "unknown option 'node'", "'nodes'"),
      wrong("ShootingThatIsAText", "shooting: single\n", 16, 11, "must be a map"),
      wrong("UnknownMethod", "method: gaus-newton\n", 16, 9, "unknown method", "did you mean 'gauss-newton'?"),
      wrong("UnknownIntegrator", "integrator: dopri\n", 16, 13, "unknown integrator 'dopri'", "did you mean 'dopri5'?"),
      wrong("StepOfAnAdaptiveIntegrator", "integrator: {name: dopri5, step: 0.1}\n", 16, 28, "unknown option 'step'"),
      wrong("ToleranceOfAFixedStep", "integrator: {name: rk4, rtol: 1e-6}\n", 16, 25, "unknown option 'rtol'"),
      wrong("ToleranceBeyondTheComputer", "integrator: {name: dopri5, rtol: 1e-16}\n", 16, 34, "at least 1e-14"),
      wrong("ToleranceThatComputesNothing", "integrator: {name: dopri5, rtol: 1}\n", 16, 34, "at most 0.01", "1e-8"),
      wrong("NegativeTolerance", "integrator: {name: auto, atol: -1}\n", 16, 32, "atol must be positive"),
      wrong("StepOfZero", "integrator: {name: rk4, step: 0}\n", 16, 31, "step must be positive"),
      wrong("UnknownParameterInAnExperiment", "experiments:\n  low: {set: {p9: 1}}\n", 17, 15,
            "'p9' in experiment low is not a parameter", "did you mean"),
      wrong("StateSetInAnExperiment", "experiments:\n  low: {set: {x1: 1}}\n", 17, 15, "'x1' in experiment low",
            "initial"),
      wrong("UnknownOptionOfAnExperiment", "experiments:\n  low: {sett: {p1: 1}}\n", 17, 9, "unknown option 'sett'",
            "'set'"),
      wrong("ExperimentsAsAList", "experiments:\n  - low\n", 17, 3, "must be a map"),
      wrong("UnknownNameInAConstraint", "constraints:\n  - p1 + p9 <= 3\n", 17, 10,
            "unknown name 'p9' in a constraint"),
      wrong("UnknownNameRightOfAConstraint", "constraints:\n  - p1 <= 3*p9\n", 17, 13, "unknown name 'p9'"),
      wrong("ConstraintWithoutRelation", "constraints:\n  - p1 + p2\n", 17, 5, "must compare two formulas"),
      wrong("InitialValueOfNoStateInAConstraint", "constraints:\n  - 2 + initial(x9) <= 3\n", 17, 9,
            "'x9' in initial(x9) is not a state", "did you mean"),
      wrong("TimeInAConstraint", "constraints:\n  - x1 <= 3*t\n", 17, 13, "time cannot be used in a constraint"),
      wrong("ObservableInAConstraint", "constraints:\n  - predator <= 3\n", 17, 5,
            "the observable 'predator' cannot be used in a constraint", "initial(state)"),
      wrong("StrangeComparison", "constraints:\n  - p1 => 3\n", 17, 8, "'=>' cannot compare", "<=, >= or =="),
      wrong("DifferenceAsAConstraint", "constraints:\n  - p1 != p2\n", 17, 8, "'!=' cannot compare"),
      wrong("ConstraintWithoutAnEnd", "constraints:\n  - 0 <= p1 <=\n", 17, 15, "in a constraint"),
      wrong("ConstraintThatIsNeverTrue", "constraints:\n  - p3 >= 2*p4 + 1\n", 17, 5,
            "the constraint 'p3 >= 2*p4 + 1' is never true", "nothing that is estimated"),
      wrong("ConstraintThatIsANumber", "constraints: 3\n", 16, 14, "must be a list"),
      wrong("EventWithoutTime", "events:\n  - {set: {x1: 0}}\n", 17, 5, "either 'at' or 'when'"),
      wrong("EventOfNoState", "events:\n  - {at: 5, set: {x9: 0}}\n", 17, 19, "'x9' in an event is not a state"),
      wrong("UnknownNameInAnEvent", "events:\n  - {at: 5, set: {x1: x1 + dose}}\n", 17, 28, "unknown name 'dose'"),
  };
}

}  // namespace salvo::formats
