#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "compile/pack.hpp"

namespace salvo::integrate {

// What an error is measured by, state by state: rtol |x| and an absolute part. The latter is given, or a hundredth of
// rtol times the size that the state has had so far, 1 at most. A state that was always zero counts for a
// ten-millionth of the largest, or the rounding of its neighbours would be taken for it. That one can only be a
// neighbour in the same unit: beyond `usual` its size tells nothing of the others, and beyond `foreign` (the waiting
// time of an event that is not due stands at 1e30) it is none. Of its own size, a ten-millionth counts always.
struct ErrorScale {
  double rtol = 1e-8;
  std::optional<double> atol{};

  static constexpr double share = 1e-2;
  static constexpr double least_share = 1e-7;
  static constexpr double usual = 1e9;
  static constexpr double foreign = 1e12;

  // The absolute parts of W lanes, before the first step.
  template <int W>
  void begin(const double* x, std::size_t count, double* absolute) const {
    std::fill_n(absolute, count, atol.value_or(0.0));
    grow<W>(x, count, absolute);
  }

  // After a step, which may have made states larger than they were.
  template <int W>
  void grow(const double* x, std::size_t count, double* absolute) const {
    if (atol) return;
    using Numbers = compile::Pack<W>;
    const double part = share * rtol;
    Numbers largest = Numbers::all(0);
    for (std::size_t n = 0; n < count; n += W) {
      const Numbers own = size(Numbers::load(x + n));
      const Numbers by_size = larger(smaller(part * own, Numbers::all(part)), least_share * part * own);
      larger(Numbers::load(absolute + n), by_size).store(absolute + n);
      largest = larger(largest, as_neighbour<W>(own));
    }
    const Numbers least = least_share * part * largest;
    for (std::size_t n = 0; n < count; n += W) larger(Numbers::load(absolute + n), least).store(absolute + n);
  }

  template <int W>
  static compile::Pack<W> as_neighbour(const compile::Pack<W>& size) {
    compile::Pack<W> out;
    for (int l = 0; l < W; ++l) {
      const double nearby = size.lane[l] < usual ? size.lane[l] : usual;
      out.lane[l] = size.lane[l] > foreign ? 0.0 : nearby;
    }
    return out;
  }

  double weight(double x, double x_new, double absolute) const {
    return absolute + rtol * std::max(std::abs(x), std::abs(x_new));
  }
};

}  // namespace salvo::integrate
