#include "base/random.hpp"

#include <cmath>
#include <numbers>
#include <sstream>

namespace salvo {

std::uint64_t mixed_bits(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

Random Random::stream(std::uint64_t seed, std::uint64_t index) { return Random(mixed_bits(mixed_bits(seed) ^ index)); }

std::string Random::state() const {
  std::ostringstream text;
  text << engine_;
  return text.str();
}

std::optional<Random> Random::at_state(const std::string& text) {
  Random random(0);
  std::istringstream words(text);
  words >> random.engine_;
  return words.fail() ? std::nullopt : std::optional(random);
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
