#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Values as bytes for another process of this very program, on a machine of the same kind.
namespace salvo {

// Lies in memory as one piece that means the same in another process.
template <class T>
concept PlainBytes = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class ByteWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (pass(values), ...);
  }
  std::string finish() { return std::move(bytes_); }

 private:
  template <PlainBytes T>
  void pass(const T& value) {
    add(&value, sizeof(T));
  }
  void pass(const std::string& text) { pass_all(text.data(), text.size()); }
  template <PlainBytes T>
  void pass(const std::vector<T>& values) {
    pass_all(values.data(), values.size());
  }
  template <class T>
  void pass(const std::vector<T>& values) {
    pass(values.size());
    for (const T& value : values) pass(value);
  }
  template <class T>
  void pass_all(const T* values, std::size_t count) {
    pass(count);
    add(values, count * sizeof(T));
  }
  void add(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }

  std::string bytes_{};
};

// Reads them in the same order. What is missing, or left over, shows that they are of something else.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (pass(values), ...);
  }
  bool is_exact() const { return is_right_ && left_.empty(); }

 private:
  template <PlainBytes T>
  void pass(T& value) {
    take(&value, 1);
  }
  void pass(std::string& text) { pass_all(text); }
  template <PlainBytes T>
  void pass(std::vector<T>& values) {
    pass_all(values);
  }
  template <class T>
  void pass(std::vector<T>& values) {
    values.resize(count_of(1));
    for (T& value : values) pass(value);
  }
  template <class Container>
  void pass_all(Container& values) {
    values.resize(count_of(sizeof(values[0])));
    take(values.data(), values.size());
  }
  // How many follow, each of at least so many bytes.
  std::size_t count_of(std::size_t size) {
    std::size_t count = 0;
    pass(count);
    is_right_ = is_right_ && count <= left_.size() / size;
    return is_right_ ? count : 0;
  }
  template <class T>
  void take(T* to, std::size_t count) {
    const std::size_t size = count * sizeof(T);
    is_right_ = is_right_ && size <= left_.size();
    if (!is_right_ || size == 0) return;
    std::memcpy(static_cast<void*>(to), left_.data(), size);
    left_.remove_prefix(size);
  }

  std::string_view left_;
  bool is_right_ = true;
};

}  // namespace salvo
