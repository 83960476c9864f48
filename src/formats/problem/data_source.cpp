#include "formats/problem/data_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

// What columns can mean besides observables.
const std::vector<std::string> other_meanings{"experiment", "observable", "value", "noise", "measured"};

void read_columns(Draft& draft, const Node& map, DataSource& source) {
  if (!is_map(draft, map, "'columns' of the data")) return;
  for (const yaml::Entry& entry : map.entries) {
    const std::string& meaning = entry.key.text;
    const Name* name = draft.find(meaning);
    const bool is_coordinate = name != nullptr && name->kind == Name::Kind::coordinate;
    if (!draft.has_observable(meaning) && !is_coordinate &&
        std::find(other_meanings.begin(), other_meanings.end(), meaning) == other_meanings.end()) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'columns' is not an observable", meaning),
                    "write observable: name of its column; " + hint_for_unknown(meaning, draft.observable_names()));
      continue;
    }
    if (read_text(draft, entry.value, fmt::format("the column of {}", meaning)))
      source.columns.push_back({meaning, &entry.value});
  }
}

void read_ignored(Draft& draft, const Node& node, DataSource& source) {
  const bool is_one = node.is_text();
  if (!is_one && !is_list(draft, node, "'ignore' of the data")) return;
  const auto add = [&](const Node& name) {
    if (read_text(draft, name, "a column to ignore")) source.ignored.push_back(&name);
  };
  if (is_one) add(node);
  for (const Node& name : node.items) add(name);
}

// They have been declared with the names of the problem.
void read_covariates(Draft& draft, const Node& node, const Node& covariates, DataSource& source) {
  if (!covariates.is_text() && covariates.kind != Node::Kind::sequence &&
      !is_map(draft, covariates, "'covariates' of the data"))
    return;
  for (const DataSource::Column& covariate : covariates_of(node))
    if (read_text(draft, *covariate.name, fmt::format("the column of {}", covariate.meaning)))
      source.covariates.push_back(covariate);
}

// Is it a table for NONMEM?
bool read_format(Draft& draft, const Node& node) {
  const Node* format = node.find("format");
  if (format == nullptr) return false;
  const std::optional<std::string> word = read_text(draft, *format, "the format of the data");
  if (word && *word != "nonmem")
    draft.log.add(
        format->place, fmt::format("unknown format '{}' of the data", *word),
        "known: nonmem; tables with a column per observable, or with the columns observable and value, need none");
  return word == "nonmem";
}

std::optional<DataSource> read_source(Draft& draft, const Node& node, const std::string& what) {
  DataSource source{.node = &node, .file = &node};
  if (node.kind == Node::Kind::map) {
    source.is_nonmem = read_format(draft, node);
    std::vector<std::string> options{"file", "format", "time", "columns", "experiment", "covariates", "ignore"};
    if (source.is_nonmem) options.insert(options.end(), {"bioavailability", "lag"});
    check_options(draft, node, what, options);
    source.file = node.find("file");
    if (source.file == nullptr) {
      draft.log.add(node.place, fmt::format("{} names no file", what), "write {file: measurements.csv, ...}");
      return std::nullopt;
    }
    if (const Node* time = node.find("time")) source.time = read_time_column(draft, *time, what);
    if (source.time.name != nullptr) source.columns.push_back({"time", source.time.name});
    if (const Node* experiment = node.find("experiment"))
      if (read_text(draft, *experiment, "the experiment of the data")) source.experiment = experiment;
    if (const Node* covariates = node.find("covariates")) read_covariates(draft, node, *covariates, source);
    if (const Node* columns = node.find("columns")) read_columns(draft, *columns, source);
    if (const Node* ignored = node.find("ignore")) read_ignored(draft, *ignored, source);
  }
  if (!read_text(draft, *source.file, what + " (the name of a file)")) return std::nullopt;
  return source;
}

std::optional<std::size_t> find_column(Draft& draft, const csv::Row& header, const Node& name) {
  if (const auto column = csv::column_of(header, name.text)) return column;
  std::vector<std::string> names;
  for (const csv::Cell& cell : header) names.push_back(cell.text);
  draft.log.add(name.place, fmt::format("the data file has no column '{}'", name.text),
                hint_for_unknown(name.text, names));
  return std::nullopt;
}

// A column that the file itself calls by a name that `columns` gives to another one.
void refuse_second(Draft& draft, const DataSource::Column& column, const csv::Row& header,
                   const std::vector<std::string>& meanings) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (meanings[i].empty() && header[i].text == column.meaning)
      draft.log.add(
          column.name->place,
          fmt::format("the data file has the column '{}' too; it is not clear which one is meant", column.meaning),
          fmt::format("write ignore: [{}], or do not map it", column.meaning));
}

}  // namespace

std::vector<DataSource::Column> covariates_of(const Node& source) {
  std::vector<DataSource::Column> covariates;
  const Node* section = source.find("covariates");
  if (section == nullptr) return covariates;
  if (section->is_text()) covariates.push_back({section->text, section});
  for (const Node& name : section->items) covariates.push_back({name.text, &name});
  for (const yaml::Entry& entry : section->entries) covariates.push_back({entry.key.text, &entry.value});
  return covariates;
}

std::vector<DataSource> read_data_sources(Draft& draft, const Node& section, const std::string& what) {
  std::vector<DataSource> sources;
  const auto add = [&](const Node& node) {
    if (auto source = read_source(draft, node, what)) sources.push_back(*std::move(source));
  };
  if (section.kind != Node::Kind::sequence)
    add(section);
  else if (section.items.empty())
    draft.log.add(section.place, fmt::format("{} names no file", what));
  for (const Node& item : section.items) add(item);
  return sources;
}

std::vector<bool> name_columns(Draft& draft, const DataSource& source, csv::Row& header) {
  std::vector<bool> ignored(header.size(), false);
  for (const Node* name : source.ignored)
    if (const auto column = find_column(draft, header, *name)) ignored[*column] = true;
  std::vector<std::string> meanings(header.size());
  for (const DataSource::Column& column : source.columns) {
    const auto found = find_column(draft, header, *column.name);
    if (!found) continue;
    if (!meanings[*found].empty() || ignored[*found]) {
      draft.log.add(column.name->place,
                    ignored[*found]
                        ? fmt::format("the column '{}' is ignored", column.name->text)
                        : fmt::format("the column '{}' is already that of '{}'", column.name->text, meanings[*found]),
                    "a column has one meaning");
      continue;
    }
    meanings[*found] = column.meaning;
  }
  for (std::size_t i = 0; i < meanings.size(); ++i)
    if (ignored[i]) header[i].text.clear();  // its name is free
  for (const DataSource::Column& column : source.columns)
    if (std::find(meanings.begin(), meanings.end(), column.meaning) != meanings.end())
      refuse_second(draft, column, header, meanings);
  for (const DataSource::Column& covariate : source.covariates) {
    const auto found = find_column(draft, header, *covariate.name);
    if (found && meanings[*found].empty()) ignored[*found] = true;
  }
  for (std::size_t i = 0; i < meanings.size(); ++i)
    if (!meanings[i].empty()) header[i].text = meanings[i];
  return ignored;
}

}  // namespace salvo::formats
