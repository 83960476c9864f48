#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/csv/table.hpp"
#include "formats/problem/draft.hpp"
#include "formats/repeated_issues.hpp"

namespace salvo::formats {

bool is_gap(const csv::Cell& cell);  // empty, or NA

// Numbers and times in the cells of one table. What is wrong in many of them is told once, by `tell`.
class CellReader {
 public:
  // `without`: what to do where there is no value; `time_scale`: what times that are numbers are multiplied by.
  CellReader(const Draft& draft, IssueLog& log, std::string without, double time_scale = 1)
      : draft_(draft), log_(log), without_(std::move(without)), time_scale_(time_scale) {}

  std::optional<double> finite(const csv::Cell& cell, std::string_view what);
  // A number, inf (the steady state), or a date where the problem file says how they are counted.
  std::optional<double> time(const csv::Cell& cell);

  RepeatedIssues& repeated() { return repeated_; }
  void tell() const { repeated_.tell(log_); }

 private:
  const Draft& draft_;
  IssueLog& log_;
  std::string without_;
  double time_scale_;
  RepeatedIssues repeated_;
  std::optional<bool> has_dates_{};  // in the column of times; unknown before its first cell
};

}  // namespace salvo::formats
