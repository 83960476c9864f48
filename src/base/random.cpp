#include "base/random.hpp"

#include <cmath>
#include <numbers>

namespace salvo {

Random Random::stream(std::uint64_t seed, std::uint64_t index) {
  const auto word = [](std::uint64_t value, unsigned shift) { return static_cast<std::uint32_t>(value >> shift); };
  std::seed_seq mixed{word(seed, 0), word(seed, 32), word(index, 0), word(index, 32)};
  Random random(0);
  random.engine_.seed(mixed);
  return random;
}

double Random::uniform() { return (static_cast<double>(engine_() >> 12U) + 0.5) * 0x1p-52; }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Random::laplace() {
  const double u = uniform() - 0.5;
  return u < 0 ? std::log1p(2.0 * u) : -std::log1p(-2.0 * u);
}

}  // namespace salvo
