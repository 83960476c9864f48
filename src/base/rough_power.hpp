#pragma once

#include <bit>
#include <cstdint>

namespace salvo {

// Logarithm and power to the base of two, to about three digits: enough for the length of a step, and a tenth of the
// price. The same bits on every machine. Numbers become integers and back by their place behind the binary point of a
// large number, which vector registers can do too.

// For normal numbers above 0.
inline double rough_log2(double x) {
  constexpr double large = 4503599627370496.0;  // 2^52
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double exponent = std::bit_cast<double>((bits >> 52U) | std::bit_cast<std::uint64_t>(large)) - (large + 1023);
  const double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffU) | 0x3ff0000000000000U);  // in [1, 2)
  // Interpolates log2 at the Chebyshev points of [1, 2].
  const double log =
      -2.498353 + mantissa * (4.029211 + mantissa * (-2.078335 + mantissa * (0.626032 + -0.078441 * mantissa)));
  return exponent + log;
}

// For exponents between -1000 and 1000.
inline double rough_exp2(double y) {
  constexpr double large = 6755399441055744.0;  // 1.5 * 2^52
  const double shifted = y + large;
  const double part = y - (shifted - large);  // in [-1/2, 1/2]
  // Interpolates 2^part at the Chebyshev points.
  const double power = 0.999925 + part * (0.693137 + part * (0.242639 + part * 0.055838));
  return power * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52U);
}

}  // namespace salvo
