#include "formats/problem/new_problem.hpp"

#include <filesystem>

#include "formats/problem/new_problem_text.hpp"

namespace salvo::formats {
namespace {

namespace fs = std::filesystem;

Issues refusal(const std::string& path, const std::string& message, const std::string& hint) {
  return {{.kind = Issue::Kind::unreadable, .file = path, .message = message, .hint = hint}};
}

}  // namespace

Result<Written> new_problem(const std::string& name) {
  const fs::path folder(name);
  const std::string stem = folder.filename().string();
  if (stem.empty() || stem == "." || stem == ".." || name.front() == '-')
    return refusal(name, "this cannot be the name of a new problem", "use a plain word, such as hares");
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return refusal(name, "there is already something of this name; nothing was written", "choose another name");
  return Written{.files = {{stem + ".yaml", std::string(new_problem_yaml)},
                           {std::string(new_problem_data_name), std::string(new_problem_data)}}};
}

}  // namespace salvo::formats
