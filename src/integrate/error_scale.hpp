#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "compile/compiled_model.hpp"
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
  std::span<const compile::FieldCells> fields{};  // whose cells are measured by the largest of them

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
    measure_fields<W>(x, absolute);
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
    measure_fields<W>(x, absolute);
  }

  // What has hardly reached a cell need not be known to eight digits there.
  template <int W>
  void measure_fields(const double* x, double* absolute) const {
    using Numbers = compile::Pack<W>;
    for (const compile::FieldCells& field : fields) {
      const auto at = [&](int cell) { return static_cast<std::size_t>(field.first + cell * field.stride) * W; };
      Numbers largest = Numbers::all(0);
      for (int c = 0; c < field.count; ++c) largest = larger(largest, size(Numbers::load(x + at(c))));
      for (int c = 0; c < field.count; ++c)
        larger(Numbers::load(absolute + at(c)), rtol * largest).store(absolute + at(c));
    }
  }

  double weight(double x, double x_new, double absolute) const {
    return absolute + rtol * std::max(std::abs(x), std::abs(x_new));
  }
};

}  // namespace salvo::integrate
