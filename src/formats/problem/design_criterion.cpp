#include <fmt/format.h>

#include "base/words.hpp"
#include "formats/problem/design.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Design;
using model::DesignTarget;
using yaml::Node;

constexpr const char* criteria = "write D, A, E, or c(k), c(k1/k2) or c(x1@12) for what is to be known best";

std::optional<NodeId> formula_named(const Draft& draft, const std::string& text) {
  for (const model::Observable& observable : draft.problem.observables)
    if (observable.id == text) return observable.formula;
  for (const model::Derived& derived : draft.problem.derived)
    if (derived.id == text) return derived.formula;
  return std::nullopt;
}

bool is_observable(const Draft& draft, const std::string& text) {
  return !draft.find(text) ? draft.has_observable(text) : draft.find(text)->kind == Name::Kind::observable;
}

// "k", "low:x1", "k1/k2", "prey@12", "low:x1 + x2@12": `at` is where the text begins within the scalar.
DesignTarget read_target(Draft& draft, const Node& scalar, std::string text, std::size_t at) {
  DesignTarget target{.text = text};
  if (names_an_estimate(draft, text)) return target;
  if (const std::size_t sign = text.rfind('@'); sign != std::string::npos) {
    target.time = parse_number(text.substr(sign + 1));
    if (!target.time)
      draft.log.add(scalar.place, fmt::format("'{}' in the criterion is not a time", text.substr(sign + 1)), criteria);
    text.erase(sign);
  }
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    Node name = scalar;
    name.text = text.substr(0, colon);
    target.experiment = std::max(read_experiment_name(draft, name), 0);
    text.erase(0, colon + 1);
    at += colon + 1;
  }
  if (!target.time && is_observable(draft, text)) {
    draft.log.add(scalar.place, fmt::format("the observable '{}' in the criterion needs a time", text),
                  fmt::format("write c({}@12)", text));
    return target;
  }
  target.formula = formula_named(draft, text);
  if (target.formula) return target;
  const Scope scope =
      target.time ? everything()
                  : Scope{.states = false, .time = false, .inputs = false, .space = false, .initial_values = true};
  target.formula =
      read_formula(draft, FormulaText{.scalar = &scalar, .text = text, .first_column = static_cast<int>(at) + 1},
                   "the criterion", scope);
  if (target.time && *target.time < draft.problem.experiments[static_cast<std::size_t>(target.experiment)].start)
    draft.log.add(scalar.place, fmt::format("the time {} is before the start", number_text(*target.time)));
  return target;
}

}  // namespace

void read_criterion(Draft& draft, const Node& node, Design& design) {
  if (!is_formula_text(draft, node, "the criterion")) return;
  const std::string& text = node.text;
  if (text.starts_with("c(") && text.ends_with(")") && text.size() > 3) {
    design.criterion = model::DesignCriterion::c;
    design.target = read_target(draft, node, text.substr(2, text.size() - 3), 2);
    return;
  }
  const auto known = model::from_name<model::DesignCriterion>(text);
  if (!known || *known == model::DesignCriterion::c)
    draft.log.add(node.place, fmt::format("unknown criterion '{}'", text.substr(0, 40)), criteria);
  else
    design.criterion = *known;
}

std::vector<std::map<std::string, double>> read_draws(Draft& draft, const Node& name) {
  std::vector<std::map<std::string, double>> draws;
  const std::optional<TextFile> file = read_named_file(draft, name, "the table of draws");
  if (!file) return draws;
  IssueLog log(file->name);
  const csv::Table table = csv::read_table(*file, csv::style_for(*file), log);
  for (const csv::Cell& cell : table.header)
    if (!names_an_estimate(draft, cell.text))
      log.add(cell.place, fmt::format("'{}' is not estimated", cell.text),
              hint_for_unknown(cell.text, names_of_estimates(draft)));
  for (const csv::Row& row : table.rows) {
    std::map<std::string, double> draw;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::optional<double> value = parse_number(row[i].text);
      if (!value) {
        const BadNumber bad = explain_bad_number(row[i].text);
        log.add(row[i].place, bad.message, bad.hint);
      } else {
        draw[table.header[i].text] = *value;
      }
    }
    draws.push_back(std::move(draw));
  }
  if (!table.header.empty() && draws.empty())
    log.add(table.header[0].place, "the table holds no draws", "add a row for each of them");
  add_issues_of_file(draft, *file, log);
  return draws;
}

}  // namespace salvo::formats
