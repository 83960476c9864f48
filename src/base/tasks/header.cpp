#include "base/tasks/header.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::journal {
namespace {

constexpr std::string_view kind_name = "journal";
constexpr std::string_view kind_version = "1";
constexpr std::string_view file_mark = "file ";

bool has_entry(const Line& entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(), [&](const Field& field) { return field.name == name; });
}

std::string stated(const Line& entries, std::string_view name) {
  const std::string_view value = value_of(entries, name);
  return value.empty() ? "not stated" : std::string(value);
}

std::string change_of(std::string_view name, const Line& before, const Line& now) {
  if (!name.starts_with(file_mark))
    return fmt::format("{} was {} and is {}", name, stated(before, name), stated(now, name));
  const std::string_view file = name.substr(file_mark.size());
  if (!has_entry(before, name)) return fmt::format("'{}' was not read then", file);
  if (!has_entry(now, name)) return fmt::format("'{}' is no longer read", file);
  return fmt::format("'{}' has changed", file);
}

}  // namespace

void RunHeader::add(std::string name, std::string value) { entries_.push_back({std::move(name), std::move(value)}); }

void RunHeader::add_file(const std::string& path, std::string sha256) {
  const std::string file = path.substr(path.rfind('/') + 1);
  std::string name = std::string(file_mark) + file;
  for (int n = 2; has_entry(entries_, name); ++n) name = fmt::format("{}{} ({})", file_mark, file, n);
  add(std::move(name), std::move(sha256));
}

void RunHeader::adopt(std::string_view name, const RunHeader& earlier) {
  for (Field& field : entries_)
    if (field.name == name && has_entry(earlier.entries_, name)) field.value = earlier.value(name);
}

Line RunHeader::line() const {
  Line line{{std::string(kind_name), std::string(kind_version), true}};
  line.insert(line.end(), entries_.begin(), entries_.end());
  return line;
}

std::optional<RunHeader> RunHeader::from(const Line& line) {
  if (line.empty() || line.front().name != kind_name || line.front().value != kind_version) return std::nullopt;
  RunHeader header;
  header.entries_.assign(line.begin() + 1, line.end());
  return header;
}

std::string RunHeader::difference_to(const RunHeader& earlier) const {
  std::vector<std::string> changes;
  for (const Field& field : entries_)
    if (!has_entry(earlier.entries_, field.name) || value_of(earlier.entries_, field.name) != field.value)
      changes.push_back(change_of(field.name, earlier.entries_, entries_));
  for (const Field& field : earlier.entries_)
    if (!has_entry(entries_, field.name)) changes.push_back(change_of(field.name, earlier.entries_, entries_));
  return fmt::format("{}", fmt::join(changes, "; "));
}

}  // namespace salvo::journal
