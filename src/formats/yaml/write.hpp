#pragma once

#include <string>
#include <utility>
#include <vector>

namespace salvo::formats::yaml {

// What is to be written as YAML: a text, a list or a map, with a remark for the reader.
struct Value {
  enum class Kind { text, list, map };
  Kind kind = Kind::text;
  std::string text{};
  std::vector<Value> items;  // (clang 14 refuses {} while Value is incomplete)
  std::vector<std::pair<std::string, Value>> entries;
  std::string remark{};  // becomes a comment

  static Value of(std::string text) {
    Value value;
    value.text = std::move(text);
    return value;
  }
  static Value list() {
    Value value;
    value.kind = Kind::list;
    return value;
  }
  static Value map() {
    Value value;
    value.kind = Kind::map;
    return value;
  }
  Value& add(std::string key, Value value) {
    entries.emplace_back(std::move(key), std::move(value));
    return entries.back().second;
  }
  bool is_empty() const { return kind != Kind::text && items.empty() && entries.empty(); }
};

// A file whose sections are the entries of `root`: what fits into a line is written within braces, long texts are
// folded, and texts are quoted where YAML would take them for something else.
std::string write(const Value& root);

}  // namespace salvo::formats::yaml
