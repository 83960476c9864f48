#pragma once

#include <cstdint>
#include <string_view>

namespace salvo {

// The checksum of a line, as zlib's crc32 has it. It may be called by a handler of signals.
std::uint32_t crc32(std::string_view bytes);

}  // namespace salvo
