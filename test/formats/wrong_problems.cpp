#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

WrongInput wrong(std::string name, std::string yaml, int line, int column, std::string message, std::string hint = {}) {
  return {.name = std::move(name),
          .files = {{"problem.yaml", std::move(yaml)}},
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

std::string p2_as(const std::string& value) { return changed("p2: {guess: 0.5}", "p2: " + value); }
std::string prey_as(const std::string& value) { return changed("{formula: x2, noise: 0.05}", value); }

}  // namespace

std::vector<WrongInput> wrong_problems() {
  return {
      wrong("UnknownSection", longer("paramters: {}\n"), 16, 1, "unknown section 'paramters'", "did you mean 'parameters'?"),
      wrong("MisspeltNeededSection", changed("observables:", "observable:"), 12, 1, "unknown section 'observable'",
            "did you mean 'observables'?"),
      wrong("MissingData", changed("data: data.csv\n", ""), 1, 1, "the section 'data' is missing"),
      wrong("EmptyData", changed("data: data.csv", "data:"), 15, 1, "the section 'data' is empty"),
      wrong("UnknownName", changed("p2*x1*x2", "pp2*x1*x2"), 3, 16, "unknown name 'pp2' in the equation of x1",
            "did you mean 'p2'?"),
      wrong("UnknownNameInQuotes", changed("-p1*x1 + p2*x1*x2", "\"-p1*x1 + pp2*x1*x2\""), 3, 17, "unknown name 'pp2'",
            "did you mean 'p2'?"),
      wrong("UnknownNameInAFoldedLine", changed("-p1*x1 + p2*x1*x2", "-p1*x1 +\n    p2*x1*xx2"), 4, 11,
            "unknown name 'xx2'"),
      wrong("UnknownNameInABlock", changed("-p1*x1 + p2*x1*x2", "|\n    -p1*x1\n    + p2*x1*xx2"), 5, 13,
            "unknown name 'xx2'"),
      wrong("UnknownNameAfterAnUmlaut", changed("{formula: x2, noise: 0.05}", "{\"formula\": xx2, noise: 0.05} # \xC3\xA4"),
            14, 21, "unknown name 'xx2'", "did you mean 'x2'?"),
      wrong("MissingParenthesis", changed("p3*x2", "p3*(x2"), 4, 24, ""),
      wrong("EmptyEquation", changed("-p1*x1 + p2*x1*x2", ""), 3, 3, "the equation of x1 is missing"),
      wrong("EquationThatIsNotFinite", changed("-p1*x1 + p2*x1*x2", "1/0"), 3, 7, "must be finite"),
      wrong("NameWithoutSpaceAfterColon", changed("  p3: 0.5", "  p3: 0.5\n  p5:0.5"), 11, 3, "cannot be a name",
            "space is missing"),
      wrong("NameBeginningWithADigit", changed("  p3: 0.5", "  p3: 0.5\n  3p: 0.5"), 11, 3, "'3p' cannot be a name",
            "letters"),
      wrong("ReservedName", changed("  p3: 0.5", "  p3: 0.5\n  exp: 0.5"), 11, 3, "'exp' has a meaning in formulas"),
      wrong("TimeAsAName", changed("  p3: 0.5", "  p3: 0.5\n  t: 0.5"), 11, 3, "'t' is the time"),
      wrong("NameOfAStateAndAParameter", changed("  p3: 0.5", "  p3: 0.5\n  x2: 0.5"), 11, 3,
            "'x2' is defined twice: here as a parameter, and as a state at line 4, column 3", "rename"),
      wrong("NameOfAnObservableAndADefinition", longer("definitions:\n  prey: x2\n"), 14, 3,
            "'prey' is defined twice: here as an observable, and as a definition at line 17, column 3"),
      wrong("DefinitionsInACircle", longer("definitions:\n  a: b + 1\n  b: 2*c\n  c: a\n"), 17, 3, "a -> b -> c -> a"),
      wrong("DefinitionOfItself", longer("definitions:\n  a: a + 1\n"), 17, 3, "a -> a"),
      wrong("UnknownNameInADefinition", longer("definitions:\n  a: 2*p9\n"), 17, 8,
            "unknown name 'p9' in the definition of a"),
      wrong("FaultyDefinitionIsToldOnce",
            changed("p2*x1*x2", "flux") + "definitions:\n  flux: p2*x1*(x2\n", 17, 18, "definition of flux"),
      wrong("ParameterWithoutValue", p2_as(""), 9, 3, "the parameter p2 has no value", "guess"),
      wrong("ParameterThatIsAFormula", p2_as("2*p1"), 9, 7, "must be a number", "definitions"),
      wrong("ParameterThatIsAList", p2_as("[1, 2]"), 9, 7, "must be a number, but is a list"),
      wrong("ParameterWithADecimalComma", p2_as("0,5"), 9, 7, "'0,5' is not a number", "decimal comma"),
      wrong("NumberOutOfRange", p2_as("1e999"), 9, 7, "'1e999' is out of the range"),
      wrong("GuessThatIsNotANumber", p2_as("{guess: many}"), 9, 15, "the guess of p2 must be a number"),
      wrong("GuessThatIsNotFinite", p2_as("{guess: .inf}"), 9, 15, "the guess of p2 must be finite"),
      wrong("UnknownOption", p2_as("{gues: 0.5, bounds: [0, 1]}"), 9, 8, "unknown option 'gues' of p2", "'guess'"),
      wrong("NoGuessAndOneBound", p2_as("{bounds: [0, .inf]}"), 9, 7, "neither a guess nor two finite bounds", "{guess: 1}"),
      wrong("ValueBesideGuess", p2_as("{value: 1, guess: 2}"), 9, 18, "'guess' cannot stand beside 'value'"),
      wrong("ReversedBounds", p2_as("{guess: 1, bounds: [5, -2]}"), 9, 26, "bounds of p2 are reversed", "[-2, 5]"),
      wrong("EqualBounds", p2_as("{guess: 1, bounds: [1, 1]}"), 9, 26, "bounds of p2 are equal", "constant"),
      wrong("ThreeBounds", p2_as("{guess: 1, bounds: [1, 2, 3]}"), 9, 26, "must be two numbers", "[0, 10]"),
      wrong("GuessOutsideBounds", p2_as("{guess: 7, bounds: [0, 5]}"), 9, 15, "guess of p2 is 7, outside its bounds [0, 5]"),
      wrong("LogScaleFromZero", p2_as("{guess: 1, bounds: [0, 5], scale: log}"), 9, 27, "lower bound of p2 must be positive",
            "1e-6"),
      wrong("LogScaleOfANegativeGuess", p2_as("{guess: -1, scale: log10}"), 9, 15, "guess of p2 must be positive"),
      wrong("UnknownScale", p2_as("{guess: 1, scale: ln}"), 9, 25, "unknown scale 'ln'"),
      wrong("PriorWithoutSpread", p2_as("{guess: 1, prior: normal(0)}"), 9, 25, "prior of p2 cannot be read", "normal(0, 1)"),
      wrong("PriorWithNegativeSpread", p2_as("{guess: 1, prior: normal(0, -1)}"), 9, 25, "spread of the prior of p2"),
      wrong("PriorOfUnknownLaw", p2_as("{guess: 1, prior: gauss(0, 1)}"), 9, 25, "unknown law 'gauss'", "normal"),
      wrong("PriorOnSomethingElse", p2_as("{guess: 1, prior: {normal: [0, 1], on: log}}"), 9, 46, "cannot be on 'log'",
            "value, scale"),
      wrong("InitialOfNoState", changed("  x1: {guess: 0.4}", "  x3: 1"), 6, 3, "'x3' in 'initial' is not a state",
            "did you mean"),
      wrong("InitialThatUsesAState", changed("x1: {guess: 0.4}", "x1: 2*x2"), 6, 9,
            "the state 'x2' cannot be used in the initial value of x1", "parameters"),
      wrong("InitialThatUsesTime", changed("x1: {guess: 0.4}", "x1: p1 + t"), 6, 12, "time cannot be used"),
      wrong("InitialThatUsesAStateThroughADefinition", changed("x1: {guess: 0.4}", "x1: d") + "definitions:\n  d: 2*x2\n", 6,
            7, "the definition 'd', which depends on states"),
      wrong("ObservableWithoutFormula", prey_as("{noise: 1}"), 14, 9, "the formula of prey is missing"),
      wrong("ObservableThatUsesAnother", prey_as("{formula: 2*predator, noise: 1}"), 14, 21,
            "the observable 'predator' cannot be used in the formula of prey"),
      wrong("NoiseOfZero", prey_as("{formula: x2, noise: 0}"), 14, 30, "the noise of prey must be positive"),
      wrong("NegativeNoise", prey_as("{formula: x2, noise: -0.1}"), 14, 30, "must be positive, but is -0.1"),
      wrong("NoiseThatUsesAnotherObservable", prey_as("{formula: x2, noise: 0.1*predator}"), 14, 34,
            "the observable 'predator' cannot be used in the noise of prey"),
      wrong("UnknownDistribution", prey_as("{formula: x2, noise: 1, distribution: lognormal}"), 14, 47,
            "unknown distribution 'lognormal'", "did you mean 'log-normal'?"),
      wrong("NameOfTheNoiseIsTaken", changed("{formula: x2, noise: 0.05}", "x2") + "definitions:\n  noise_prey: p1\n", 14, 3,
            "'noise_prey' is already taken"),
  };
}

}  // namespace salvo::formats
