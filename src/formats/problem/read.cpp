#include "formats/problem/read.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "formats/problem/definitions.hpp"
#include "formats/problem/names.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"
#include "formats/yaml/read.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

const std::vector<std::string> known_sections{"title",       "start",       "equations", "initial",    "parameters",
                                              "definitions", "observables", "data",      "validation", "experiments",
                                              "constraints", "events",      "shooting",  "method",     "integrator"};
const std::vector<std::string> needed_sections{"equations", "parameters", "observables", "data"};

bool says_something(const Node* section) {
  if (section == nullptr || section->kind == Node::Kind::null) return false;
  return section->kind != Node::Kind::map || !section->entries.empty();
}

bool check_sections(Draft& draft, const Node& root) {
  if (root.kind == Node::Kind::null) {
    draft.log.add({1, 1}, "the problem file is empty", "'salvo new NAME' writes one to start from");
    return false;
  }
  if (!is_map(draft, root, "a problem file")) return false;
  for (const yaml::Entry& entry : root.entries)
    if (std::find(known_sections.begin(), known_sections.end(), entry.key.text) == known_sections.end())
      draft.log.add(entry.key.place, fmt::format("unknown section '{}'", entry.key.text.substr(0, 40)),
                    hint_for_unknown(entry.key.text, known_sections));
  for (const std::string& needed : needed_sections) {
    const bool is_misspelt = std::any_of(root.entries.begin(), root.entries.end(), [&](const yaml::Entry& entry) {
      return nearest_word(entry.key.text, known_sections) == needed && entry.key.text != needed;
    });
    if (root.find(needed) == nullptr && !is_misspelt)
      draft.log.add({1, 1}, fmt::format("the section '{}' is missing", needed));
    else if (root.find(needed) != nullptr && !says_something(root.find(needed)))
      draft.log.add(root.find(needed)->place, fmt::format("the section '{}' is empty", needed));
  }
  return true;
}

// Reads every section that is there; a section that is there but says nothing is like one that is not.
void read_sections(Draft& draft, const Node& root) {
  declare_names(draft, root);
  const auto with = [&](const char* name, auto read) {
    const Node* section = root.find(name);
    if (says_something(section)) read(draft, *section);
  };
  with("title", [](Draft& d, const Node& node) { d.problem.title = read_text(d, node, "the title").value_or(""); });
  with("definitions", read_definitions);
  with("equations", read_equations);
  with("parameters", read_parameters);
  with("observables", read_observables);
  with("shooting", read_shooting);
  with("integrator", read_integrator);
  with("method", [](Draft& d, const Node& node) {
    d.problem.settings.method = read_choice<model::Method>(d, node).value_or(model::Method::automatic);
  });
  read_experiments(draft, root);
  for (const yaml::Entry& entry : root.entries) {
    if (entry.key.text == "constraints") read_constraints(draft, entry);
    if (entry.key.text == "events") read_events(draft, entry);
  }
  read_data(draft, root);
}

// What is wrong, in the order of the files; what is not supported only if nothing is wrong.
Issues all_issues(Draft& draft) {
  Issues issues = draft.log.issues();
  if (issues.empty() && draft.data_issues.empty()) issues = draft.unsupported;
  sort_by_place(issues);
  columns_in_characters(draft.file, issues);
  issues.insert(issues.end(), draft.data_issues.begin(), draft.data_issues.end());
  return shorten(std::move(issues), draft.log.left_out());
}

}  // namespace

Result<model::Problem> read_problem(const std::string& path) {
  Result<TextFile> file = read_text_file(path);
  if (!file) return file.issues();
  Draft draft(*std::move(file));
  const yaml::Document document = yaml::read(draft.file);
  draft.log.add_all(document.issues);
  if (document.root && check_sections(draft, *document.root)) {
    read_sections(draft, *document.root);
    if (draft.log.empty() && draft.data_issues.empty()) complete_noise(draft, *document.root->find("observables"));
  }
  if (Issues issues = all_issues(draft); !issues.empty()) return issues;
  columns_in_characters(draft.file, draft.problem.warnings);
  return std::move(draft.problem);
}

}  // namespace salvo::formats
