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

}  // namespace

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

std::string base64_of_integers(std::span<const int> values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (const int value : values) append_bytes(bytes, static_cast<std::uint32_t>(value));
  return base64(bytes);
}

}  // namespace salvo::report
