#include "formats/problem/named_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/words.hpp"
#include "formats/outside_files.hpp"

namespace salvo::formats {
namespace {

// What else is in folders outside is nobody's business.
std::string hint_for_file(const Draft& draft, const std::filesystem::path& path) {
  std::vector<std::string> beside;
  if (draft.source.is_given()) {
    for (const auto& [name, text] : draft.source.given()) beside.push_back(name);
    return hint_for_unknown(path.string(), beside);
  }
  if (is_outside(draft.file.name, path.string())) return "names are relative to the folder of the problem file";
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    beside.push_back(entry.path().filename().string());
  std::sort(beside.begin(), beside.end());
  const auto near = nearest_word(path.filename().string(), beside);
  return near ? fmt::format("did you mean '{}'?", *near) : "names are relative to the folder of the problem file";
}

}  // namespace

std::string path_of_named_file(const Draft& draft, const yaml::Node& name) {
  if (!draft.given_data.empty() && name.text == draft.given_data) return name.text;
  return (std::filesystem::path(draft.file.name).parent_path() / name.text).string();
}

std::optional<TextFile> read_named_file(Draft& draft, const yaml::Node& name, const std::string& what) {
  const std::string path = path_of_named_file(draft, name);
  Result<TextFile> file = draft.source.text(path);
  if (file) {
    draft.problem.files_read.push_back({path, file->sha256});
    return *std::move(file);
  }
  for (Issue issue : file.issues()) {
    if (issue.kind != Issue::Kind::unreadable) {
      draft.data_issues.push_back(std::move(issue));
      continue;
    }
    issue.message = fmt::format("{} '{}' {}", what, name.text, issue.message);
    issue.hint = hint_for_file(draft, path);
    issue.file = draft.file.name;
    issue.line = name.place.line;
    issue.column = name.place.column;
    draft.log.add(std::move(issue));
  }
  return std::nullopt;
}

void add_issues_of_file(Draft& draft, const TextFile& file, const IssueLog& log) {
  Issues issues = log.issues();
  sort_by_place(issues);
  columns_in_characters(file, issues);
  draft.data_issues_left_out += log.left_out();
  draft.data_issues.insert(draft.data_issues.end(), issues.begin(), issues.end());
}

}  // namespace salvo::formats
