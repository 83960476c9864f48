#include "formats/issue_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace salvo::formats {
namespace {

// More than are shown, so that sorting by place still finds the first ones of a problem file.
constexpr std::size_t most_issues_kept = 10'000;

}  // namespace

std::string to_string(Place place) { return fmt::format("line {}, column {}", place.line, place.column); }

void IssueLog::add(Place place, std::string message, std::string hint) {
  add(Issue{.kind = Issue::Kind::invalid,
            .file = file_,
            .line = place.line,
            .column = place.column,
            .message = std::move(message),
            .hint = std::move(hint)});
}

void IssueLog::add(Issue issue) {
  if (issues_.size() < most_issues_kept)
    issues_.push_back(std::move(issue));
  else
    ++left_out_;
}

void IssueLog::add_all(const Issues& issues) {
  for (const Issue& issue : issues) add(issue);
}

Issues shorten(Issues issues, std::size_t left_out) {
  const std::size_t all = issues.size() + left_out;
  if (all <= most_issues_shown) return issues;
  issues.resize(most_issues_shown);
  issues.push_back({.kind = Issue::Kind::invalid,
                    .file = issues.back().file,
                    .message = fmt::format("and {} more", all - most_issues_shown)});
  return issues;
}

void sort_by_place(Issues& issues) {
  std::stable_sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
}

}  // namespace salvo::formats
