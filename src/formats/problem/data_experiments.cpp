#include "formats/problem/data_experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "base/words.hpp"
#include "formats/problem/cells.hpp"
#include "formats/problem/named_file.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// The rows of a table with the experiment that each belongs to; what is wrong with them is told when measurements are
// read.
class RowsByExperiment {
 public:
  RowsByExperiment(const Draft& draft, const OpenedTable& table) : source_(*table.source), file_(*table.file) {
    header_ = csv::read_header(file_, csv::style_for(file_));
    time_ = column("time", "TIME");
    if (source_.experiment == nullptr && !draft.has_observable("experiment")) experiment_ = column("experiment", "ID");
  }

  const Row& header() const { return header_; }
  // Do the rows say it, or the problem file of all of them?
  bool names_experiments() const { return experiment_ || source_.experiment != nullptr; }

  void each(const std::function<void(const std::string& experiment, const Row& row)>& use) const {
    IssueLog told_later(file_.name);
    bool is_first = true;
    const auto take = [&](const Row& row) {
      const bool has_units = is_first && time_ && is_row_of_units(row, *time_);
      is_first = false;
      if (!has_units) use(experiment_of(row), row);
    };
    csv::read_rows(
        file_, csv::style_for(file_), told_later, [](const Row&) {}, take);
  }

 private:
  // By what the problem file calls it, or by its usual name.
  std::optional<std::size_t> column(const std::string& meaning, const std::string& in_nonmem) const {
    for (const DataSource::Column& mapped : source_.columns)
      if (mapped.meaning == meaning) return csv::column_of(header_, mapped.name->text);
    const auto is_ignored = [&](const Cell& cell) {
      return std::any_of(source_.ignored.begin(), source_.ignored.end(),
                         [&](const yaml::Node* name) { return name->text == cell.text; });
    };
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (!is_ignored(header_[i]) &&
          (header_[i].text == meaning || (source_.is_nonmem && in_capitals(header_[i].text) == in_nonmem)))
        return i;
    return std::nullopt;
  }
  std::string experiment_of(const Row& row) const {
    if (source_.experiment != nullptr) return source_.experiment->text;
    return experiment_ ? row[*experiment_].text : "";
  }

  const DataSource& source_;
  const TextFile& file_;
  Row header_;
  std::optional<std::size_t> time_, experiment_;
};

// --- covariates ----------------------------------------------------------------------------------------------------

class CovariateReader {
 public:
  explicit CovariateReader(Draft& draft) : draft_(draft) {
    for (std::size_t e = 0; e < draft.problem.experiments.size(); ++e)
      place_of_.emplace(draft.problem.experiments[e].id, e);
    found_.resize(draft.problem.experiments.size());
  }

  void read(const OpenedTable& table) {
    const RowsByExperiment rows(draft_, table);
    std::vector<Column> columns;
    for (const DataSource::Column& covariate : table.source->covariates) {
      const Name* name = draft_.find(covariate.meaning);
      const auto at = csv::column_of(rows.header(), covariate.name->text);
      if (name == nullptr || name->kind != Name::Kind::parameter || !at || !is_constant(*name, covariate)) continue;
      columns.push_back({name->index, *at, &covariate});
      asked_.emplace(name->index, covariate.name->place);
    }
    if (columns.empty()) return;
    IssueLog log(table.file->name);
    CellReader cells(draft_, log, "leave the cell empty: a row of the same experiment has it");
    rows.each([&](const std::string& experiment, const Row& row) {
      if (const auto e = find(experiment))
        for (const Column& column : columns) read_cell(row[column.at], column, *e, cells);
    });
    cells.tell();
    add_issues_of_file(draft_, *table.file, log);
  }

  void set() {
    for (std::size_t e = 0; e < found_.size(); ++e)
      for (const auto& [parameter, place] : asked_) set_one(parameter, place, e);
  }

 private:
  struct Column {
    int parameter = 0;
    std::size_t at = 0;
    const DataSource::Column* covariate = nullptr;
  };
  struct Value {
    double number = 0;
    int line = 0;
  };

