#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"
#include "formats/problem/time_column.hpp"

namespace salvo::formats {

// Gives the columns their meanings and tells which to pass over; nothing if the header is not as was said.
using NameColumns = std::function<std::optional<std::vector<bool>>(csv::Row& header)>;

// What is said of a table besides.
struct TableMeaning {
  NameColumns name_columns{};
  TimeColumn time{};
  std::string experiment{};  // to which all rows belong; empty: a column may say it
};

struct MeasurementsRead {
  std::vector<Draft::EarlyRow> early{};                 // before a start that is not stated
  std::vector<std::pair<int, double>> without_value{};  // experiments and times of rows in which nothing was measured
};

// Adds the measurements of one table, wide (a column per observable) or long (columns observable and value).
MeasurementsRead read_measurements(const Draft& draft, const TextFile& table, const TableMeaning& meaning,
                                   IssueLog& log, std::vector<model::Measurement>& to);
// This reads a table that has been taken apart, with columns that are named as they should be.
MeasurementsRead read_measurements(const Draft& draft, const csv::Table& table, const TableMeaning& meaning,
                                   IssueLog& log, std::vector<model::Measurement>& to);

}  // namespace salvo::formats
