#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/words.hpp"
#include "formats/csv/table.hpp"
#include "formats/problem/measurements.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Measurement;
using yaml::Node;

std::vector<const Node*> file_names(Draft& draft, const Node& section, const std::string& what) {
  std::vector<const Node*> names;
  if (section.kind == Node::Kind::sequence)
    for (const Node& item : section.items) names.push_back(&item);
  else
    names.push_back(&section);
  if (names.empty()) draft.log.add(section.place, fmt::format("{} names no file", what));
  std::erase_if(names, [&](const Node* name) { return !read_text(draft, *name, what + " (the name of a file)"); });
  return names;
}

std::string hint_for_file(const std::filesystem::path& path) {
  std::vector<std::string> beside;
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    beside.push_back(entry.path().filename().string());
  std::sort(beside.begin(), beside.end());
  const auto near = nearest_word(path.filename().string(), beside);
  return near ? fmt::format("did you mean '{}'?", *near) : "names are relative to the folder of the problem file";
}

// An unreadable data file is told where it is named; what is wrong inside it, where it stands there.
void report_unreadable(Draft& draft, const Node& name, const std::string& path, Issue issue) {
  if (issue.kind == Issue::Kind::unreadable) {
    issue.message = fmt::format("the data file '{}' {}", name.text, issue.message);
    issue.hint = hint_for_file(path);
    issue.file = draft.file.name;
    issue.line = name.place.line;
    issue.column = name.place.column;
    draft.log.add(std::move(issue));
  } else {
    draft.data_issues.push_back(std::move(issue));
  }
}

void read_file(Draft& draft, const Node& name, std::vector<Measurement>& measurements) {
  const std::string path = (std::filesystem::path(draft.file.name).parent_path() / name.text).string();
  auto& files = draft.problem.data_files;
  const auto is_same = [&path](const std::string& other) {  // under whatever name
    std::error_code error;
    return other == path || std::filesystem::equivalent(other, path, error);
  };
  if (std::any_of(files.begin(), files.end(), is_same)) {
    draft.log.add(name.place, fmt::format("the data file '{}' is named twice", name.text), "remove one of them");
    return;
  }
  files.push_back(path);
  const Result<TextFile> file = read_text_file(path);
  if (!file) {
    for (const Issue& issue : file.issues()) report_unreadable(draft, name, path, issue);
    return;
  }
  draft.problem.inputs.push_back({path, file->sha256});
  IssueLog log(path);
  const csv::Table table = csv::read_table(*file, csv::separator_for(path), log);
  if (!table.header.empty() && !draft.problem.observables.empty()) {
    const std::vector<Measurement> found = read_measurements(draft, table, log);
    measurements.insert(measurements.end(), found.begin(), found.end());
  }
  Issues issues = log.issues();
  sort_by_place(issues);
  columns_in_characters(*file, issues);
  draft.data_issues_left_out += log.left_out();
  draft.data_issues.insert(draft.data_issues.end(), issues.begin(), issues.end());
}

void warn_of_unused(Draft& draft, const Node& root) {
  const model::Problem& problem = draft.problem;
  std::vector<bool> used_experiment(problem.experiments.size(), false);
  std::vector<bool> used_observable(problem.observables.size(), false);
  for (const auto* list : {&problem.measurements, &problem.validation})
    for (const Measurement& m : *list) {
      used_experiment[static_cast<std::size_t>(m.experiment)] = true;
      used_observable[static_cast<std::size_t>(m.observable)] = true;
    }
  const auto place_of = [&](const char* section, std::size_t i) { return root.find(section)->entries[i].key.place; };
  for (std::size_t i = 0; i < used_observable.size(); ++i)
    if (!used_observable[i])
      draft.warn(place_of("observables", i), fmt::format("no measurement of '{}'", problem.observables[i].id));
  for (std::size_t e = 0; e < used_experiment.size() && used_experiment.size() > 1; ++e)
    if (!used_experiment[e])
      draft.warn(place_of("experiments", e),
                 fmt::format("no measurement of experiment '{}'", problem.experiments[e].id));
}

// Calendar years as times with a start of 0 are the usual case.
void warn_of_late_data(Draft& draft, const Node& data) {
  for (std::size_t e = 0; e < draft.problem.experiments.size(); ++e) {
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const Measurement& m : draft.problem.measurements) {
      if (m.experiment != static_cast<int>(e)) continue;
      first = std::min(first, m.time);
      last = std::max(last, m.time);
    }
    const double start = draft.problem.experiments[e].start;
    if (!(last > first) || first - start <= last - first) continue;
    draft.warn(data.place,
               fmt::format("the first measurement, at {}, is further from the start, {}, than the data are long",
                           number_text(first), number_text(start)),
               fmt::format("if the integration should begin with the data, write start: {}", number_text(first)));
    return;
  }
}

}  // namespace

void read_data(Draft& draft, const Node& root) {
  const auto read_section = [&](const char* section, std::vector<Measurement>& measurements) {
    const Node* node = root.find(section);
    if (node == nullptr || node->kind == Node::Kind::null) return;
    for (const Node* name : file_names(draft, *node, fmt::format("'{}'", section)))
      read_file(draft, *name, measurements);
  };
  read_section("data", draft.problem.measurements);
  read_section("validation", draft.problem.validation);
  if (!draft.log.empty() || !draft.data_issues.empty()) return;
  warn_of_unused(draft, root);
  warn_of_late_data(draft, *root.find("data"));
}

}  // namespace salvo::formats
