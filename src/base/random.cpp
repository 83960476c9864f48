#include "base/random.hpp"

#include <cmath>
#include <numbers>

namespace salvo {

Random Random::stream(std::uint64_t seed, std::uint64_t index) {
  // The finaliser of splitmix64 spreads neighbouring (seed, index) pairs over all seeds.
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + (index + 1) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return Random(z ^ (z >> 31U));
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
