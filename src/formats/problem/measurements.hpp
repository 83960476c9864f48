#pragma once

#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// The measurements of one table, wide (a column per observable) or long (columns observable and value).
struct MeasurementTable {
  std::vector<model::Measurement> measurements{};
  std::vector<Draft::EarlyRow> early_rows{};  // before a start that is not stated
};
MeasurementTable read_measurements(const Draft& draft, const csv::Table& table, IssueLog& log);

}  // namespace salvo::formats
