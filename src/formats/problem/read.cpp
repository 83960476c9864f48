#include "formats/problem/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/words.hpp"
#include "formats/outside_files.hpp"
#include "formats/petab/files.hpp"
#include "formats/petab/read.hpp"
#include "formats/problem/algebraic.hpp"
#include "formats/problem/definitions.hpp"
#include "formats/problem/delays.hpp"
#include "formats/problem/fields.hpp"
#include "formats/problem/initial_fields.hpp"
#include "formats/problem/mass.hpp"
#include "formats/problem/names.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"
#include "formats/yaml/read.hpp"
#include "model/algebraic.hpp"
#include "model/delays.hpp"
#include "model/faults.hpp"
#include "model/on_cells.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

const std::vector<std::string> known_sections{
    "inputs",      "title",    "time",     "start",      "equations",   "initial",     "parameters", "definitions",
    "observables", "data",     "until",    "validation", "experiments", "constraints", "derived",    "events",
    "doses",       "shooting", "method",   "integrator", "networks",    "algebraic",   "mass",       "design",
    "space",       "fields",   "boundary", "scheme",     "history"};
const std::vector<std::string> needed_sections{"equations", "parameters", "observables", "data"};

bool says_something(const Node* section) {
  if (section == nullptr || section->kind == Node::Kind::null) return false;
  return section->kind != Node::Kind::map || !section->entries.empty();
}

// A misspelt section is told and then read as what was meant, so that it is told only once.
void mend_sections(Draft& draft, Node& root) {
  for (yaml::Entry& entry : root.entries) {
    const std::string& section = entry.key.text;
    if (std::find(known_sections.begin(), known_sections.end(), section) != known_sections.end()) continue;
    draft.log.add(entry.key.place, fmt::format("unknown section '{}'", section.substr(0, 40)),
                  hint_for_unknown(section, known_sections));
    const std::optional<std::string> meant = nearest_word(section, known_sections);
    if (meant && root.find(*meant) == nullptr) entry.key.text = *meant;
  }
}

void check_needed_sections(Draft& draft, const Node& root) {
  for (const std::string& needed : needed_sections) {
    const Node* section = root.find(needed);
    if (needed == "equations" && says_something(root.find("fields"))) continue;     // they have equations
    if (needed == "parameters" && says_something(root.find("networks"))) continue;  // they bring their own
    if (needed == "data" && says_something(root.find("design"))) continue;          // nothing has been measured yet
    if (section == nullptr)
      draft.log.add({1, 1}, fmt::format("the section '{}' is missing", needed));
    else if (!says_something(section))
      draft.log.add(section->place, fmt::format("the section '{}' is empty", needed));
  }
}

void note_hidden_names(Draft& draft, const Node& root) {
  const auto is_readable = [&](const char* name, bool is_needed) {
    const Node* section = root.find(name);
    return says_something(section) ? section->kind == Node::Kind::map : !is_needed;
  };
  draft.all_names_known =
      is_readable("equations", !says_something(root.find("fields"))) && is_readable("fields", false) &&
      is_readable("space", false) && is_readable("parameters", !says_something(root.find("networks"))) &&
      is_readable("definitions", false) && is_readable("inputs", false) && is_readable("algebraic", false);
  draft.all_experiments_known = is_readable("experiments", false);
}

bool check_sections(Draft& draft, Node& root) {
  if (root.kind == Node::Kind::null) {
    draft.log.add({1, 1}, "the problem file is empty", "'salvo new NAME' writes one to start from");
    return false;
  }
  if (!is_map(draft, root, "a problem file")) return false;
  mend_sections(draft, root);
  check_needed_sections(draft, root);
  note_hidden_names(draft, root);
  return true;
}

void check_integrator_of_delays(Draft& draft, const Node* section) {
  const model::Problem& problem = draft.problem;
  if (section == nullptr || model::knows_delays(problem.settings.integrator) || !model::has_delays(problem)) return;
  draft.log.add(
      section->place,
      fmt::format("{} does not integrate equations that look at earlier values",
                  std::visit([](const auto& its) { return std::string(its.name); }, problem.settings.integrator)),
      "write integrator: dopri5, rodas5p or rk4, or leave the line out");
}

void check_integrator(Draft& draft, const Node* section) {
  const model::Problem& problem = draft.problem;
  if (section == nullptr || !model::has_algebraic_states(problem) ||
      model::knows_algebraic_states(problem.settings.integrator))
    return;
  const auto name_of = [](const auto& integrator) { return std::string(integrator.name); };
  draft.log.add(section->place,
                fmt::format("{} does not integrate algebraic equations, and no formula solves those of this problem",
                            std::visit(name_of, problem.settings.integrator)),
                "write integrator: rodas5p, or leave the line out");
}

