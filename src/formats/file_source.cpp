#include "formats/file_source.hpp"

#include <filesystem>
#include <utility>

namespace salvo::formats {

Result<std::string> FileSource::bytes(const std::string& path) {
  if (given_) {
    const auto found = given_->find(path);
    if (found != given_->end()) return found->second;
    return Issue{.kind = Issue::Kind::unreadable, .file = path, .message = "cannot be read: there is no such file"};
  }
  Result<std::string> read = read_bytes(path);
  if (!read || !folder_) return read;
  remembered_[path.starts_with(*folder_) ? path.substr(folder_->size()) : path] = *read;
  return read;
}

Result<TextFile> FileSource::text(const std::string& path) {
  Result<std::string> read = bytes(path);
  if (!read) return read.issues();
  return as_text_file(path, *std::move(read));
}

void FileSource::remember(const std::string& problem_file) {
  const std::filesystem::path folder = std::filesystem::path(problem_file).parent_path();
  folder_ = folder.empty() ? std::string{} : (folder / "").string();
}

}  // namespace salvo::formats
