#pragma once

#include <string>
#include <string_view>

namespace salvo {

// The SHA-256 digest (FIPS 180-4) in hexadecimal, as `sha256sum` prints it.
std::string sha256(std::string_view bytes);

}  // namespace salvo
