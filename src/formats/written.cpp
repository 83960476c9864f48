#include "formats/written.hpp"

#include <filesystem>
#include <fstream>

namespace salvo::formats {
namespace {

namespace fs = std::filesystem;

Issue refusal(const fs::path& path, const std::string& message, const std::string& hint) {
  return {.kind = Issue::Kind::unreadable, .file = path.string(), .message = message, .hint = hint};
}

bool write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return static_cast<bool>(out);
}

}  // namespace

Issues write_files(const Written& written, const std::string& folder, bool replace) {
  const fs::path into = folder.empty() ? fs::path(".") : fs::path(folder);
  std::error_code error;
  Issues issues;
  for (const Written::File& file : written.files)
    if (!replace && fs::exists(fs::symlink_status(into / file.name, error)))
      issues.push_back(
          refusal(into / file.name, "is there already; nothing was written", "choose another name, or say --replace"));
  if (!issues.empty()) return issues;
  fs::create_directories(into, error);
  for (const Written::File& file : written.files)
    if (error || !write(into / file.name, file.text))
      return {refusal(into / file.name, "cannot be written" + (error ? ": " + error.message() : std::string{}),
                      "is the folder writable, and is there space?")};
  return {};
}

}  // namespace salvo::formats
