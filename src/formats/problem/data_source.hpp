#pragma once

#include <string>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"
#include "formats/problem/time_column.hpp"

namespace salvo::formats {

// One data file as the problem file names it: a name, or {file: ..., time: ..., columns: {...}, experiment: ...,
// covariates: {...}, ignore: [...]}, and {format: nonmem, bioavailability: ..., lag: ...} besides where it holds doses
// too.
struct DataSource {
  const yaml::Node* node = nullptr;  // as it is named
  const yaml::Node* file = nullptr;  // the name alone
  bool is_nonmem = false;
  // What a column is to Salvo (time, an observable, experiment, value, ...) and what the file calls it.
  struct Column {
    std::string meaning{};
    const yaml::Node* name = nullptr;
  };
  std::vector<Column> columns{};
  std::vector<const yaml::Node*> ignored{};
  TimeColumn time{};
  const yaml::Node* experiment = nullptr;  // to which all rows belong; none: a column may say it
  std::vector<Column> covariates{};        // constants of an experiment, by the names of parameters
};

// The covariates that a description of a data file names, each with the column that holds it.
std::vector<DataSource::Column> covariates_of(const yaml::Node& source);

// What a section such as `data` names; `what`: "'data'".
std::vector<DataSource> read_data_sources(Draft& draft, const yaml::Node& section, const std::string& what);

// Gives the columns of a table their meanings as names; those that are to be ignored, and covariates, which it returns,
// have none.
std::vector<bool> name_columns(Draft& draft, const DataSource& source, csv::Row& header);

}  // namespace salvo::formats