  bool is_constant(const Name& name, const DataSource::Column& covariate) {
    if (!draft_.problem.parameters[static_cast<std::size_t>(name.index)].is_estimated()) return true;
    draft_.log.add(covariate.name->place,
                   fmt::format("{} is estimated, and cannot be a covariate that the data state", covariate.meaning),
                   fmt::format("leave {} out of 'parameters', or write a number there", covariate.meaning));
    return false;
  }

  std::optional<std::size_t> find(const std::string& experiment) const {
    if (experiment.empty() && found_.size() == 1) return 0;
    const auto at = place_of_.find(experiment);
    return at == place_of_.end() ? std::nullopt : std::optional(at->second);
  }

  void read_cell(const Cell& cell, const Column& column, std::size_t e, CellReader& cells) {
    const std::string& id = column.covariate->meaning;
    if (is_gap(cell) || cell.text == ".") return;
    const std::optional<double> value = cells.finite(cell, fmt::format("the covariate {}", id));
    if (!value) return;
    const auto [known, is_new] = found_[e].emplace(column.parameter, Value{*value, cell.place.line});
    if (is_new || known->second.number == *value) return;
    cells.repeated().add(
        id, cell.place,
        fmt::format("the covariate {} is {} here, but {} in line {}, in the same experiment '{}'", id, cell.text,
                    number_text(known->second.number), known->second.line, draft_.problem.experiments[e].id),
        "a covariate is constant within an experiment; what changes with time is an input");
  }

  void set_one(int parameter, Place place, std::size_t e) {
    model::Experiment& experiment = draft_.problem.experiments[e];
    const std::string& id = draft_.problem.parameters[static_cast<std::size_t>(parameter)].id;
    const auto is_it = [&](const auto& entry) { return entry.first == parameter; };
    const bool is_set = std::any_of(experiment.overrides.begin(), experiment.overrides.end(), is_it);
    const auto value = found_[e].find(parameter);
    if (value == found_[e].end()) {
      const Place listed = draft_.find(id)->place;  // under 'parameters', if it is listed there with a number
      const bool has_default = listed.line != place.line || listed.column != place.column;
      if (!is_set && !has_default)
        draft_.log.add(place,
                       fmt::format("no row of experiment '{}' has a value of the covariate {}", experiment.id, id),
                       fmt::format("add it to the data, or write a number for all under 'parameters': {}: 1", id));
    } else if (is_set) {
      draft_.log.add(place, fmt::format("experiment '{}' sets {}, which is a covariate of its data", experiment.id, id),
                     "say it in one place");
    } else {
      experiment.overrides.emplace_back(parameter, draft_.problem.graph.constant(value->second.number));
    }
  }

  Draft& draft_;
  std::map<std::string, std::size_t> place_of_;
  std::vector<std::map<int, Value>> found_;  // of every experiment, by parameter
  std::map<int, Place> asked_;               // where a covariate is named first
};

}  // namespace

void add_experiments_of_data(Draft& draft, const yaml::Node& root, const std::vector<OpenedTable>& tables,
                             const std::vector<std::string>& patients) {
  if (root.find("experiments") != nullptr) return;
  std::vector<std::string> ids;
  std::set<std::string> known;
  const auto add = [&](const std::string& id) {
    if (!id.empty() && known.insert(id).second) ids.push_back(id);
  };
  for (const std::string& patient : patients) add(patient);
  for (const OpenedTable& table : tables) {
    const RowsByExperiment rows(draft, table);
    if (!table.source->is_nonmem && rows.names_experiments())
      rows.each([&](const std::string& experiment, const Row&) { add(experiment); });
  }
  if (ids.empty()) return;
  model::Experiment each = draft.problem.experiments[0];
  draft.problem.experiments.clear();
  for (const std::string& id : ids) {
    each.id = id;
    draft.problem.experiments.push_back(each);
  }
  draft.start_is_stated.assign(ids.size(), draft.start_is_stated[0]);
}

void set_covariates(Draft& draft, const std::vector<OpenedTable>& tables) {
  CovariateReader reader(draft);
  for (const OpenedTable& table : tables) reader.read(table);
  if (draft.log.empty() && draft.data_issues.empty()) reader.set();
}

}  // namespace salvo::formats