// Reads every section that is there; a section that is there but says nothing is like one that is not.
void read_sections(Draft& draft, const Node& root) {
  declare_names(draft, root);
  const auto with = [&](const char* name, auto read) {
    const Node* section = root.find(name);
    if (says_something(section)) read(draft, *section);
  };
  with("title", [](Draft& d, const Node& node) { d.problem.title = read_text(d, node, "the title").value_or(""); });
  with("time", read_time_axis);
  const Node* definitions = root.find("definitions");
  read_definitions(draft, says_something(definitions) ? *definitions : Node{});
  with("equations", read_equations);
  read_fields(draft, root);
  with("mass", read_mass);
  const Node* algebraic = root.find("algebraic");
  if (says_something(algebraic) || !draft.zero_rows.empty())
    read_algebraic(draft, says_something(algebraic) ? *algebraic : Node{});
  for (const Definition& definition : draft.definitions)
    draft.problem.definitions.push_back({.id = definition.id, .formula = definition.node});
  with("parameters", read_parameters);
  with("observables", read_observables);
  with("derived", read_derived);
  with("shooting", read_shooting);
  with("integrator", read_integrator);
  with("method", [](Draft& d, const Node& node) {
    d.problem.settings.method = read_choice<model::Method>(d, node).value_or(model::Method::automatic);
  });
  read_experiments(draft, root);
  read_data(draft, root);
  read_initial_fields(draft, root);
  complete_algebraic_starts(draft);
  for (const yaml::Entry& entry : root.entries)
    if (entry.key.text == "constraints") read_constraints(draft, entry);
  with("inputs", read_inputs);
  with("history", read_history);
  read_doses(draft, root);
  read_events(draft, root);
  settle_predictions(draft, root.find("until"));
  with("design", read_design);
  check_integrator(draft, root.find("integrator"));
  check_integrator_of_delays(draft, root.find("integrator"));
  if (draft.log.empty()) check_delays(draft);
  if (draft.log.empty() && draft.data_issues.empty()) part_steady_states(draft, root);
}

// Puts the caller's table in the place of the one that the file names; several can only be replaced where nothing is
// said of their columns.
void replace_data(Draft& draft, Node& root, const std::string& file) {
  const auto section = std::find_if(root.entries.begin(), root.entries.end(),
                                    [](const yaml::Entry& entry) { return entry.key.text == "data"; });
  if (section == root.entries.end()) return;
  Node& data = section->value;
  const auto is_name = [](const Node& item) { return item.is_text(); };
  if (data.kind == Node::Kind::sequence && data.items.size() == 1) data = Node(data.items[0]);
  if (data.kind == Node::Kind::sequence && !std::all_of(data.items.begin(), data.items.end(), is_name)) {
    draft.log.add(data.place, "the problem names several data files; it is not clear which one is to be replaced",
                  "name one file under 'data', or write the other one there");
    return;
  }
  const auto named = std::find_if(data.entries.begin(), data.entries.end(),
                                  [](const yaml::Entry& entry) { return entry.key.text == "file"; });
  Node& name = named != data.entries.end() ? named->value : data;
  if (data.kind == Node::Kind::map && named == data.entries.end()) return;  // it names no file, which is told
  name = Node{.kind = Node::Kind::scalar, .place = name.place, .offset = name.offset, .text = file, .entries = {}};
  draft.given_data = file;
}

// What is wrong, in the order of the files.
Issues all_issues(Draft& draft) {
  Issues issues = draft.log.issues();
  sort_by_place(issues);
  columns_in_characters(draft.file, issues);
  issues.insert(issues.end(), draft.data_issues.begin(), draft.data_issues.end());
  return shorten(std::move(issues), draft.log.left_out() + draft.data_issues_left_out);
}

bool is_sbml(std::string_view text) {
  constexpr std::size_t opening = 4096;  // characters that declarations and comments may take
  return text.starts_with("<") && text.substr(0, opening).find("<sbml") != std::string_view::npos;
}

Issue about_sbml(const std::string& file) {
  return {.file = file,
          .message = "this is a model in SBML, not a problem file: it has no data",
          .hint = fmt::format("'salvo new --from {}' writes a problem file of it; 'salvo simulate-sbml' simulates it",
                              file)};
}

Result<model::Problem> read_file(Result<TextFile> file, FileSource& source, const ReadOptions& options) {
  if (!file) return file.issues();
  if (is_sbml(file->text)) return about_sbml(file->name);
  Draft draft(*std::move(file), source);
  draft.problem.files_read.push_back({draft.file.name, draft.file.sha256});
  yaml::Document document = yaml::read(draft.file);
  if (document.root && document.issues.empty() && petab::is_petab(*document.root)) {
    if (options.data)
      return Issue{.kind = Issue::Kind::unsupported,
                   .file = draft.file.name,
                   .message = "the measurements of a PEtab problem cannot be replaced by another table",
                   .hint = "name the other table in the PEtab problem, or make a problem file by 'salvo convert'"};
    return petab::read_problem(draft.file, *document.root, source);
  }
  draft.log.add_all(document.issues);
  if (document.root && check_sections(draft, *document.root)) {
    if (options.data) replace_data(draft, *document.root, *options.data);
    read_sections(draft, *document.root);
    if (draft.log.empty() && draft.data_issues.empty()) complete_noise(draft, *document.root->find("observables"));
  }
  if (Issues issues = all_issues(draft); !issues.empty()) return issues;
  columns_in_characters(draft.file, draft.problem.warnings);
  return std::move(draft.problem);
}

Result<model::Problem> read_from(const std::string& name, Result<TextFile> file, FileSource& source,
                                 const ReadOptions& options) {
  Result<model::Problem> problem = read_file(std::move(file), source, options);
  Issues told = problem ? problem->warnings : problem.issues();
  if (!source.is_given()) conceal_outside_files(name, told);
  if (!problem) return told;
  if (Issues faults = model::faults(*problem); !faults.empty()) return faults;
  if (Issues faults = model::put_on_cells(*problem); !faults.empty()) return faults;
  problem->warnings = std::move(told);
  return problem;
}

}  // namespace

Result<model::Problem> read_problem(const std::string& path, const ReadOptions& options) {
  FileSource disk;
  FileSource& source = options.source != nullptr ? *options.source : disk;
  return read_from(path, source.text(path), source, options);
}

Result<model::Problem> read_problem_text(std::string text, const std::string& name) {
  FileSource disk;
  return read_from(name, as_text_file(name, std::move(text)), disk, {});
}

}  // namespace salvo::formats
