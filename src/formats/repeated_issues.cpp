#include "formats/repeated_issues.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::formats {

void RepeatedIssues::add(const std::string& kind, Place place, std::string message, std::string hint) {
  auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.name == kind; });
  if (found == kinds_.end()) {
    kinds_.push_back({.name = kind, .place = place, .message = std::move(message), .hint = std::move(hint)});
    found = kinds_.end() - 1;
  }
  ++found->count;
}

std::string RepeatedIssues::Kind::text() const {
  return count == 1 ? message : fmt::format("{} (and {} more like it)", message, count - 1);
}

void RepeatedIssues::tell(IssueLog& log) const {
  for (const Kind& kind : kinds_) log.add(kind.place, kind.text(), kind.hint);
}

}  // namespace salvo::formats
