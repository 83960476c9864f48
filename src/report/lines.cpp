#include "report/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/display_text.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t narrowest = 20;  // a word of the usual length still fits

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::plain: return "0";
    case Tone::strong: return "1";
    case Tone::good: return "32";
    case Tone::doubtful: return "33";
    case Tone::bad: return "31";
  }
  return "0";
}

}  // namespace

std::string left(std::string_view text, std::size_t width) {
  const std::string shown = shorten(printable(text), width);
  return shown + std::string(width - display_width(shown), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  const std::string shown = shorten(printable(text), width);
  return std::string(width - display_width(shown), ' ') + shown;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = std::max(width, indent + narrowest) - indent;
  std::string words(text);
  std::ranges::replace(words, '\n', ' ');
  words = printable(words);
  std::string out;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  std::size_t begin = 0;
  while (begin < words.size()) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string word = shorten(words.substr(begin, end - begin), terminal_width - indent);
    begin = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > room) end_line();
    line += line.empty() ? word : " " + word;
  }
  end_line();
  return out;
}

std::string toned(std::string_view text, Tone tone, bool colour) {
  return colour && tone != Tone::plain ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(tone), text) : std::string(text);
}

}  // namespace salvo::report
