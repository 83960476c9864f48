#pragma once

#include <string>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// One data file as the problem file names it: a name, or {file: ..., time: ..., columns: {...}, ignore: [...]}, and
// {format: nonmem, bioavailability: ..., lag: ...} besides where it holds doses too.
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
};

// What a section such as `data` names; `what`: "'data'".
std::vector<DataSource> read_data_sources(Draft& draft, const yaml::Node& section, const std::string& what);

// Gives the columns of a table their meanings as names; those that are to be ignored, which it returns, have none.
std::vector<bool> name_columns(Draft& draft, const DataSource& source, csv::Row& header);

}  // namespace salvo::formats
