#include "report/fit_file.hpp"

#include <fstream>
#include <sstream>
#include <system_error>

#include "report/foreign_json.hpp"

namespace salvo::report {

Issue unreadable_fit(std::string file, std::string message) {
  return {.kind = Issue::Kind::unreadable,
          .file = std::move(file),
          .message = std::move(message),
          .hint = "name the folder that `salvo fit` wrote"};
}

Result<std::string> read_fit_file(const std::filesystem::path& path, std::initializer_list<const char*> members) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return unreadable_fit(path.string(), "there is no such file");
  if (!std::filesystem::is_regular_file(path, error))
    return unreadable_fit(path.string(), "this is not an ordinary file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return unreadable_fit(path.string(), "the file cannot be read");
  const Json json = parse_foreign(text.str());
  for (const char* member : members)
    if (!json.is_object() || !json.contains(member))
      return unreadable_fit(path.string(), "this is not the file of a fit");
  return text.str();
}

}  // namespace salvo::report
