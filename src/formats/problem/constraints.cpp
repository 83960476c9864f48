#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "expression/parse.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

struct Relation {
  std::size_t at = 0;
  std::size_t length = 0;
};

// Every run of the signs < > = ! outside parentheses that compares; a ! alone belongs to a formula.
std::vector<Relation> find_relations(std::string_view text) {
  constexpr std::string_view signs = "<>=!";
  std::vector<Relation> relations;
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') --open;
    if (open != 0 || signs.find(text[i]) == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of(signs, i), text.size());
    if (text.substr(i, end - i) != "!") relations.push_back({.at = i, .length = end - i});
    i = end - 1;
  }
  return relations;
}

// Where && or || stands outside parentheses, if it does.
std::optional<std::size_t> find_logic(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') --open;
    if (open == 0 && (text.substr(i, 2) == "&&" || text.substr(i, 2) == "||")) return i;
  }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<NodeId> read_side(Draft& draft, const Node& scalar, std::size_t begin, std::size_t end) {
  const FormulaText side{
      .scalar = &scalar, .text = scalar.text.substr(begin, end - begin), .first_column = static_cast<int>(begin) + 1};
  return read_formula(draft, side, "a constraint", {.time = false, .inputs = false, .initial_values = true});
}

// The value of a formula of constants that no experiment sets.
std::optional<double> constant_value(const Draft& draft, NodeId formula) {
  expression::Graph graph = draft.problem.graph;
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  for (int k = 0; k < static_cast<int>(draft.problem.parameters.size()); ++k) {
    const model::Parameter& parameter = draft.problem.parameters[k];
    const bool is_set = std::any_of(draft.problem.experiments.begin(), draft.problem.experiments.end(),
                                    [k](const model::Experiment& experiment) {
                                      return std::any_of(experiment.overrides.begin(), experiment.overrides.end(),
                                                         [k](const auto& set) { return set.first == k; });
                                    });
    if (parameter.is_estimated() || is_set) continue;
    from.push_back(parameter.symbol);
    to.push_back(graph.constant(std::get<double>(parameter.value)));
  }
  const NodeId value = expression::substitute(graph, {&formula, 1}, from, to)[0];
  if (!graph.is_constant(value)) return std::nullopt;
  return graph[value].value;
}

// What two neighbouring sides say.
void add_constraint(Draft& draft, const Node& node, NodeId left, NodeId right, std::string_view relation,
                    std::string text) {
  expression::Graph& graph = draft.problem.graph;
  const bool is_reversed = relation.front() == '>';
  model::Constraint constraint{.formula = is_reversed ? graph.subtract(right, left) : graph.subtract(left, right),
                               .is_equality = relation.front() == '=',
                               .text = std::move(text)};
  const std::optional<double> value = draft.log.empty() ? constant_value(draft, constraint.formula) : std::nullopt;
  if (!value) {
    draft.problem.constraints.push_back(std::move(constraint));
  } else if (constraint.is_equality ? *value == 0 : *value <= 0) {
    draft.warn(node.place, fmt::format("the constraint '{}' holds whatever is estimated", constraint.text));
  } else {
    draft.log.add(node.place, fmt::format("the constraint '{}' is never true", constraint.text),
                  "it speaks of nothing that is estimated");
  }
}

void read_constraint(Draft& draft, const Node& node) {
  if (!is_formula_text(draft, node, "a constraint")) return;
  const std::string& text = node.text;
  if (const auto logic = find_logic(text)) {
    const bool is_and = text[*logic] == '&';
    draft.log.add(place_in_scalar(draft.file.text, node, static_cast<int>(*logic) + 1),
                  fmt::format("a constraint cannot use {}", is_and ? "&&" : "||"),
                  is_and ? "write one constraint for each part, or a range: 0.8 < k < 2"
                         : "all constraints hold together; for alternatives, fit each of them on its own");
    return;
  }
  const std::vector<Relation> relations = find_relations(text);
  if (relations.empty()) {
    draft.log.add(node.place, "a constraint must compare two formulas", "write, for example, p1 + p2 <= 3");
    return;
  }
  constexpr std::array<std::string_view, 6> known{"<", "<=", ">", ">=", "=", "=="};
  for (const Relation& relation : relations) {
    const std::string sign = text.substr(relation.at, relation.length);
    if (std::find(known.begin(), known.end(), sign) != known.end()) continue;
    draft.log.add(place_in_scalar(draft.file.text, node, static_cast<int>(relation.at) + 1),
                  fmt::format("'{}' cannot compare the sides of a constraint", sign), "write <=, >= or ==");
    return;
  }
  std::vector<std::optional<NodeId>> sides;
  std::vector<std::string_view> texts;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= relations.size(); ++k) {
    const std::size_t end = k < relations.size() ? relations[k].at : text.size();
    sides.push_back(read_side(draft, node, begin, end));
    texts.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (k < relations.size()) begin = end + relations[k].length;
  }
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!sides[k] || !expression::is_truth_value(draft.problem.graph[*sides[k]].op)) continue;
    draft.log.add(node.place,
                  fmt::format("'{}' is a condition, true or false; a constraint compares numbers", texts[k]),
                  "write the comparison itself as the constraint");
    return;
  }
  for (std::size_t k = 0; k < relations.size(); ++k) {
    const std::string sign = text.substr(relations[k].at, relations[k].length);
    if (sides[k] && sides[k + 1])
      add_constraint(draft, node, *sides[k], *sides[k + 1], sign,
                     fmt::format("{} {} {}", texts[k], sign, texts[k + 1]));
  }
}

}  // namespace

void read_constraints(Draft& draft, const yaml::Entry& section) {
  if (!is_list(draft, section.value, "the section 'constraints'")) return;
  for (const Node& item : section.value.items) read_constraint(draft, item);
}

}  // namespace salvo::formats
