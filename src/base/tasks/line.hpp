#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::journal {

// One line of a journal: a flat JSON object of texts and numbers whose last member is the CRC-32 of all before it.
//   {"task":"start","index":17,"seconds":0.52,"value":" 0x1.8p+1","crc":"9ae0daaf"}
struct Field {
  std::string name{};
  std::string value{};  // numbers as they are written
  bool is_number = false;

  bool operator==(const Field&) const = default;
};
using Line = std::vector<Field>;

std::string text_of(const Line& line);  // with the end of the line
// Nothing where the line is torn, changed or something else.
std::optional<Line> line_of(std::string_view text);

// The value of the field; empty where there is none of this name.
std::string_view value_of(const Line& line, std::string_view name);
// A whole number from 0 on; -1 where there is none.
long number_of(const Line& line, std::string_view name);

}  // namespace salvo::journal
