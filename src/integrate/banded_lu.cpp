#include "integrate/banded_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace salvo::integrate {
namespace {

constexpr int widest_border = 24;

// States that other than near neighbours depend on, or that depend on these: all that are no cells, and where space is
// a ring the cells that close it.
std::vector<bool> border_of(const compile::CompiledModel& model) {
  const int first = model.fields.front().first;
  constexpr int cells_apart = 4;
  const int near = cells_apart * static_cast<int>(model.fields.size());
  std::vector<bool> border(model.states, false);
  for (int i = 0; i < first; ++i) border[i] = true;
  for (int k = 0; k < model.f_x.size(); ++k) {
    const int i = model.f_x.row[k];
    const int j = model.f_x.column[k];
    if (!border[i] && !border[j] && std::abs(i - j) > near) border[std::max(i, j)] = true;
  }
  return border;
}

}  // namespace

std::optional<BandedLu> BandedLu::of(const compile::CompiledModel& model) {
  if (model.fields.empty()) return {};
  const std::vector<bool> border = border_of(model);
  BandedLu out;
  out.border_ = static_cast<int>(std::count(border.begin(), border.end(), true));
  if (out.border_ > widest_border) return {};
  out.size_ = model.states - out.border_;
  int inside = 0;
  int outside = out.size_;
  for (int i = 0; i < model.states; ++i) out.place_of_state_.push_back(border[i] ? outside++ : inside++);
  for (int k = 0; k < model.f_x.size(); ++k) {
    const int i = out.place_of_state_[model.f_x.row[k]];
    const int j = out.place_of_state_[model.f_x.column[k]];
    if (i >= out.size_ || j >= out.size_) continue;
    out.lower_ = std::max(out.lower_, i - j);
    out.upper_ = std::max(out.upper_, j - i);
  }
  out.height_ = 2 * out.lower_ + out.upper_ + 1;
  out.is_in_order_ = out.border_ == 0 && std::is_sorted(out.place_of_state_.begin(), out.place_of_state_.end());
  const auto n = static_cast<std::size_t>(out.size_);
  const auto b = static_cast<std::size_t>(out.border_);
  out.right_ = n * out.height_;
  out.below_ = out.right_ + n * b;
  out.corner_ = out.below_ + n * b;
  out.numbers_.resize(out.corner_ + b * b);
  out.side_.resize(model.states);
  out.pivot_.resize(n);
  out.corner_pivot_.resize(b);
  const auto target = [&](int row, int column) {
    const auto i = static_cast<std::size_t>(out.place_of_state_[row]);
    const auto j = static_cast<std::size_t>(out.place_of_state_[column]);
    if (i < n && j < n) return out.band_place(static_cast<int>(i), static_cast<int>(j));
    if (i < n) return out.right_ + (j - n) * n + i;
    if (j < n) return out.below_ + (i - n) * n + j;
    return out.corner_ + (i - n) * b + (j - n);
  };
  for (int k = 0; k < model.f_x.size(); ++k) out.target_.push_back(target(model.f_x.row[k], model.f_x.column[k]));
  for (int i = 0; i < model.states; ++i)
    if (!std::binary_search(model.algebraic.begin(), model.algebraic.end(), i)) out.shifted_.push_back(target(i, i));
  return out;
}

bool BandedLu::factorize(const double* nonzeros, double shift, int stride) {
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  for (std::size_t k = 0; k < target_.size(); ++k) numbers_[target_[k]] -= nonzeros[k * stride];
  for (const std::size_t place : shifted_) numbers_[place] += shift;
  if (!factorize_band()) return false;
  for (int b = 0; b < border_; ++b) solve_band(right() + static_cast<std::size_t>(b) * size_);
  return factorize_corner();
}

// With three diagonals as they mostly are, the diagonal large enough for pivots: so many columns, until it is not. The
// numbers are those of the general way.
int BandedLu::eliminate_three_diagonals() {
  double* column = numbers_.data();
  for (int j = 0; j + 1 < size_; ++j, column += height_) {
    if (!(std::abs(column[3]) <= std::abs(column[2])) || !(std::abs(column[2]) > 0)) return j;
    pivot_[j] = j;
    column[3] *= 1 / column[2];
    column[height_ + 2] -= column[3] * column[height_ + 1];
  }
  return size_ - 1;
}

// Column by column; the rows of a pivot change places as far as the band reaches.
bool BandedLu::factorize_band() {
  has_moved_rows_ = false;
  const int first = lower_ == 1 && upper_ == 1 ? eliminate_three_diagonals() : 0;
  for (int j = first; j < size_; ++j) {
    const int last_row = std::min(j + lower_, size_ - 1);
    const int last_column = std::min(j + lower_ + upper_, size_ - 1);
    int best = j;
    for (int i = j + 1; i <= last_row; ++i)
      if (std::abs(band(i, j)) > std::abs(band(best, j))) best = i;
    pivot_[j] = best;
    if (!(std::abs(band(best, j)) > 0)) return false;
    has_moved_rows_ = has_moved_rows_ || best != j;
    if (best != j)
      for (int c = j; c <= last_column; ++c) std::swap(band(j, c), band(best, c));
    const double over = 1 / band(j, j);
    for (int i = j + 1; i <= last_row; ++i) band(i, j) *= over;
    for (int c = j + 1; c <= last_column; ++c) {
      const double above = band(j, c);
      if (above == 0) continue;
      for (int i = j + 1; i <= last_row; ++i) band(i, c) -= band(i, j) * above;
    }
  }
  return true;
}

