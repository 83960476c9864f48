#include "base/tasks/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/crc32.hpp"

namespace salvo::journal {
namespace {

constexpr std::string_view before_sum = ",\"crc\":\"";
constexpr std::size_t digits_of_sum = 8;

void add_quoted(std::string_view text, std::string& out) {
  const auto is_plain = [](char letter) {
    return letter != '"' && letter != '\\' && static_cast<unsigned char>(letter) >= 0x20;
  };
  out += '"';
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (text.front() == '"' || text.front() == '\\')
      (out += '\\') += text.front();
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(text.front()));
    text.remove_prefix(1);
  }
  out += '"';
}

// Reads what `text_of` writes, and nothing else.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  std::optional<Line> read() {
    Line line;
    if (!takes('{')) return std::nullopt;
    do {
      Field& field = line.emplace_back();
      if (!quoted(field.name) || !takes(':') || !value(field)) return std::nullopt;
    } while (takes(','));
    return rest_.empty() ? std::optional(std::move(line)) : std::nullopt;
  }

 private:
  bool takes(char letter) {
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool value(Field& field) {
    if (rest_.starts_with('"')) return quoted(field.value);
    field.is_number = true;
    const std::size_t end = std::min(rest_.find_first_not_of("+-.0123456789einfa"), rest_.size());
    field.value = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return end > 0;
  }
  bool quoted(std::string& out) {
    if (!takes('"')) return false;
    while (!rest_.empty() && rest_.front() != '"') {
      const std::size_t plain = std::min(rest_.find_first_of("\"\\"), rest_.size());
      out += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (rest_.starts_with('\\') && !escaped(out)) return false;
    }
    return takes('"');
  }
  bool escaped(std::string& out) {
    rest_.remove_prefix(1);
    if (rest_.starts_with('"') || rest_.starts_with('\\')) {
      out += rest_.front();
      rest_.remove_prefix(1);
      return true;
    }
    unsigned code = 0;
    if (rest_.size() < 5 || rest_.front() != 'u') return false;
    const auto [end, error] = std::from_chars(rest_.data() + 1, rest_.data() + 5, code, 16);
    if (error != std::errc{} || end != rest_.data() + 5 || code >= 0x20) return false;
    out += static_cast<char>(code);
    rest_.remove_prefix(5);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::string text_of(const Line& line) {
  std::string text = "{";
  for (const Field& field : line) {
    if (text.size() > 1) text += ',';
    add_quoted(field.name, text);
    text += ':';
    if (field.is_number)
      text += field.value;
    else
      add_quoted(field.value, text);
  }
  return fmt::format("{}{}{:08x}\"}}\n", text, before_sum, crc32(text));
}

std::optional<Line> line_of(std::string_view text) {
  const std::size_t end = before_sum.size() + digits_of_sum + 3;
  if (text.size() <= end || !text.ends_with("\"}\n")) return std::nullopt;
  const std::string_view content = text.substr(0, text.size() - end);
  const std::string_view sum = text.substr(content.size() + before_sum.size(), digits_of_sum);
  if (text.substr(content.size(), before_sum.size()) != before_sum || sum != fmt::format("{:08x}", crc32(content)))
    return std::nullopt;
  return LineReader(content).read();
}

std::string_view value_of(const Line& line, std::string_view name) {
  const auto found = std::find_if(line.begin(), line.end(), [&](const Field& field) { return field.name == name; });
  return found == line.end() ? std::string_view{} : found->value;
}

long number_of(const Line& line, std::string_view name) {
  const std::string_view text = value_of(line, name);
  long number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number >= 0 ? number : -1;
}

}  // namespace salvo::journal
