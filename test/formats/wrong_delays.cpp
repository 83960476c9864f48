#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

// The growth of the prey looks back; `more` comes after the problem.
std::string delayed(const std::string& formula, const std::string& more = {}) {
  std::string problem = longer(more);
  const std::string from = "p3*x2 - p4*x1*x2";
  problem.replace(problem.find(from), from.size(), formula);
  return problem;
}

const std::string sound = "p3*delay(x2, 0.5) - p4*x1*x2";

WrongInput wrong_delay(std::string name, const std::string& formula, int column, std::string message,
                       std::string hint = {}) {
  return in_problem(std::move(name), delayed(formula), 4, column, std::move(message), std::move(hint));
}

WrongInput wrong_history(std::string name, const std::string& history, int line, int column, std::string message,
                         std::string hint = {}) {
  return in_problem(std::move(name), delayed(sound, history), line, column, std::move(message), std::move(hint));
}

}  // namespace

std::vector<WrongInput> wrong_delays() {
  return {
      wrong_delay("DelayOfZero", "p3*delay(x2, 0)", 10, "a delay in the equation of x2 is 0; it must be above 0",
                  "write the formula alone"),
      wrong_delay("NegativeDelay", "p3*delay(x2, -2)", 10, "is -2; it must be above 0", "what comes later"),
      wrong_delay("LaterValue", "p3*x2(t + 2)", 10, "is -2; it must be above 0", "for a product write x2*(...)"),
      wrong_delay("DelayOfOneArgument", "p3*delay(x2)", 10, "delay takes 2 arguments", "delay(x, tau)"),
      wrong_delay("DelayThatDependsOnAState", "p3*delay(x2, 1 + x1)", 10,
                  "a delay in the equation of x2 depends on states", "formulas of parameters"),
      wrong_delay("DelayThatDependsOnTime", "p3*x2(t/2)", 10, "depends on time", "for a product"),
      wrong_delay("DelayOfUnknownName", "p3*x3(t - 1)", 10, "unknown name 'x3'", "did you mean"),
      wrong_delay("EarlierParameter", "p3(t - 1)*x2", 7, "there is no function 'p3'", "for a product write p3*(...)"),
      wrong_delay("UnknownDelay", "p3*delay(x2, tau)", 20, "unknown name 'tau'"),
      in_problem("DelayWithoutALowerBound", delayed("p3*delay(x2, p2)"), 9, 3,
                 "p2 is a delay, and its bounds do not keep it above 0", "p2: {guess: 0.5, bounds: [0.05, 5]}"),
      in_problem("DelayThatBoundsDoNotKeepPositive", delayed("p3*delay(x2, 1 + p1)"), 8, 3,
                 "p1 + 1 is a delay, and its bounds do not keep it above 0", "above 0"),
      in_problem("DelayThatIsAConstantOfZero", delayed("p3*delay(x2, p3 - 0.5)"), 10, 3, "the delay p3 - 0.5 is 0"),
      in_problem("DelayInAnInitialValue", changed("{guess: 0.4}", "1 + delay(p1, 1)"), 6, 11,
                 "earlier values cannot be used in the initial value of x1", "equations"),
      in_problem("DelayInANoise", changed("noise: 0.05}", "noise: \"0.1*delay(x1, 1)\"}"), 13, 39,
                 "earlier values cannot be used in"),
      in_problem("DefinitionOfThePastInAConstraint",
                 longer("definitions:\n  past: delay(x1, 1)\nconstraints:\n  - past <= 3\n"), 19, 5,
                 "the definition 'past', which depends on earlier values, cannot be used"),
      in_problem("EarlierUnknownInAnAlgebraicEquation", longer("algebraic:\n  c: c - 0.5*delay(c, 1) - x1\n"), 17, 6,
                 "looks at 'c'", "only states and inputs"),
      wrong_history("HistoryOfNoState", "history:\n  x3: 1\n", 17, 3, "'x3' in 'history' is not a state",
                    "did you mean"),
      wrong_history("HistoryThatUsesAState", "history:\n  x2: 2*x1\n", 17, 9,
                    "the state 'x1' cannot be used in the history of x2"),
      wrong_history("HistoryThatIsMissing", "history:\n  x2:\n", 17, 3, "the history of x2 is missing", "{guess: 1}"),
      wrong_history("HistoryThatIsAList", "history: [1]\n", 16, 10, "the section 'history' must be"),
      wrong_history("HistoryWithoutAGuess", "history:\n  x2: {bounds: [0, .inf]}\n", 17, 7,
                    "history_x2 has neither a guess nor two finite bounds"),
      wrong_history("HistoryOfAMissingTable", "history:\n  x2: {data: before.csv}\n", 17, 14, "before.csv"),
      in_problem("EarlierAlgebraicVariableWithoutAHistory",
                 delayed("p3*delay(c, 0.5) - p4*x1*x2", "algebraic:\n  c: c^2 + c - x1\n"), 17, 3,
                 "formulas look at earlier values of c, an algebraic variable", "history"),
      in_problem("DelayedStateThatIsSetAfterRest",
                 delayed(sound, "experiments:\n  default: {initial: {x2: 2}, equilibrate: {initial: {x2: 1}}}\n"), 4, 3,
                 "begins at rest and sets x2, and formulas look at what x2 was before", "{at: 0, set: {x2: ...}}"),
      in_problem("IntegratorWithoutAPast", delayed(sound, "integrator: cvodes\n"), 16, 13,
                 "cvodes does not integrate equations that look at earlier values", "dopri5"),
  };
}

}  // namespace salvo::formats
