#include "formats/written.hpp"

#include <filesystem>

namespace salvo::formats {

Issues already_there(const Written& written, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  Issues issues;
  for (const Written::File& file : written.files) {
    const fs::path path = fs::path(folder) / file.name;
    if (fs::exists(fs::symlink_status(path, error)))
      issues.push_back({.kind = Issue::Kind::unreadable,
                        .file = path.string(),
                        .message = "is there already; nothing was written",
                        .hint = "choose another name, or say --replace"});
  }
  return issues;
}

}  // namespace salvo::formats
