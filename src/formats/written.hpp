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

// Puts the files into the folder, which is made if it is not there. What exists is an Issue, and nothing is written,
// unless it may be replaced.
Issues write_files(const Written& written, const std::string& folder, bool replace);

}  // namespace salvo::formats
