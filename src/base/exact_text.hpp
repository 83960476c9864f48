#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/issue.hpp"

// Values as text from which they are read again bit for bit: a title, a line with a name for each value, and a
// checksum. Numbers are hexadecimal, since decimal digits would round them.
//   salvo state 1
//   point 0x1.8p+1 -0x1p-3
//   sha256 9f86d0...
namespace salvo {

// What a type is made of, in the order in which it is written; whoever writes a type of its own specialises it:
//   static auto of(auto& value) { return std::tie(value.first, value.second); }
// A type that keeps its members to itself says what it is made of, and how it is made again:
//   static std::tuple<int, std::vector<double>> of(const T& value);
//   static T made(int, const std::vector<double>&);
template <class T>
struct Parts;

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
// Such a type.
template <class T>
concept MadeOfParts = requires {
  &Parts<T>::made;
};

class WordWriter;
class WordReader;
// One that writes and reads its words itself:
//   static void pass(const T& value, WordWriter& words);
//   static void pass(T& value, WordReader& words);
template <class T>
concept PassesItself = requires(const T& value, WordWriter& words) {
  Parts<T>::pass(value, words);
};

// Appends the words of one value to a line.
class WordWriter {
 public:
  explicit WordWriter(std::string& line) : line_(line) {}

  template <Number T>
  void pass(const T& value) {
    add(static_cast<double>(value));
  }
  void pass(const std::string& value);
  template <class T>
  void pass(const std::vector<T>& values) {
    pass(values.size());
    for (const T& value : values) pass(value);
  }
  template <class T>
  void pass(const std::optional<T>& value) {
    pass(value.has_value());
    if (value) pass(*value);
  }
  template <class T>
  void pass(const T& value) {
    if constexpr (PassesItself<T>)
      Parts<T>::pass(value, *this);
    else
      std::apply([this](const auto&... part) { (pass(part), ...); }, Parts<T>::of(value));
  }

 private:
  void add(double number);

  std::string& line_;
};

// Takes them off again. Words that are missing, left over or of another kind show that the line is of another value.
class WordReader {
 public:
  explicit WordReader(const std::string& line) : at_(line.c_str()), end_(at_ + line.size()) {}

  bool is_exact() const { return is_right_ && at_ == end_; }

  template <Number T>
  void pass(T& value) {
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(number());
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(whole<std::underlying_type_t<T>>());
    else
      value = whole<T>();
  }
  void pass(std::string& value);
  template <class T>
  void pass(std::vector<T>& values) {
    values.clear();
    const auto count = whole<std::size_t>();
    for (std::size_t n = 0; n < count && is_right_; ++n) pass(values.emplace_back());
  }
  template <class T>
  void pass(std::optional<T>& value) {
    value.reset();
    if (!whole<bool>()) return;
    if constexpr (MadeOfParts<T>)
      value = made_again<T>();
    else
      pass(value.emplace());
  }
  template <class T>
  void pass(T& value) {
    if constexpr (PassesItself<T>) {
      Parts<T>::pass(value, *this);
    } else if constexpr (MadeOfParts<T>) {
      if (std::optional<T> again = made_again<T>()) value = std::move(*again);
    } else {
      pass_all(Parts<T>::of(value));
    }
  }

 private:
  double number();
  template <class T>
  T whole() {
    constexpr double exact = 9007199254740992.0;  // beyond it a double may stand for another number than was written
    const double value = number();
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::lowest());
    is_right_ = is_right_ && value >= std::max(least, -exact) && value <= std::min(most, exact);
    return is_right_ ? static_cast<T>(value) : T{};
  }
  template <class Tuple>
  void pass_all(Tuple&& parts) {
    std::apply([this](auto&... part) { (pass(part), ...); }, parts);
  }
  template <class T>
  std::optional<T> made_again() {
    decltype(Parts<T>::of(std::declval<const T&>())) parts;
    pass_all(parts);
    if (!is_right_) return std::nullopt;
    return std::apply(Parts<T>::made, std::move(parts));
  }

  const char* at_;
  const char* end_;
  bool is_right_ = true;
};

// One value as words on a line, and back; nothing where the words are of another value.
template <class T>
std::string exact_words(const T& value) {
  std::string line;
  WordWriter(line).pass(value);
  return line;
}
template <class T>
std::optional<T> read_exact_words(const std::string& line) {
  WordReader words(line);
  T value{};
  words.pass(value);
  return words.is_exact() ? std::optional<T>(std::move(value)) : std::nullopt;
}

// What a text is, for its first line and for complaints.
struct ExactKind {
  std::string_view name{};     // in the title: "state"
  int version = 1;             // in the title: that of the lines
  std::string_view a_thing{};  // "the state of a run"
  std::string_view thing{};    // "the state of the run"
};

class ExactWriter {
 public:
  explicit ExactWriter(const ExactKind& kind);

  // A line; names have no spaces.
  template <class T>
  void operator()(std::string_view name, const T& value) {
    text_ += name;
    WordWriter(text_).pass(value);
    text_ += '\n';
  }
  std::string finish();  // with the checksum

 private:
  std::string text_;
};

class ExactReader {
 public:
  ExactReader(const ExactKind& kind, std::string_view text);

  template <class T>
  void operator()(std::string_view name, T& value) {
    if (trouble_) return;
    const auto line = lines_.find(name);
    if (line == lines_.end()) return complain_of(name);
    WordReader words(line->second);
    words.pass(value);
    if (!words.is_exact()) complain_of(name);
  }
  // The first thing that was wrong, if anything was.
  const std::optional<Issue>& trouble() const { return trouble_; }

 private:
  void take_lines(std::string_view text);
  void complain(std::string message);
  void complain_of(std::string_view name);

  ExactKind kind_;
  std::map<std::string, std::string, std::less<>> lines_{};
  std::optional<Issue> trouble_{};
};

}  // namespace salvo
