#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Gives the columns their meanings and tells which to pass over; nothing if the header is not as was said.
using NameColumns = std::function<std::optional<std::vector<bool>>(csv::Row& header)>;

// Adds the measurements of one table, wide (a column per observable) or long (columns observable and value). What it
// returns lies before a start that is not stated.
std::vector<Draft::EarlyRow> read_measurements(const Draft& draft, const TextFile& table,
                                               const NameColumns& name_columns, IssueLog& log,
                                               std::vector<model::Measurement>& to);
// This reads a table that has been taken apart, with columns that are named as they should be.
std::vector<Draft::EarlyRow> read_measurements(const Draft& draft, const csv::Table& table, IssueLog& log,
                                               std::vector<model::Measurement>& to);

}  // namespace salvo::formats
