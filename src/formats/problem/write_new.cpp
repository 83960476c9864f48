#include "formats/problem/write_new.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "formats/problem/new_problem_text.hpp"

namespace salvo::formats {
namespace {

namespace fs = std::filesystem;

Issues refusal(const std::string& path, const std::string& message, const std::string& hint) {
  return {{.kind = Issue::Kind::unreadable, .file = path, .message = message, .hint = hint}};
}

bool write(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return static_cast<bool>(out);
}

}  // namespace

Issues write_new_problem(const std::string& name) {
  const fs::path folder(name);
  const std::string stem = folder.filename().string();
  if (stem.empty() || stem == "." || stem == ".." || name.front() == '-')
    return refusal(name, "this cannot be the name of a new problem", "use a plain word, such as hares");
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return refusal(name, "there is already something of this name; nothing was written", "choose another name");
  fs::create_directories(folder, error);
  const fs::path problem = folder / (stem + ".yaml");
  if (error || !write(problem, new_problem_yaml) || !write(folder / new_problem_data_name, new_problem_data))
    return refusal(name, "cannot be written" + (error ? ": " + error.message() : std::string{}),
                   "is the folder writable, and is there space?");
  return {};
}

}  // namespace salvo::formats
