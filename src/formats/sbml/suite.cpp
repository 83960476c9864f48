#include "formats/sbml/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/words.hpp"
#include "formats/sbml/read.hpp"
#include "formats/sbml/to_problem.hpp"
#include "formats/text_file.hpp"

namespace salvo::formats::sbml {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? ""
                                         : std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (std::string word = trimmed(text.substr(0, end)); !word.empty()) words.push_back(std::move(word));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Line {
  std::string key{};
  std::string value{};
  Place place{};
};

void read_line(const Line& line, SuiteSettings& settings, IssueLog& log) {
  const auto number = [&]() {
    const std::optional<double> value = parse_number(line.value);
    if (!value)
      log.add(line.place, fmt::format("'{}' must be a number, but is '{}'", line.key, line.value.substr(0, 40)));
    return value.value_or(0);
  };
  if (line.key == "start") settings.start = number();
  if (line.key == "duration") settings.duration = number();
  if (line.key == "steps") settings.steps = static_cast<int>(std::clamp(number(), -1.0, 1e6));
  if (line.key == "variables") settings.variables = words_of(line.value);
  if (line.key == "amount") settings.amounts = words_of(line.value);
  if (line.key == "concentration") settings.concentrations = words_of(line.value);
}

// The symbol of a species is a concentration or an amount; the other is asked for where the settings say so.
NodeId wanted_value(Model& model, const SuiteSettings& settings, const std::string& id, NodeId symbol) {
  const int index = model.find(id);
  if (index < 0 || model.quantities[index].kind != Quantity::Kind::species) return symbol;
  const Quantity& species = model.quantities[index];
  const NodeId size = model.quantities[species.compartment].symbol;
  if (contains(settings.amounts, id) && !species.is_amount) return model.graph.multiply(symbol, size);
  if (contains(settings.concentrations, id) && species.is_amount) return model.graph.divide(symbol, size);
  return symbol;
}

}  // namespace

std::vector<double> SuiteSettings::times() const {
  std::vector<double> all;
  for (int k = 0; k <= steps; ++k) all.push_back(start + duration * k / std::max(steps, 1));
  return all;
}

Result<SuiteSettings> read_suite_settings(const std::string& path) {
  const Result<TextFile> file = read_text_file(path);
  if (!file) return file.issues();
  SuiteSettings settings;
  IssueLog log(path);
  int number = 0;
  for (const std::string_view line : lines_of(file->text)) {
    ++number;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    read_line({trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)), {number, 1}}, settings, log);
  }
  if (log.empty() && (settings.steps < 1 || !(settings.duration > 0)))
    log.add({1, 1}, "'duration' and 'steps' must be positive");
  if (!log.empty()) return log.issues();
  return settings;
}

Result<SuiteSettings> usual_settings(const std::string& model_path) {
  const Result<Model> model = read_model(model_path);
  if (!model) return model.issues();
  SuiteSettings settings{.duration = 100, .steps = 100};
  const auto add = [&](const auto& is_wanted) {
    for (const Quantity& quantity : model->quantities)
      if (!quantity.constant && is_wanted(quantity)) settings.variables.push_back(quantity.id);
  };
  add([](const Quantity& quantity) { return quantity.kind == Quantity::Kind::species; });
  if (settings.variables.empty()) add([](const Quantity&) { return true; });
  if (settings.variables.empty())
    return Issue{.file = model_path, .message = "nothing in this model changes", .hint = "it has no species to follow"};
  return settings;
}

Result<model::Problem> suite_problem(const std::string& model_path, const SuiteSettings& settings) {
  Result<Model> model = read_model(model_path);
  if (!model) return model.issues();
  model::Problem problem{.title = model->id, .file = model_path};
  Resolver resolver(model->graph);
  Issues issues = put_into_problem(*model, model_path,
                                   {{.id = model::default_experiment, .end = settings.start + settings.duration}},
                                   problem, resolver);
  for (const std::string& id : settings.variables) {
    const int index = model->find(id);  // a quantity may be called like the time
    const auto symbol = index >= 0 ? std::optional(model->quantities[index].symbol) : model->graph.find_symbol(id);
    if (!symbol) {
      issues.push_back({.file = model_path, .message = fmt::format("the variable '{}' is not in the model", id)});
      continue;
    }
    if (issues.empty())
      problem.observables.push_back(
          {.id = id, .formula = resolver.resolve(wanted_value(*model, settings, id, *symbol))});
  }
  if (!issues.empty()) return issues;
  problem.graph = std::move(model->graph);
  return problem;
}

}  // namespace salvo::formats::sbml
