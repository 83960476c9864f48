#pragma once

#include <cstdint>
#include <random>

namespace salvo {

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

 private:
  std::mt19937_64 engine_;
};

}  // namespace salvo
