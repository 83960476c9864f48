#pragma once

#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Adds the measurements of one table, wide (a column per observable) or long (columns observable and value).
void read_measurements(const Draft& draft, const TextFile& table, IssueLog& log, std::vector<model::Measurement>& to);

}  // namespace salvo::formats
