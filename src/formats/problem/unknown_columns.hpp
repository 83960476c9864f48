#pragma once

#include <string>
#include <vector>

#include "formats/csv/table.hpp"

namespace salvo::formats {

// Tells of columns that mean nothing to the problem: slips of the pen one by one, all others in one Issue that shows
// how to map or to ignore them.
struct UnknownColumns {
  std::vector<csv::Cell> cells{};
  bool is_time_missing = false;
  std::vector<std::string> known{};        // names that columns may have
  std::vector<std::string> observables{};  // of the problem
};
void report_unknown_columns(const UnknownColumns& unknown, const csv::Row& header, IssueLog& log);

}  // namespace salvo::formats
