#pragma once

#include <cstddef>
#include <string>

#include "base/issue.hpp"

namespace salvo::formats {

// Line and column count from 1. Columns count bytes until an Issue is shown; see columns_in_characters.
struct Place {
  int line = 0;
  int column = 0;
};

// "line 3, column 7"
std::string to_string(Place place);

// The Issues of one file. Of very many only the first are kept; the rest are counted.
class IssueLog {
 public:
  explicit IssueLog(std::string file) : file_(std::move(file)) {}

  void add(Place place, std::string message, std::string hint = {});
  void add(Issue issue);
  void add_all(const Issues& issues);
  void leave_out() { ++left_out_; }  // one that is counted, and would not be shown

  bool empty() const { return issues_.empty(); }
  const std::string& file() const { return file_; }
  const Issues& issues() const { return issues_; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::string file_;
  Issues issues_;
  std::size_t left_out_ = 0;
};

inline constexpr std::size_t most_issues_shown = 100;

// At most `most_issues_shown`, and one more that says how many there are besides.
Issues shorten(Issues issues, std::size_t left_out);

void sort_by_place(Issues& issues);

}  // namespace salvo::formats
