#include "formats/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/sha256.hpp"

namespace salvo::formats {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

Issue unreadable(const std::string& path, const std::string& why) {
  return {.kind = Issue::Kind::unreadable, .file = path, .message = "cannot be read: " + why};
}

std::optional<std::string> why_unreadable(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (error) return error.message();
  if (std::filesystem::is_directory(status)) return "it is a folder";
  if (!std::filesystem::is_regular_file(status)) return "it is not an ordinary file";
  if (std::filesystem::file_size(path, error) > largest_file) return "it is larger than 1 GiB";
  return std::nullopt;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// How many bytes the character at the front of `text` takes; 0 if it is not valid UTF-8 (overlong forms, surrogates
// and numbers past the last character are not).
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

// Terminals obey control characters of both blocks; the second one has two bytes in UTF-8.
std::optional<int> unwanted_control(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if ((first < 0x20 && first != '\t') || first == 0x7F) return first;
  const auto second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0;
  if (first == 0xC2 && second < 0xA0) return second;
  return std::nullopt;
}

// The first thing in a line that does not belong in a text file.
std::optional<Issue> find_fault(std::string_view line) {
  if (line.size() > longest_line)
    return Issue{.column = 1,
                 .message = fmt::format("the line is {} bytes long; more than 1 MiB is not read", line.size()),
                 .hint = "is this the right file?"};
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] >= ' ' && line[i] < '\x7F') {  // most of any file
      ++i;
      continue;
    }
    const std::size_t length = character_length(line.substr(i));
    const int column = static_cast<int>(i) + 1;
    if (length == 0)
      return Issue{.column = column,
                   .message = fmt::format("this is not UTF-8 text (byte {:#04x})", static_cast<unsigned char>(line[i])),
                   .hint = "save the file with the encoding UTF-8"};
    if (const auto code = unwanted_control(line.substr(i)))
      return Issue{.column = column,
                   .message = fmt::format("a control character (code {}) does not belong here", *code),
                   .hint = "delete it, or save the file as plain text"};
    i += length;
  }
  return std::nullopt;
}

std::string with_plain_line_ends(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.find('\r') == std::string::npos) return text;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') text[kept++] = text[i];
  text.resize(kept);
  return text;
}

}  // namespace

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::optional<int> find_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const auto code = unwanted_control(text.substr(i)); code && text[i] != '\n') return code;
  return std::nullopt;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(take_line(text));
  return lines;
}

Result<std::string> read_bytes(const std::string& path) {
  if (const auto why = why_unreadable(path)) return unreadable(path, *why);
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path, std::strerror(errno));
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return unreadable(path, error.message());
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

Result<TextFile> read_text_file(const std::string& path) {
  Result<std::string> bytes = read_bytes(path);
  if (!bytes) return bytes.issues();
  return as_text_file(path, *std::move(bytes));
}

Result<TextFile> as_text_file(std::string name, std::string bytes) {
  TextFile file{.name = std::move(name), .sha256 = sha256(bytes)};
  file.text = with_plain_line_ends(std::move(bytes));
  int number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    ++number;
    if (auto fault = find_fault(take_line(rest))) {
      fault->file = file.name;
      fault->line = number;
      Issues issues{*fault};
      columns_in_characters(file, issues);
      return issues;
    }
  }
  return file;
}

void columns_in_characters(const TextFile& file, Issues& issues) {
  if (issues.empty()) return;
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (Issue& issue : issues) {
    if (issue.file != file.name || issue.line < 1 || issue.line > static_cast<int>(lines.size())) continue;
    const std::string_view line = lines[static_cast<std::size_t>(issue.line) - 1];
    const std::string_view before = line.substr(0, std::min<std::size_t>(issue.column - 1, line.size()));
    for (const char c : before)
      if (is_continuation(c)) --issue.column;
  }
}

}  // namespace salvo::formats
