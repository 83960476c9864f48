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
  // `without`: what to do where there is no value.
  CellReader(const Draft& draft, IssueLog& log, std::string without)
      : draft_(draft), log_(log), without_(std::move(without)) {}

  std::optional<double> finite(const csv::Cell& cell, std::string_view what);
  // A number, inf (the steady state), or a date where the problem file says how they are counted.
  std::optional<double> time(const csv::Cell& cell);

  RepeatedIssues& repeated() { return repeated_; }
  void tell() const { repeated_.tell(log_); }

 private:
  const Draft& draft_;
  IssueLog& log_;
  std::string without_;
  RepeatedIssues repeated_;
  std::optional<bool> has_dates_{};  // in the column of times; unknown before its first cell
};

}  // namespace salvo::formats
