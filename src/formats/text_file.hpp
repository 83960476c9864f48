#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace salvo::formats {

// The text of a file: UTF-8 without a byte order mark, every line ended by '\n' alone, no control characters but tabs.
struct TextFile {
  std::string name{};  // as the user named it
  std::string text{};
  std::string sha256{};  // of the bytes as they were read
};

// The bytes of a file as they are; an Issue of kind `unreadable` if there is no such file.
Result<std::string> read_bytes(const std::string& path);

// An Issue of kind `unreadable` if there is no such file; of kind `invalid` if it is no proper text.
Result<TextFile> read_text_file(const std::string& path);

// This one takes text that is there already, under a name that Issues are told with.
Result<TextFile> as_text_file(std::string name, std::string bytes);

std::string_view take_line(std::string_view& rest);  // the first line of what is left, which loses it
std::vector<std::string_view> lines_of(std::string_view text);

// The code of the first control character that is neither a tab nor the end of a line, if there is one.
std::optional<int> find_control(std::string_view text);

// Turns the columns of Issues in this file from bytes into what a person counts: characters.
void columns_in_characters(const TextFile& file, Issues& issues);

}  // namespace salvo::formats
