#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "formats/csv/table.hpp"
#include "formats/problem/data_source.hpp"
#include "formats/problem/measurements.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Measurement;
using yaml::Node;

void read_file(Draft& draft, const DataSource& source, std::vector<Measurement>& measurements) {
  const Node& name = *source.file;
  const std::string path = path_of_named_file(draft, name);
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
  const std::optional<TextFile> file = read_named_file(draft, name, "the data file");
  if (!file) return;
  IssueLog log(path);
  const auto name_header = [&](csv::Row& header) -> std::optional<std::vector<bool>> {
    const std::size_t issues_before = draft.log.issues().size();
    std::vector<bool> ignored = name_columns(draft, source, header);
    if (draft.log.issues().size() != issues_before) return std::nullopt;
    return ignored;
  };
  if (draft.problem.observables.empty())  // told already; what is wrong with the lines is told all the same
    csv::read_rows(
        *file, csv::separator_for(path), log, [](const csv::Row&) {}, [](const csv::Row&) {});
  else
    for (const Draft::EarlyRow& row : read_measurements(draft, *file, name_header, log, measurements)) {
      Issues issues{row.issue};
      columns_in_characters(*file, issues);
      draft.early_rows.push_back({row.experiment, issues[0]});
    }
  add_issues_of_file(draft, *file, log);
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

}  // namespace

void read_data(Draft& draft, const Node& root) {
  const auto read_section = [&](const char* section, std::vector<Measurement>& measurements) {
    const Node* node = root.find(section);
    if (node == nullptr || node->kind == Node::Kind::null) return;
    for (const DataSource& source : read_data_sources(draft, *node, fmt::format("'{}'", section)))
      read_file(draft, source, measurements);
  };
  read_section("data", draft.problem.measurements);
  read_section("validation", draft.problem.validation);
  if (!draft.log.empty() || !draft.data_issues.empty()) return;
  warn_of_unused(draft, root);
  settle_start(draft, root);
}

}  // namespace salvo::formats
