#pragma once

#include <string>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"
#include "formats/problem/time_column.hpp"

namespace salvo::formats {

// A table as it is written for NONMEM, a row for each dose and each measurement of each patient, parted into the two
// tables that the rest of the reader knows. Every cell keeps its place in the file.
struct NonmemTable {
  csv::Table measurements{};            // experiment,time,measured and observable,value or a column per observable
  csv::Table doses{};                   // experiment,time,state,amount,duration
  std::vector<std::string> patients{};  // the IDs, in the order in which they appear
};

// `ignored`: columns to pass over; `time`: how times are counted; those of measurements stand as they are in the file.
NonmemTable part_nonmem(const Draft& draft, const csv::Table& table, const std::vector<bool>& ignored,
                        const TimeColumn& time, IssueLog& log);

}  // namespace salvo::formats
