#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/words.hpp"
#include "formats/csv/table.hpp"
#include "formats/problem/data_experiments.hpp"
#include "formats/problem/data_source.hpp"
#include "formats/problem/measurements.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/nonmem.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Measurement;
using yaml::Node;

// Nothing, and an Issue, if it cannot be read.
std::optional<TextFile> open_data_file(Draft& draft, const Node& name) {
  const std::string path = path_of_named_file(draft, name);
  auto& files = draft.problem.data_files;
  const auto is_same = [&](const std::string& other) {  // under whatever name
    std::error_code error;
    return other == path || (!draft.source.is_given() && std::filesystem::equivalent(other, path, error));
  };
  if (std::any_of(files.begin(), files.end(), is_same)) {
    draft.log.add(name.place, fmt::format("the data file '{}' is named twice", name.text), "remove one of them");
    return std::nullopt;
  }
  files.push_back(path);
  return read_named_file(draft, name, "the data file");
}

NameColumns name_header(Draft& draft, const DataSource& source) {
  return [&](csv::Row& header) -> std::optional<std::vector<bool>> {
    const std::size_t issues_before = draft.log.issues().size();
    std::vector<bool> ignored = name_columns(draft, source, header);
    if (draft.log.issues().size() != issues_before) return std::nullopt;
    return ignored;
  };
}

TableMeaning meaning_of(Draft& draft, const DataSource& source) {
  return {.name_columns = name_header(draft, source),
          .time = source.time,
          .experiment = source.experiment != nullptr ? source.experiment->text : ""};
}

// Rows that are too early wait for the start to be settled; those without a value say where one is to be predicted.
void keep_rows(Draft& draft, const TextFile& file, const MeasurementsRead& read) {
  for (const Draft::EarlyRow& row : read.early) {
    Issues issues{row.issue};
    columns_in_characters(file, issues);
    draft.early_rows.push_back({row.experiment, issues[0]});
  }
  for (const auto& [experiment, time] : read.without_value)
    draft.problem.experiments[static_cast<std::size_t>(experiment)].predicted_at.push_back(time);
}

void read_file(Draft& draft, const DataSource& source, const TextFile& file, std::vector<Measurement>& measurements) {
  IssueLog log(file.name);
  if (draft.problem.observables.empty())  // told already; what is wrong with the lines is told all the same
    csv::read_rows(
        file, csv::style_for(file), log, [](const csv::Row&) {}, [](const csv::Row&) {});
  else
    keep_rows(draft, file, read_measurements(draft, file, meaning_of(draft, source), log, measurements));
  add_issues_of_file(draft, file, log);
}

// --- tables for NONMEM ---------------------------------------------------------------------------------------------

// One whose rows have been parted and not yet read: that waits for all patients to be known.
struct PartedFile {
  const TextFile* file = nullptr;
  TimeColumn time{};
  NonmemTable parts{};
  std::vector<Measurement>* measurements = nullptr;
};

void part_file(Draft& draft, const DataSource& source, const TextFile& file, std::vector<Measurement>& to,
               std::vector<PartedFile>& parted) {
  if (draft.problem.observables.empty() || draft.problem.states.empty()) return;
  IssueLog log(file.name);
  csv::Table table = csv::read_table(file, csv::style_for(file), log);
  NonmemTable parts;
  if (!table.header.empty())
    if (const auto ignored = name_header(draft, source)(table.header))
      parts = part_nonmem(draft, table, *ignored, source.time, log);
  add_issues_of_file(draft, file, log);
  if (!log.empty() || parts.measurements.header.empty()) return;
  if (!parts.doses.rows.empty())
    draft.found_doses.push_back({.source = source.node, .file = file, .table = std::move(parts.doses)});
  parted.push_back({.file = &file, .time = source.time, .parts = std::move(parts), .measurements = &to});
}

