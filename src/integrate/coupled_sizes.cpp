#include "integrate/coupled_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace salvo::integrate {

CoupledSizes::CoupledSizes(const compile::Lines& rows, std::vector<double> x, double longest)
    : rows_(rows), longest_(longest), x_(std::move(x)), point_(x_), sizes_(x_.size()), rounding_(x_.size()) {}

// Zero where it is none, or no number.
double CoupledSizes::entry(int row, int column) const {
  for (int k = rows_.start[row]; k < rows_.start[row + 1]; ++k) {
    if (rows_.across[k] != column) continue;
    const double value = nonzeros_[static_cast<std::ptrdiff_t>(rows_.place[k]) * stride_];
    return std::isfinite(value) ? value : 0.0;
  }
  return 0;
}

// Of the state itself and of pairs with others: |f_x|_ii and sqrt |f_x|_ij |f_x|_ji have the same value in all units.
double CoupledSizes::rate_of(int i) const {
  double rate = longest_ > 0 ? 1 / longest_ : 0.0;
  for (int k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
    const int j = rows_.across[k];
    rate = std::max(rate, std::sqrt(std::abs(entry(i, j))) * std::sqrt(std::abs(entry(j, i))));
  }
  return rate;
}

double CoupledSizes::size_by_inflow(int i, const double* f) const {
  const double rate = rate_of(i);
  const double own = std::abs(f[static_cast<std::ptrdiff_t>(i) * stride_]);
  double inflow = point_[i] == 0 && std::isfinite(own) ? own : 0.0;
  for (int k = rows_.start[i]; k < rows_.start[i + 1]; ++k) {
    const int j = rows_.across[k];
    const double share = std::abs(nonzeros_[static_cast<std::ptrdiff_t>(rows_.place[k]) * stride_] * point_[j]);
    if (j != i && std::isfinite(share)) inflow = std::max(inflow, share);
  }
  return rate > 0 && inflow > 0 ? inflow / rate : 0.0;
}

// What was found before is corrected, half way in powers of ten: where two of a kind annihilate each other, that leads
// to the square root. States without a size get one from those that have one, and each only once: round a cycle they
// would grow for ever.
void CoupledSizes::look(const double* f, const double* nonzeros, int stride) {
  nonzeros_ = nonzeros;
  stride_ = stride;
  const int states = static_cast<int>(x_.size());
  is_settled_ = true;
  std::vector<double> found = sizes_;
  for (int i = 0; i < states; ++i) {
    if (sizes_[i] == 0) continue;
    const double size = size_by_inflow(i, f);
    if (size == 0) continue;
    is_settled_ = is_settled_ && size < settled * sizes_[i] && sizes_[i] < settled * size;
    found[i] = std::sqrt(size) * std::sqrt(sizes_[i]);
  }
  for (int i = 0; i < states; ++i) take(i, found[i]);
  for (bool is_changed = true; std::exchange(is_changed, false);) {
    for (int i = 0; i < states; ++i) {
      if (sizes_[i] > 0) continue;
      const double size = size_by_inflow(i, f);
      if (!(near_zero * size > std::abs(x_[i]))) continue;
      take(i, size);
      is_changed = true;
      is_settled_ = false;
    }
  }
  for (int i = 0; i < states; ++i) is_settled_ = is_settled_ && (x_[i] != 0 || sizes_[i] > 0);
}

void CoupledSizes::take(int i, double size) {
  sizes_[i] = size;
  if (size > 0) point_[i] = std::copysign(size, x_[i]);
}

void CoupledSizes::look_at_rounding(const double* f, const double* nonzeros, int stride) {
  constexpr double safety = 10;
  nonzeros_ = nonzeros;
  stride_ = stride;
  const bool is_first = f_.empty();
  f_.resize(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double change = std::abs(f[i * stride] - std::exchange(f_[i], f[i * stride]));
    if (is_first || change == 0 || !std::isfinite(change)) continue;
    const double rate = rate_of(static_cast<int>(i));
    if (rate > 0) rounding_[i] = safety * change / rate;
  }
}

}  // namespace salvo::integrate
