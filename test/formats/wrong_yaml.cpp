#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Each line stands for ten of the line before: 10^9 values in the end.
std::string alias_bomb() {
  std::string text = "bomb:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "  a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + times(9, ", " + before) + "]\n";
  }
  return text;
}

}  // namespace

std::vector<WrongInput> wrong_yaml() {
  return {
      in_problem("EmptyFile", "", 1, 1, "empty", "salvo new"),
      in_problem("OnlyComments", "# nothing\n", 1, 1, "empty", ""),
      in_problem("JustAText", "hello\n", 1, 1, "must be a map", ""),
      in_problem("JustAList", "- a\n- b\n", 1, 1, "must be a map", ""),
      in_problem("InvalidUtf8",
                 changed("Predator",
                         "Pr\xE4"
                         "dator"),
                 1, 10, "not UTF-8", "encoding UTF-8"),
      in_problem("OverlongUtf8", changed("Predator", "\xC0\xAF"), 1, 8, "not UTF-8", ""),
      in_problem("NulByte", changed("Predator", std::string("a\0b", 3)), 1, 9, "control character (code 0)", ""),
      in_problem("LineOf2Megabytes", changed("Predator", std::string(2'000'000, 'x')), 1, 1, "more than 1 MiB", ""),
      in_problem("SecondDocument", longer("---\ntitle: another\n"), 16, 1, "second document", "---"),
      in_problem("BraceNotClosed", changed("{guess: 0.5}", "{guess: 0.5"), 10, 5, "'{' before this is never closed",
                 "'}'"),
      in_problem("BracketNotClosed", longer("shooting:\n  nodes: [1, 2\n"), 18, 1, "'[' before this is never closed",
                 "']'"),
      in_problem("BracketThatClosesNothing", changed("p3: 0.5", "p3: 0.5\n  p5: ]"), 11, 7, "closes nothing", ""),
      in_problem("QuoteNotClosed", changed("-p1*x1", "\"-p1*x1"), 3, 7, "never closed", "missing quote"),
      in_problem("TabAsIndentation", changed("  x2: p3", "\tx2: p3"), 4, 1, "tab", "spaces"),
      in_problem("SecondColon", changed("p3: 0.5", "p3: a: b"), 10, 8, "second ':'", "quotes"),
      in_problem("WrongIndentation", changed("  x2: p3", "    x2: p3"), 4, 7, "second ':'", "indentation"),
      in_problem("DuplicateSection", longer("title: again\n"), 16, 1,
                 "'title' is given twice; the first is at line 1, column 1", "remove"),
      in_problem("DuplicateParameter", changed("  p3: 0.5", "  p3: 0.5\n  p3: 0.6"), 11, 3,
                 "'p3' is given twice; the first is at line 10, column 3", ""),
      in_problem("KeyThatIsAList", changed("  p3: 0.5", "  p3: 0.5\n  [a, b]: 3"), 11, 3, "must be a plain text", ""),
      in_problem("ManyNestedBrackets", longer("shooting: " + times(10'000, "[") + times(10'000, "]") + "\n"), 16, 74,
                 "nested more than 64 deep", ""),
      in_problem("ManyNestedBraces", longer("shooting: " + times(10'000, "{a: ") + times(10'000, "}") + "\n"), 16, 263,
                 "nested more than 64 deep", ""),
      in_problem("ManyNestedParentheses", changed("-p1*x1", times(10'000, "(") + "x1" + times(10'000, ")")), 3, 208,
                 "nested", ""),
      in_problem("AliasBomb", longer(alias_bomb()), 21, 47, "more than 100000 values", ""),
      in_problem("AliasOfItself", longer("shooting: &a\n  nodes: [*a]\n"), 17, 11, "inside the value that it names",
                 ""),
      in_problem("TornFormula",
                 changed("equations:\n  x1: -p1*x1 + p2*x1*x2\n  x2: p3*x2 - p4*x1*x2\n",
                         "equations: {x1: max(p1, x1), x2: p3*x2 - p4*x1*x2}\n"),
                 2, 17, "tears the equation of x1 apart", "quotes: \"max(p1, x1)\""),
      in_problem("TornPiecewise", changed("formula: x1,", "formula: piecewise(1, x1 > 2, p1),"), 13, 23,
                 "tears the formula of predator apart", "quotes"),
      in_problem("FormulaTakenForATag", changed("-p1*x1 + p2*x1*x2", "!(x1)"), 3, 7, "tag", "quotes"),
      in_problem("FormulaTakenForALooseTag", changed("-p1*x1 + p2*x1*x2", "! x1"), 3, 7, "tag", "quotes"),
      in_problem("FormulaTakenForAListEntry", changed("-p1*x1", "- p1*x1"), 3, 7, "list", "quotes"),
      in_problem("FormulaTakenForAList", changed("x1: -p1*x1", "x1:\n    - p1*x1"), 4, 5, "a list", "quotes"),
      in_problem("FormulaTakenForAnAnchor", changed("-p1*x1 + p2*x1*x2", "&p1"), 3, 7, "anchor", "quotes"),
      in_problem("FormulaTakenForAnAlias", changed("-p1*x1", "*p1*x1"), 3, 7, "anchor that does not exist", "quotes"),
      in_problem("FormulaBeginningWithPercent", changed("-p1*x1", "%p1*x1"), 3, 7, "cannot begin", "quotes"),
      in_problem("FormulaBeginningWithAt", changed("-p1*x1", "@p1*x1"), 3, 7, "cannot begin", "quotes"),
      in_problem("FormulaBeginningWithBacktick", changed("-p1*x1", "`p1*x1"), 3, 7, "cannot begin", "quotes"),
      in_problem("FormulaInBraces", changed("-p1*x1 + p2*x1*x2", "{a: b}"), 3, 7, "a map", "quotes"),
  };
}

}  // namespace salvo::formats
