#pragma once

#include <algorithm>
#include <vector>

#include "integrate/step_rules.hpp"

namespace salvo::integrate {

// The same control of errors for linearly implicit steps. Absolute parts shrink from step to step: a state that
// vanishes over many powers of ten is followed all the way down, or it would slip below zero.
struct StiffErrorControl : ErrorControl {
  std::vector<double> by_neighbours{}, vanished{};

  template <int W>
  void measure_by(const double* x, std::size_t count, double* to) {
    by_neighbours.assign(count, 0.0);
    vanished.assign(count, 0.0);
    ErrorControl::measure_by<W>(x, count, to);
  }
  template <int W>
  void passed(const double* x, std::size_t count) {
    constexpr double remembered = 0.1;
    for (std::size_t n = 0; n < count && !scale.atol; ++n) absolute[n] *= remembered;
    scale.grow<W>(x, count, by_neighbours.data(), vanished.data(), absolute);
  }
};

}  // namespace salvo::integrate
