#pragma once

#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// The measurements of one table, wide (a column per observable) or long (columns observable and value).
std::vector<model::Measurement> read_measurements(const Draft& draft, const csv::Table& table, IssueLog& log);

}  // namespace salvo::formats
