#pragma once

#include <string>
#include <vector>

#include "base/issue.hpp"

namespace salvo::formats {

// A problem in another format: its files, by their names within one folder, the problem's own first.
struct Written {
  struct File {
    std::string name{};
    std::string text{};
  };
  std::vector<File> files{};
  std::vector<std::string> lost{};  // what the format cannot say, in words
};

// An Issue for each file that stands in the folder already.
Issues already_there(const Written& written, const std::string& folder);

}  // namespace salvo::formats