void read_parted(Draft& draft, const PartedFile& parted) {
  IssueLog log(parted.file->name);
  const auto as_they_are = [](const csv::Row& header) { return std::vector<bool>(header.size(), false); };
  const TableMeaning meaning{.name_columns = as_they_are, .time = parted.time};
  keep_rows(draft, *parted.file,
            read_measurements(draft, parted.parts.measurements, meaning, log, *parted.measurements));
  add_issues_of_file(draft, *parted.file, log);
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
  // Patients have no section of their own.
  const auto place_of = [&](const char* section, std::size_t i) {
    const Node* node = root.find(section);
    return node != nullptr ? node->entries[i].key.place : root.find("data")->place;
  };
  for (std::size_t i = 0; i < used_observable.size(); ++i)
    if (!used_observable[i])
      draft.warn(place_of("observables", i), fmt::format("no measurement of '{}'", problem.observables[i].id));
  for (std::size_t e = 0; e < used_experiment.size() && used_experiment.size() > 1; ++e)
    if (!used_experiment[e])
      draft.warn(place_of("experiments", e),
                 fmt::format("no measurement of experiment '{}'", problem.experiments[e].id));
}

// Validation data can be predicted where all that their experiment begins with is known or fitted.
void warn_of_unpredictable(Draft& draft, const Node& root) {
  const model::Problem& problem = draft.problem;
  const Node* section = root.find("validation");
  for (std::size_t e = 0; e < problem.experiments.size() && section != nullptr; ++e) {
    const auto is_of = [&](const Measurement& m) { return m.experiment == static_cast<int>(e); };
    const auto& [fitted, held_back] = std::tie(problem.measurements, problem.validation);
    if (std::any_of(fitted.begin(), fitted.end(), is_of) || std::none_of(held_back.begin(), held_back.end(), is_of))
      continue;
    const model::Experiment& its = problem.experiments[e];
    for (std::size_t i = 0; i < its.initial.size() && !its.equilibrate; ++i) {
      if (!std::holds_alternative<model::Estimated>(its.initial[i])) continue;
      draft.warn(section->place,
                 fmt::format("the validation data of experiment '{}' are not predicted: nothing says where its {} "
                             "begins, and nothing of it is fitted",
                             its.id, problem.states[i].id),
                 fmt::format("state the initial value of {}, or fit some of the data of this experiment",
                             problem.states[i].id));
      break;
    }
  }
}

}  // namespace

namespace {

// A file of the sections `data` and `validation`, and where its measurements go.
struct Listed {
  DataSource source{};
  std::optional<TextFile> file{};
  std::vector<Measurement>* measurements = nullptr;
};

std::vector<Listed> open_listed(Draft& draft, const Node& root) {
  std::vector<Listed> listed;
  for (const auto& [section, measurements] :
       {std::pair{"data", &draft.problem.measurements}, std::pair{"validation", &draft.problem.validation}}) {
    const Node* node = root.find(section);
    if (node == nullptr || node->kind == Node::Kind::null) continue;
    for (DataSource& source : read_data_sources(draft, *node, fmt::format("'{}'", section)))
      listed.push_back({.source = std::move(source), .measurements = measurements});
  }
  for (Listed& each : listed) each.file = open_data_file(draft, *each.source.file);
  std::erase_if(listed, [](const Listed& each) { return !each.file; });
  return listed;
}

}  // namespace

void read_data(Draft& draft, const Node& root) {
  const std::vector<Listed> listed = open_listed(draft, root);
  std::vector<OpenedTable> tables;
  std::vector<PartedFile> parted;
  std::vector<std::string> patients;
  for (const Listed& each : listed) {
    tables.push_back({&each.source, &*each.file});
    if (each.source.is_nonmem) part_file(draft, each.source, *each.file, *each.measurements, parted);
  }
  for (const PartedFile& each : parted)
    patients.insert(patients.end(), each.parts.patients.begin(), each.parts.patients.end());
  add_experiments_of_data(draft, root, tables, patients);
  set_covariates(draft, tables);
  for (const PartedFile& each : parted) read_parted(draft, each);
  for (const Listed& each : listed)
    if (!each.source.is_nonmem) read_file(draft, each.source, *each.file, *each.measurements);
  if (!draft.log.empty() || !draft.data_issues.empty()) return;
  if (listed.empty()) return;  // none is named, which is told unless the file asks for a design
  if (draft.problem.measurements.empty()) {
    draft.data_issues.push_back({.file = listed.front().file->name,
                                 .line = 1,
                                 .column = 1,
                                 .message = "the table holds no measurements",
                                 .hint = "add a row with a value for each time"});
    return;
  }
  warn_of_unused(draft, root);
  warn_of_unpredictable(draft, root);
  settle_start(draft, root);
}

}  // namespace salvo::formats
