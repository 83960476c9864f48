#pragma once

#include <bit>
#include <cstdint>

namespace salvo {

// Logarithm and power to the base of two, to about three digits: enough for the length of a step, and a tenth of the
// price. The same bits on every machine.

// For normal numbers above 0.
inline double rough_log2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52U) - 1023;
  const double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffU) | 0x3ff0000000000000U);  // in [1, 2)
  // Interpolates log2 at the Chebyshev points of [1, 2].
  const double log =
      -2.498353 + mantissa * (4.029211 + mantissa * (-2.078335 + mantissa * (0.626032 + -0.078441 * mantissa)));
  return exponent + log;
}

// For exponents between -1000 and 1000.
inline double rough_exp2(double y) {
  const double whole = y < 0 ? static_cast<double>(static_cast<int>(y)) - 1 : static_cast<double>(static_cast<int>(y));
  const double part = y - whole;  // in [0, 1]
  const double power = 1 + part * (0.69583 + part * (0.22607 + part * 0.07810));
  return power * std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<int>(whole) + 1023) << 52U);
}

}  // namespace salvo
