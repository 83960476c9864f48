#include "model/input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo::model {
namespace {

// Second derivatives of the cubic spline whose first two and last two pieces are one cubic each (not-a-knot), so that
// it is of order 4 up to its ends. With m_0 = m_1 - r (m_2 - m_1), r = h_0/h_1, put in, and likewise at the other end,
// a tridiagonal system is left for the others, eliminated from the first row to the last.
std::vector<double> curvatures(std::span<const double> time, std::span<const double> value) {
  const std::size_t n = time.size();
  std::vector<double> m(n, 0.0), factor(n, 0.0);
  if (n < 3) return m;
  const auto h = [&](std::size_t i) { return time[i + 1] - time[i]; };
  const auto slope = [&](std::size_t i) { return (value[i + 1] - value[i]) / h(i); };
  if (n == 3) return std::vector<double>(3, 2 * (slope(1) - slope(0)) / (h(0) + h(1)));  // a parabola
  const double r_first = h(0) / h(1);
  const double r_last = h(n - 2) / h(n - 3);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double left = h(i - 1);
    double right = h(i);
    double diagonal = 2 * (left + right);
    if (i == 1) diagonal += left * (1 + r_first), right -= left * r_first, left = 0;
    if (i == n - 2) diagonal += right * (1 + r_last), left -= h(i) * r_last, right = 0;
    const double pivot = diagonal - left * factor[i - 1];
    factor[i] = right / pivot;
    m[i] = (6 * (slope(i) - slope(i - 1)) - left * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i-- > 1;) m[i] -= factor[i] * m[i + 1];
  m[0] = m[1] - r_first * (m[2] - m[1]);
  m[n - 1] = m[n - 2] + r_last * (m[n - 2] - m[n - 3]);
  return m;
}

}  // namespace

InputCurve::InputCurve(Interpolation interpolation, std::span<const double> time, std::span<const double> value)
    : begin_(time.front()), end_(time.back()) {
  const std::size_t last = time.size() - 1;
  const bool is_cubic = interpolation == Interpolation::cubic;
  const std::vector<double> m = is_cubic ? curvatures(time, value) : std::vector<double>();
  add({.c0 = value[0], .begin = time[0]});
  for (std::size_t i = 0; i < last; ++i) {
    Piece piece{.c0 = value[i], .begin = time[i]};
    const double h = time[i + 1] - time[i];
    if (interpolation != Interpolation::constant) piece.c1 = (value[i + 1] - value[i]) / h;
    if (is_cubic) {
      piece.c1 -= h * (2 * m[i] + m[i + 1]) / 6;
      piece.c2 = m[i] / 2;
      piece.c3 = (m[i + 1] - m[i]) / (6 * h);
    }
    add(piece);
  }
  add({.c0 = value[last], .begin = time[last]});
}

// Unless the piece before goes on as this one does, but for rounding.
void InputCurve::add(const Piece& piece) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  if (!pieces_.empty()) {
    const Piece& before = pieces_.back();
    const bool are_lines = before.c2 == 0 && before.c3 == 0 && piece.c2 == 0 && piece.c3 == 0;
    const double size = std::max(std::abs(before.c0), std::abs(piece.c0));
    if (are_lines && std::abs(before.c1 - piece.c1) <= rounding * std::abs(piece.c1) &&
        std::abs(before.at(piece.begin) - piece.c0) <= rounding * size)
      return;
  }
  pieces_.push_back(piece);
}

int InputCurve::piece_at(double t) const {
  const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                      [](double time, const Piece& piece) { return time < piece.begin; });
  return static_cast<int>(after - pieces_.begin()) - 1;
}

}  // namespace salvo::model
