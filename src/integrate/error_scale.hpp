#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "compile/pack.hpp"

namespace salvo::integrate {

// What an error is measured by, state by state: rtol |x| and an absolute part. The latter is given, or `share` times
// rtol times the size that the state has had so far. A state that was always zero has no size of its own; what flows
// into it tells one (coupled_sizes.hpp), of which `coupled_share` counts, or no step would be short enough for the
// tenth state of a chain. No other state is asked for its size: it may be written in another unit.
struct ErrorScale {
  double rtol = 1e-8;
  std::optional<double> atol{};
  double share = 1e-2;

  static constexpr double vanished_share = 1e-9;
  static constexpr double coupled_share = 1e-6;

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
    for (std::size_t n = 0; n < count; n += W)
      larger(Numbers::load(absolute + n), part * size(Numbers::load(x + n))).store(absolute + n);
  }

  // The same where absolute parts shrink from step to step, to see states vanish, but not below a share of the largest
  // size, `vanished`, nor below what the neighbours say.
  template <int W>
  void grow(const double* x, std::size_t count, const double* by_neighbours, double* vanished, double* absolute) const {
    if (atol) return;
    using Numbers = compile::Pack<W>;
    for (std::size_t n = 0; n < count; n += W) {
      const Numbers own = size(Numbers::load(x + n));
      const Numbers smallest = larger(Numbers::load(vanished + n), vanished_share * rtol * own);
      smallest.store(vanished + n);
      const Numbers least = larger(smallest, Numbers::load(by_neighbours + n));
      larger(larger(Numbers::load(absolute + n), share * rtol * own), least).store(absolute + n);
    }
  }

  double weight(double x, double x_new, double absolute) const {
    return absolute + rtol * std::max(std::abs(x), std::abs(x_new));
  }
};

}  // namespace salvo::integrate
