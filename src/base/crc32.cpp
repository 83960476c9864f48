#include "base/crc32.hpp"

#include <array>

namespace salvo {
namespace {

using CrcTable = std::array<std::uint32_t, 256>;

// Of every byte: what the remainder of a division by the polynomial of IEEE 802.3 becomes, lowest bit first; and what
// it has become one, two and three bytes later, so that four bytes are taken at a time.
constexpr std::array<CrcTable, 4> crc_tables() {
  std::array<CrcTable, 4> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0xedb88320U : 0U);
    tables[0][byte] = rest;
  }
  for (std::size_t later = 1; later < tables.size(); ++later)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[later - 1][byte];
      tables[later][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
    }
  return tables;
}
constexpr std::array<CrcTable, 4> crc_of = crc_tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  const auto byte = [&](std::size_t n) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[n])); };
  std::uint32_t rest = 0xffffffffU;
  for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
    rest ^= byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
    rest = crc_of[3][rest & 0xffU] ^ crc_of[2][(rest >> 8U) & 0xffU] ^ crc_of[1][(rest >> 16U) & 0xffU] ^
           crc_of[0][rest >> 24U];
  }
  for (; !bytes.empty(); bytes.remove_prefix(1)) rest = (rest >> 8U) ^ crc_of[0][(rest ^ byte(0)) & 0xffU];
  return ~rest;
}

}  // namespace salvo
