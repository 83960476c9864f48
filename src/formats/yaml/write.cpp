#include "formats/yaml/write.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace salvo::formats::yaml {
namespace {

constexpr std::size_t line_width = 116;

bool is_plain(const std::string& text, bool in_braces) {
  constexpr std::array<std::string_view, 5> words{"", "~", "null", "Null", "NULL"};
  if (std::find(words.begin(), words.end(), text) != words.end()) return false;
  const auto first = static_cast<unsigned char>(text.front());
  const bool begins_well = std::isalnum(first) != 0 || first == '_' || first == '(' || first == '.' ||
                           (first == '-' && text.size() > 1 && text[1] != ' ');
  if (!begins_well || text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != std::string::npos || text.find(" #") != std::string::npos) return false;
  return text.find_first_of(in_braces ? "\"'\\,[]{}:" : "\"'\\") == std::string::npos;
}

std::string scalar(const std::string& text, bool in_braces) {
  if (is_plain(text, in_braces)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string in_braces(const Value& value) {
  if (value.kind == Value::Kind::text) return scalar(value.text, true);
  std::string inside;
  for (const Value& item : value.items) inside += (inside.empty() ? "" : ", ") + in_braces(item);
  for (const auto& [key, entry] : value.entries)
    inside += (inside.empty() ? "" : ", ") + scalar(key, true) + ": " + in_braces(entry);
  return value.kind == Value::Kind::list ? "[" + inside + "]" : "{" + inside + "}";
}

bool has_remark_inside(const Value& value) {
  const auto speaks = [](const Value& part) { return !part.remark.empty() || has_remark_inside(part); };
  return std::any_of(value.items.begin(), value.items.end(), speaks) ||
         std::any_of(value.entries.begin(), value.entries.end(),
                     [&](const Member& entry) { return speaks(entry.value); });
}

class Writer {
 public:
  // The entries of a map, each on lines of its own.
  void entries(const Value& map, std::size_t indent) {
    for (const auto& [key, value] : map.entries) entry(key, value, indent);
  }

  std::string text;

 private:
  void entry(const std::string& key, const Value& value, std::size_t indent) {
    const std::string head = std::string(indent, ' ') + scalar(key, false) + ":";
    const bool is_section = indent == 0 && value.kind != Value::Kind::text;
    if (value.kind == Value::Kind::text) return line(folded(head + " ", scalar(value.text, false), indent), value);
    const std::string flow = head + " " + in_braces(value);
    const bool fits = flow.size() <= line_width && !has_remark_inside(value);
    if (fits && (!is_section || value.is_empty() || value.kind == Value::Kind::list)) return line(flow, value);
    line(head, value);
    for (const Value& item : value.items) list_item(item, indent + 2);
    entries(value, indent + 2);
  }

  void list_item(const Value& item, std::size_t indent) {
    const std::string head = std::string(indent, ' ') + "- ";
    if (item.kind == Value::Kind::text) return line(folded(head, scalar(item.text, false), indent), item);
    const std::string flow = head + in_braces(item);
    if (flow.size() <= line_width || item.kind == Value::Kind::list) return line(flow, item);
    Writer inside;
    inside.entries(item, indent + 2);
    inside.text.replace(indent, 1, "-");  // the first key stands beside the dash
    text += inside.text;
  }

  void line(const std::string& words, const Value& value) {
    text += words;
    if (!value.remark.empty()) text += "   # " + value.remark;
    text += '\n';
  }

  // A text that is too long for a line goes on, further to the right, in the next one: a blank in its place.
  static std::string folded(const std::string& head, const std::string& words, std::size_t indent) {
    std::string out = head;
    std::size_t column = head.size();
    for (std::size_t begin = 0; begin < words.size();) {
      const std::size_t end = std::min(words.find(' ', begin), words.size());
      if (begin > 0 && column + 1 + end - begin > line_width) {
        out += '\n' + std::string(indent + 4, ' ');
        column = indent + 4;
      } else if (begin > 0) {
        out += ' ';
        ++column;
      }
      out += words.substr(begin, end - begin);
      column += end - begin;
      begin = end + 1;
    }
    return out;
  }
};

}  // namespace

Value Value::of(std::string text) {
  Value value;
  value.text = std::move(text);
  return value;
}

Value Value::list() {
  Value value;
  value.kind = Kind::list;
  return value;
}

Value Value::map() {
  Value value;
  value.kind = Kind::map;
  return value;
}

Value& Value::add(std::string key, Value value) {
  entries.push_back({std::move(key), std::move(value)});
  return entries.back().value;
}

bool Value::is_empty() const { return kind != Kind::text && items.empty() && entries.empty(); }

std::string write(const Value& root) {
  std::string text;
  for (const auto& [key, value] : root.entries) {
    Value section;
    section.add(key, value);
    Writer writer;
    writer.entries(section, 0);
    const bool is_block = writer.text.find('\n') + 1 < writer.text.size();
    if (!text.empty() && is_block) text += '\n';
    text += writer.text;
  }
  return text;
}

}  // namespace salvo::formats::yaml
