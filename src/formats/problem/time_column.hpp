#pragma once

#include <string>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Where a table has its times, and what they are multiplied by to count in the unit of the problem.
struct TimeColumn {
  const yaml::Node* name = nullptr;  // none: "time"
  double scale = 1;
  std::string unit{};  // as `unit` says; empty where it says nothing
};

// The time in the unit of the problem. Where the scale is one over a whole number it is divided by that, so that 700 ms
// are the number 0.7 that others write.
double scaled_time(double time, double scale);

// `time` of a table: a column, or {column: ..., unit: ms} or {column: ..., scale: 0.001}; `what` names the table.
TimeColumn read_time_column(Draft& draft, const yaml::Node& node, const std::string& what);

// Is it the row of units that some write below the names? The cell of the time then names a unit of time, or stands in
// brackets, and no cell is a number.
bool is_row_of_units(const csv::Row& row, std::size_t time);

// An Issue where such a row has another unit of time than the problem, and nothing says how one becomes the other.
void check_row_of_units(const Draft& draft, const csv::Cell& time, const TimeColumn& column, IssueLog& log);

}  // namespace salvo::formats
