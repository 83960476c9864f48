#include "report/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t longest = 12;

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// Five where a sign and an exponent of three digits need the room.
std::string six_digits(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  return text.size() <= longest ? text : fmt::format("{:.5g}", value);
}

}  // namespace

std::string rounded(double value, const std::optional<double>& standard_error) {
  if (!std::isfinite(value)) return number_text(value);
  const std::string plain = six_digits(value);
  if (!standard_error || !(*standard_error > 0) || !std::isfinite(*standard_error)) return plain;
  // 0.0996 has two digits when it is written 0.10, so the error is rounded before its digits are counted.
  const double error = std::stod(fmt::format("{:.1e}", *standard_error));
  const int last_digit = exponent_of(error) - 1;
  const int first_digit = value == 0 ? last_digit : exponent_of(value);
  const bool fixed = first_digit < 7 && last_digit < 4 && last_digit > -9;  // beyond it most digits would say nothing
  const std::string text = fixed ? fmt::format("{:.{}f}", value, std::max(0, -last_digit))
                                 : fmt::format("{:.{}e}", value, std::clamp(first_digit - last_digit, 0, 5));
  return text.size() <= longest ? text : plain;
}

}  // namespace salvo::report
