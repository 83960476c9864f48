#pragma once

#include <string>
#include <vector>

#include "formats/issue_log.hpp"

namespace salvo::formats {

// Mistakes that a whole column shares, such as dates for times: of each kind the first is told, with how many more
// there are.
class RepeatedIssues {
 public:
  void add(const std::string& kind, Place place, std::string message, std::string hint = {});

  struct Kind {
    std::string name{};
    Place place{};
    std::string message{};
    std::string hint{};
    std::size_t count = 0;

    std::string text() const;  // the message, and "and 9 more like it"
  };
  const std::vector<Kind>& kinds() const { return kinds_; }
  void tell(IssueLog& log) const;

 private:
  std::vector<Kind> kinds_;
};

}  // namespace salvo::formats
