#include "formats/wrong_input.hpp"

namespace salvo::formats {

// Line 16 is `design:`, line 17 a right entry of `measure` unless the section is another one.
std::vector<WrongInput> wrong_designs() {
  const std::string measure = "  measure: [{observables: [prey], times: [1, 2]}]\n";
  const auto wrong = [](std::string name, const std::string& section, int line, int column, std::string message,
                        std::string hint = {}) {
    return in_problem(std::move(name), longer("design:\n" + section), line, column, std::move(message),
                      std::move(hint));
  };
  const auto entry = [&](std::string name, const std::string& text, int column, std::string message,
                         std::string hint = {}) {
    return wrong(std::move(name), "  measure:\n    - {" + text + "}\n  budget: 2\n", 18, column, std::move(message),
                 std::move(hint));
  };
  const auto option = [&](std::string name, const std::string& text, int column, std::string message,
                          std::string hint = {}) {
    return wrong(std::move(name), measure + "  budget: 2\n  " + text + "\n", 19, column, std::move(message),
                 std::move(hint));
  };
  WrongInput draws = option("DrawsOfNoEstimate", "over: draws.csv", 1, "'p9' is not estimated", "did you mean 'p1'?");
  draws.files.emplace("draws.csv", "p9\n1\n");
  draws.in_file = "draws.csv";
  draws.line = 1;
  return {
      wrong("DesignWithoutMeasure", "  budget: 2\n", 17, 3, "does not say what could be measured", "write measure:"),
      wrong("DesignWithoutBudget", measure, 17, 3, "'design' has no budget", "write budget: 4"),
      wrong("BudgetThatPaysForNothing", measure + "  budget: 0.5\n", 18, 11, "does not pay for one sample"),
      wrong("BudgetForTooMany", measure + "  budget: 1e9\n", 18, 11, "more than 100000 samples"),
      wrong("BudgetThatIsNegative", measure + "  budget: -2\n", 18, 11, "must be positive"),
      entry("UnknownObservable", "observables: [pray], times: [1]", 22, "'pray' is not an observable",
            "did you mean 'prey'?"),
      entry("NoTimes", "observables: [prey]", 7, "needs 'times'"),
      entry("TimesWithoutAStep", "observables: [prey], times: {from: 0, to: 1}", 36, "needs 'from', 'to' and 'step'"),
      entry("TimesBackwards", "observables: [prey], times: {from: 2, to: 1, step: 1}", 50, "'to' is 1, before 'from'"),
      entry("TooManyTimes", "observables: [prey], times: {from: 0, to: 1, step: 1e-9}", 59, "more than 10000 times"),
      entry("TimeBeforeTheStart", "observables: [prey], times: [-1, 2]", 36, "is before the start"),
      entry("HalfASample", "observables: [prey], times: [1], at most: 1.5", 50, "must be a whole number"),
      entry("FreeSamples", "observables: [prey], times: [1], cost: 0", 47, "must be positive"),
      entry("UnknownExperiment", "observables: [prey], times: [1], experiment: low", 53, "unknown experiment 'low'"),
      entry("UnknownOptionOfMeasure", "observables: [prey], times: [1], most: 2", 41, "unknown option 'most'",
            "did you mean 'cost'?"),
      option("UnknownCriterion", "criterion: G", 14, "unknown criterion 'G'", "write D, A, E"),
      option("CriterionAboutNothing", "criterion: c(k9)", 16, "unknown name 'k9'"),
      option("PredictionWithoutATime", "criterion: c(prey)", 14, "needs a time", "write c(prey@12)"),
      option("ForWhatIsKnown", "for: [p3]", 9, "'p3' is not estimated", "did you mean"),
      option("LevelsOfAnEstimate", "experiments: {p1: [1, 2]}", 17, "'p1' is estimated", "plain number"),
      option("LevelsOfNothing", "experiments: {dose: [1, 2]}", 17, "no parameter, initial value or input"),
      option("RangeWithoutAnEnd", "experiments: {p3: {from: 1}}", 21, "needs 'from' and 'to'"),
      option("LikeWithoutExperiments", "like: default", 9, "'like' of 'design' belongs to 'experiments'"),
      option("UnknownOptionOfDesign", "budgets: 3", 3, "unknown option 'budgets'", "did you mean 'budget'?"),
      option("NoTableOfDraws", "over: priors.csv", 9, "the table of draws 'priors.csv'"),
      draws,
  };
}

}  // namespace salvo::formats
