#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace salvo {

// A number or none, in half the memory of std::optional<double>: long data hold very many of them. A NaN stands for
// none that neither arithmetic nor a file brings about.
class OptionalNumber {
 public:
  OptionalNumber() = default;
  OptionalNumber(double number) : number_(number) {}
  OptionalNumber(std::nullopt_t) {}
  OptionalNumber(std::optional<double> number) : number_(number.value_or(none)) {}
  operator std::optional<double>() const { return has_value() ? std::optional(number_) : std::nullopt; }

  bool has_value() const { return std::bit_cast<std::uint64_t>(number_) != bits_of_none; }
  explicit operator bool() const { return has_value(); }
  double operator*() const { return number_; }
  double value_or(double other) const { return has_value() ? number_ : other; }
  void reset() { number_ = none; }
  friend bool operator==(const OptionalNumber& a, const OptionalNumber& b) {
    return std::optional<double>(a) == std::optional<double>(b);
  }

 private:
  static constexpr std::uint64_t bits_of_none = 0x7ff8'6e6f'6e65'0000;
  static constexpr double none = std::bit_cast<double>(bits_of_none);
  double number_ = none;
};

}  // namespace salvo
