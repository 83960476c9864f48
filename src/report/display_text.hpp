#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// The user's words, made fit to be shown. They are UTF-8 if all is well, and any bytes if not.
namespace salvo::report {

// Number of characters (code points).
std::size_t display_width(std::string_view text);

// At most `width` characters; what was cut shows as an ellipsis.
std::string shorten(std::string_view text, std::size_t width);

// Without control characters and broken UTF-8; each becomes a replacement character.
std::string printable(std::string_view text);
// The same of every line of a text.
std::string printable_lines(std::string_view text);

// printable, and with the characters that XML gives a meaning escaped.
std::string xml_text(std::string_view text);

}  // namespace salvo::report
