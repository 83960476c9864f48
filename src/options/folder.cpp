#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "options/prepare.hpp"

namespace salvo::options {

Issues check_folder(const std::string& folder, Door door) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (existing.has_relative_path() && fs::symlink_status(existing, error).type() == fs::file_type::not_found)
    existing = existing.parent_path();
  const std::string option = spelled(door, "--out");
  if (!fs::is_directory(existing, error))
    return {usage_issue(
        fmt::format("{}: the folder '{}' cannot be made: '{}' is not a folder", option, folder, existing.string()))};
  if (access(existing.c_str(), W_OK | X_OK) == 0) return {};
  return {usage_issue(fmt::format("{}: nothing can be written into the folder '{}': {}", option, existing.string(),
                                  std::strerror(errno)))};
}

}  // namespace salvo::options
