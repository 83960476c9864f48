#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

// Files that a problem file names, relative to its own folder.
namespace salvo::formats {

// The path of the file that this text names.
std::string path_of_named_file(const Draft& draft, const yaml::Node& name);

// An unreadable file is told where it is named, what is wrong inside it where it stands there; `what` says what it is
// for: "the data file".
std::optional<TextFile> read_named_file(Draft& draft, const yaml::Node& name, const std::string& what);

// The Issues inside such a file.
void add_issues_of_file(Draft& draft, const TextFile& file, const IssueLog& log);

}  // namespace salvo::formats
