#include "base/crc32.hpp"

#include <array>

namespace salvo {
namespace {

// Of every byte: what the remainder of a division by the polynomial of IEEE 802.3 becomes, lowest bit first.
constexpr std::array<std::uint32_t, 256> crc_of_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0xedb88320U : 0U);
    table[byte] = rest;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> crc_table = crc_of_bytes();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t rest = 0xffffffffU;
  for (const char byte : bytes) rest = (rest >> 8U) ^ crc_table[(rest ^ static_cast<unsigned char>(byte)) & 0xffU];
  return ~rest;
}

}  // namespace salvo
