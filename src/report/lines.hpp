#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Lines of text for a terminal of 80 columns, or fewer.
namespace salvo::report {

inline constexpr std::size_t terminal_width = 80;

// Filled up with blanks to `width` characters; a longer text is shortened.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

// Broken between words into lines of at most `width` columns, each with this indent and an end of line. A word that is
// longer has a line of its own; one of more than 80 columns is shortened.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t width = terminal_width);

enum class Tone { plain, strong, good, doubtful, bad };
// The text between the terminal's codes for this tone, or as it is without colour.
std::string toned(std::string_view text, Tone tone, bool colour);

}  // namespace salvo::report
