#include "base/nested_strata.hpp"

#include "base/random.hpp"

namespace salvo {
namespace {

constexpr int bits_of_index = 32;

// The same for all that agree in what stands before the bit.
bool flips(std::uint64_t seed, int level, std::uint64_t before) {
  return (mixed_bits(mixed_bits(seed ^ static_cast<std::uint64_t>(level)) ^ before) & 1U) != 0;
}

}  // namespace

double nested_share(std::uint64_t seed, std::uint32_t index) {
  const std::uint64_t of_order = mixed_bits(seed ^ 1U), of_places = mixed_bits(seed ^ 2U);
  std::uint64_t place = 0;  // the bits of the share, the highest first
  for (int k = 0; k < bits_of_index; ++k) {
    const std::uint64_t above = static_cast<std::uint64_t>(index) >> (k + 1);
    const bool bit = ((index >> k) & 1U) != (flips(of_order, k, above) ? 1U : 0U);
    place = 2 * place + ((bit != flips(of_places, k, place)) ? 1U : 0U);
  }
  const double within = Random::stream(mixed_bits(seed ^ 3U), index).uniform();
  return (static_cast<double>(place) + within) * 0x1p-32;
}

}  // namespace salvo
