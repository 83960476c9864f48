#pragma once

#include <string>
#include <vector>

namespace salvo::formats::yaml {

struct Member;

// What is to be written as YAML: a text, a list or a map, with a remark for the reader.
struct Value {
  enum class Kind { text, list, map };
  Kind kind = Kind::text;
  std::string text{};
  std::vector<Value> items;     // of a list (clang 14 refuses {} while Value is incomplete)
  std::vector<Member> entries;  // of a map
  std::string remark{};         // becomes a comment

  static Value of(std::string text);
  static Value list();
  static Value map();
  Value& add(std::string key, Value value);
  bool is_empty() const;
};

struct Member {
  std::string key;
  Value value;
};

// A file whose sections are the entries of `root`: what fits into a line is written within braces, long texts are
// folded, and texts are quoted where YAML would take them for something else.
std::string write(const Value& root);

}  // namespace salvo::formats::yaml
