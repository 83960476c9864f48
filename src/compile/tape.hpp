#pragma once

#include <cstddef>
#include <vector>

#include "compile/listing.hpp"

namespace salvo::compile {

// The arguments of a kernel, lane-last; those that no formula uses may be null.
struct Arguments {
  const double* time = nullptr;
  const double* state = nullptr;
  const double* parameter = nullptr;
  const double* seed = nullptr;
  const double* kept = nullptr;
};

// How far apart the same argument stands at two stages of a step, in numbers.
struct Strides {
  std::size_t time = 0;
  std::size_t state = 0;
  std::size_t seed = 0;
  std::size_t kept = 0;
  std::size_t work = 0;
};

// A listing run by an interpreter: nothing to wait for, and the oracle of faster backends.
class Tape {
 public:
  Tape() = default;
  explicit Tape(Listing listing);

  const Listing& listing() const { return listing_; }

  // W = 1, 4 or 8. `work` holds as many packs as there are registers, `out` one for each output.
  template <int W>
  void run(const Arguments& arguments, double* work, double* out) const;

  // After `run` at each of so many stages: adds the sums of all of them. `arguments` and `work` are those of the first.
  template <int W>
  void add_sums(const Arguments& arguments, const double* work, const Strides& strides, int stages, double* sums) const;

 private:
  template <int W>
  const double* constants() const;

  Listing listing_;
  std::vector<double> constants_4_, constants_8_;  // the constants, repeated for each lane
};

}  // namespace salvo::compile
