#include "report/base64.hpp"

#include <bit>
#include <cstdint>

namespace salvo::report {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class Bits>
void append_bytes(std::string& bytes, Bits bits) {
  for (std::size_t k = 0; k < sizeof(Bits); ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xFF);
}

// The bytes of a text in base 64.
std::optional<std::string> bytes_of(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) text.remove_suffix(1), ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6U | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

// Bits, little end first, as the numbers that they stand for.
template <class Bits, class Stored, class Number>
std::optional<std::vector<Number>> numbers_of(std::string_view text) {
  const std::optional<std::string> bytes = bytes_of(text);
  if (!bytes || bytes->size() % sizeof(Bits) != 0) return std::nullopt;
  std::vector<Number> numbers(bytes->size() / sizeof(Bits));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Bits bits = 0;
    for (std::size_t k = 0; k < sizeof(Bits); ++k)
      bits |= static_cast<Bits>(static_cast<unsigned char>((*bytes)[i * sizeof(Bits) + k])) << (8 * k);
    numbers[i] = static_cast<Number>(std::bit_cast<Stored>(bits));
  }
  return numbers;
}

}  // namespace

std::optional<std::vector<double>> doubles_of_base64(std::string_view text) {
  return numbers_of<std::uint64_t, double, double>(text);
}
std::optional<std::vector<double>> floats_of_base64(std::string_view text) {
  return numbers_of<std::uint32_t, float, double>(text);
}
std::optional<std::vector<int>> integers_of_base64(std::string_view text) {
  return numbers_of<std::uint32_t, std::int32_t, int>(text);
}

std::optional<std::vector<int>> shorts_of_base64(std::string_view text) {
  return numbers_of<std::uint16_t, std::uint16_t, int>(text);
}

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  const auto put = [&](std::size_t i, std::uint32_t group) {
    for (std::size_t k = 0; k < 4; ++k) text[i / 3 * 4 + k] = digits[group >> (18 - 6 * k) & 0x3F];
  };
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
  for (std::size_t i = 0; i < bytes.size(); i += 3) put(i, byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2));
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  text.replace(text.size() - missing, missing, missing, '=');
  return text;
}

std::string base64_of_doubles(std::span<const double> values) {
  std::string bytes;
  bytes.reserve(values.size() * 8);
  for (const double value : values) append_bytes(bytes, std::bit_cast<std::uint64_t>(value));
  return base64(bytes);
}

std::string base64_of_floats(std::span<const double> values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (const double value : values) append_bytes(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return base64(bytes);
}

std::string base64_of_shorts(std::span<const int> values) {
  std::string bytes;
  bytes.reserve(values.size() * 2);
  for (const int value : values) append_bytes(bytes, static_cast<std::uint16_t>(value));
  return base64(bytes);
}

std::string base64_of_integers(std::span<const int> values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (const int value : values) append_bytes(bytes, static_cast<std::uint32_t>(value));
  return base64(bytes);
}

}  // namespace salvo::report
