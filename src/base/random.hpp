#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace salvo {

// Every bit of the word decides about every bit of what comes out: the finaliser of SplitMix64 ([SLF14]).
std::uint64_t mixed_bits(std::uint64_t word);

// Random numbers that are the same on every machine: a standard engine, and our own way from its bits to a
// distribution (the standard library leaves that to each implementation).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // An independent generator for the index-th start or replicate of one seed.
  static Random stream(std::uint64_t seed, std::uint64_t index);

  double uniform();  // in (0, 1)
  double normal();   // mean 0, standard deviation 1
  double laplace();  // location 0, scale 1
  std::uint64_t bits() { return engine_(); }

  // Where its sequence stands, and one that goes on from there; nothing where the text is of something else.
  std::string state() const;
  static std::optional<Random> at_state(const std::string& text);

 private:
  std::mt19937_64 engine_;
};

}  // namespace salvo
