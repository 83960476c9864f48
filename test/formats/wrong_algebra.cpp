#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

WrongInput wrong_lines(std::string name, const std::string& more, int line, int column, std::string message,
                       std::string hint = {}) {
  return in_problem(std::move(name), longer(more), line, column, std::move(message), std::move(hint));
}

// x1 takes part in an equation that no formula solves.
std::string quadratic(const std::string& initial) {
  std::string problem = longer("algebraic:\n  c: c^2 + c - x1\n");
  const std::string from = "{guess: 0.4}";
  problem.replace(problem.find(from), from.size(), from + "\n  c: " + initial);
  return problem;
}

// M has one row twice: what is left is a multiple of x2 - x1, and x1 - x2 is a state.
std::string parallel_rows() {
  std::string problem = longer("mass:\n  x1: {x1: 1, x2: -1}\n  x2: {x1: 2, x2: -2}\n");
  for (const auto& [from, to] : {std::pair("{guess: 0.4}", "1"), std::pair("-p1*x1 + p2*x1*x2", "p1*(x2 - x1) + p2*0"),
                                 std::pair("p3*x2 - p4*x1*x2", "p3*x1 - p3*x2 + p4*0")}) {
    const std::string old = from;
    problem.replace(problem.find(old), old.size(), to);
  }
  return problem;
}

}  // namespace

std::vector<WrongInput> wrong_algebra() {
  return {
      wrong_lines("AlgebraicVariableInNoEquation", "algebraic:\n  c: x1*0 + p1\n", 17, 3,
                  "'c' is in none of the algebraic equations", "leave its line out"),
      wrong_lines("AlgebraicEquationTwice", "algebraic:\n  c: c + d - x1\n  d: x1 - c - d\n", 18, 6,
                  "says what the other algebraic equations say already and leaves 'd' undetermined",
                  "another equation in its place"),
      wrong_lines("AlgebraicEquationsThatContradict", "algebraic:\n  c: c + d - 1\n  d: c + d - 2\n", 18, 6,
                  "cannot be solved for 'd'"),
      wrong_lines("AlgebraicVariableThatIsAState", "algebraic:\n  x1: x1 - x2\n", 17, 3, "'x1' is defined twice"),
      wrong_lines("UnknownNameInAnAlgebraicEquation", "algebraic:\n  c: c - xx1\n", 17, 10,
                  "unknown name 'xx1' in the algebraic equation of c", "did you mean 'x1'?"),
      wrong_lines("AlgebraicSectionThatIsAList", "algebraic: [c]\n", 16, 12, "the section 'algebraic' must be"),
      in_problem("EstimatedInitialValueOfAnAlgebraicVariable", quadratic("{guess: 0.5}"), 7, 6,
                 "the initial value of c follows from 0 = c^2 + c - x1; it cannot be estimated",
                 "estimate that of a state, x1"),
      in_problem("NearThatIsNoNumber", quadratic("{near: x1}"), 7, 13, "where to look for c at the start"),
      wrong_lines("EventThatSetsAnAlgebraicVariable",
                  "algebraic:\n  c: c^2 + c - x1\nevents:\n  - {at: 1, set: {c: 2}}\n", 19, 19,
                  "'c' in an event is not a state", "its algebraic equation determines it"),
      wrong_lines("ExplicitStepsForAlgebraicEquations", "algebraic:\n  c: c^2 + c - x1\nintegrator: dopri5\n", 18, 13,
                  "dopri5 does not integrate algebraic equations", "rodas5p"),
      wrong_lines("CvodesForAlgebraicEquations", "algebraic:\n  c: c^2 + c - x1\nintegrator: cvodes\n", 18, 13,
                  "cvodes does not integrate algebraic equations", "rodas5p"),
      wrong_lines("InitialValueOfAnAlgebraicVariableInAConstraint",
                  "algebraic:\n  c: c^2 + c - x1\nconstraints:\n  - initial(c) <= 2\n", 19, 5,
                  "the initial value of an algebraic variable cannot be used"),
      wrong_lines("MassOfNoState", "mass:\n  x3: {x1: 1}\n", 17, 3, "'x3' in 'mass' is not a state", "x1"),
      wrong_lines("MassAcrossToNoState", "mass:\n  x1: {x3: 1}\n", 17, 8,
                  "'x3' in the row of x1 in 'mass' is not a state"),
      in_problem("MassOfHigherIndex", parallel_rows(), 18, 3, "By structure this is index 2",
                 "write 0 as the row of x2 in 'mass'; let the equation of x2 be its first derivative"),
      wrong_lines("MassThatDependsOnAState", "mass:\n  x1: {x1: x2}\n", 17, 12,
                  "the state 'x2' cannot be used in the row of x1 in 'mass'"),
  };
}

}  // namespace salvo::formats