void BandedLu::solve_three_diagonals(double* x) const {
  const double* column = numbers_.data();
  for (int j = 0; j + 1 < size_; ++j, column += height_) x[j + 1] -= column[3] * x[j];
  for (int j = size_ - 1; j > 0; --j, column -= height_) {
    x[j] /= column[2];
    x[j - 1] -= column[1] * x[j];
  }
  x[0] /= column[2];
}

void BandedLu::solve_band(double* x) const {
  if (lower_ == 1 && upper_ == 1 && !has_moved_rows_) return solve_three_diagonals(x);
  for (int j = 0; j < size_; ++j) {
    if (pivot_[j] != j) std::swap(x[j], x[pivot_[j]]);
    const int last_row = std::min(j + lower_, size_ - 1);
    for (int i = j + 1; i <= last_row; ++i) x[i] -= band(i, j) * x[j];
  }
  for (int j = size_ - 1; j >= 0; --j) {
    x[j] /= band(j, j);
    for (int i = std::max(0, j - lower_ - upper_); i < j; ++i) x[i] -= band(i, j) * x[j];
  }
}

void BandedLu::solve_band_transposed(double* x) const {
  for (int j = 0; j < size_; ++j) {
    for (int i = std::max(0, j - lower_ - upper_); i < j; ++i) x[j] -= band(i, j) * x[i];
    x[j] /= band(j, j);
  }
  for (int j = size_ - 1; j >= 0; --j) {
    const int last_row = std::min(j + lower_, size_ - 1);
    for (int i = j + 1; i <= last_row; ++i) x[j] -= band(i, j) * x[i];
    if (pivot_[j] != j) std::swap(x[j], x[pivot_[j]]);
  }
}

bool BandedLu::factorize_corner() {
  double* d = corner();
  for (int i = 0; i < border_; ++i)
    for (int j = 0; j < border_; ++j)
      for (int n = 0; n < size_; ++n)
        d[i * border_ + j] -=
            below()[static_cast<std::size_t>(i) * size_ + n] * right()[static_cast<std::size_t>(j) * size_ + n];
  for (int j = 0; j < border_; ++j) {
    int best = j;
    for (int i = j + 1; i < border_; ++i)
      if (std::abs(d[i * border_ + j]) > std::abs(d[best * border_ + j])) best = i;
    corner_pivot_[j] = best;
    if (!(std::abs(d[best * border_ + j]) > 0)) return false;
    for (int c = 0; c < border_ && best != j; ++c) std::swap(d[j * border_ + c], d[best * border_ + c]);
    for (int i = j + 1; i < border_; ++i) {
      d[i * border_ + j] /= d[j * border_ + j];
      for (int c = j + 1; c < border_; ++c) d[i * border_ + c] -= d[i * border_ + j] * d[j * border_ + c];
    }
  }
  return true;
}

void BandedLu::solve_corner(double* y, bool transposed) const {
  const double* d = corner();
  const int n = border_;
  if (!transposed) {
    for (int j = 0; j < n; ++j) std::swap(y[j], y[corner_pivot_[j]]);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) y[i] -= d[i * n + j] * y[j];
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) y[i] -= d[i * n + j] * y[j];
      y[i] /= d[i * n + i];
    }
    return;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) y[i] -= d[j * n + i] * y[j];
    y[i] /= d[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) y[i] -= d[j * n + i] * y[j];
  for (int j = n - 1; j >= 0; --j) std::swap(y[j], y[corner_pivot_[j]]);
}

void BandedLu::solve(double* x) {
  if (is_in_order_) return solve_band(x);
  for (std::size_t i = 0; i < side_.size(); ++i) side_[place_of_state_[i]] = x[i];
  double* y = side_.data() + size_;
  solve_band(side_.data());
  for (int b = 0; b < border_; ++b)
    for (int n = 0; n < size_; ++n) y[b] -= below()[static_cast<std::size_t>(b) * size_ + n] * side_[n];
  solve_corner(y, false);
  for (int b = 0; b < border_; ++b)
    for (int n = 0; n < size_; ++n) side_[n] -= right()[static_cast<std::size_t>(b) * size_ + n] * y[b];
  for (std::size_t i = 0; i < side_.size(); ++i) x[i] = side_[place_of_state_[i]];
}

void BandedLu::solve_transposed(double* x) {
  if (is_in_order_) return solve_band_transposed(x);
  for (std::size_t i = 0; i < side_.size(); ++i) side_[place_of_state_[i]] = x[i];
  double* y = side_.data() + size_;
  for (int b = 0; b < border_; ++b)
    for (int n = 0; n < size_; ++n) y[b] -= right()[static_cast<std::size_t>(b) * size_ + n] * side_[n];
  solve_corner(y, true);
  for (int b = 0; b < border_; ++b)
    for (int n = 0; n < size_; ++n) side_[n] -= below()[static_cast<std::size_t>(b) * size_ + n] * y[b];
  solve_band_transposed(side_.data());
  for (std::size_t i = 0; i < side_.size(); ++i) x[i] = side_[place_of_state_[i]];
}

}  // namespace salvo::integrate
