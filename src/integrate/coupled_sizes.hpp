#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "compile/pattern.hpp"
#include "integrate/error_scale.hpp"

namespace salvo::integrate {

// What a state that stands at zero, or near it, will be measured in: no number of its own tells its unit, but what
// flows into it does. With T_i the time in which it decays, or turns with another one,
//   size_i = T_i max(|f_i|, max_j |f_x|_ij size_j),
// from state to state along the reactions. Sizes follow the units: a state that is written in another unit has the same
// size in that one.
class CoupledSizes {
 public:
  // Sizes of the states x of a trajectory that goes on for the time `longest`.
  CoupledSizes(const compile::Lines& rows, std::vector<double> x, double longest);

  // Where f and f_x are to be looked at next: x, and sizes in place of what is near zero, for products of two such
  // states show nothing at zero.
  std::span<const double> point() const { return point_; }
  // f and the non-zeros of f_x at that point, `stride` apart.
  void look(const double* f, const double* nonzeros, int stride);
  // Every state at zero has a size, and the last look has confirmed them.
  bool is_settled() const { return is_settled_; }
  // 0 for states that have a size of their own, or that nothing flows into.
  std::span<const double> sizes() const { return sizes_; }

  // How far f_i may lead within T by rounding alone: f is looked at twice, at x and at numbers next to it.
  static double rounded(double x, int i) { return x * (1 + std::numeric_limits<double>::epsilon() * (1 + i * 7 % 11)); }
  void look_at_rounding(const double* f, const double* nonzeros, int stride);
  std::span<const double> rounding() const { return rounding_; }

  // A state smaller than this part of what flows into it is near zero.
  static constexpr double near_zero = 1e-7;
  // Two sizes within this factor are the same.
  static constexpr double settled = 10;

 private:
  double entry(int row, int column) const;
  double rate_of(int i) const;
  double size_by_inflow(int i, const double* f) const;
  void take(int i, double size);

  const compile::Lines& rows_;
  const double* nonzeros_ = nullptr;
  int stride_ = 1;
  double longest_;
  bool is_settled_ = false;
  std::vector<double> x_, point_, sizes_, rounding_{}, f_{};
};

// f and the non-zeros of f_x in W lanes.
struct Linearized {
  const double* f = nullptr;
  const double* nonzeros = nullptr;
};

// The least absolute errors that count, of W lanes side by side that stand at x at times t and go on until `end`: by
// the coupled sizes, and by the rounding of f. `linearize(times, states)` is asked at points that are written to
// `point`, now and later on the way, for something may flow later only.
template <int W, class Linearize>
std::vector<double> least_by_neighbours(const ErrorScale& scale, const compile::Lines& rows,
                                        const std::array<double, W>& t, const std::array<double, W>& end,
                                        const double* x, double* point, const Linearize& linearize) {
  constexpr int most_looks = 5;
  const std::size_t states = rows.start.size() - 1;
  std::vector<CoupledSizes> lanes;
  for (int l = 0; l < W; ++l) {
    std::vector<double> of_lane(states);
    for (std::size_t i = 0; i < states; ++i) of_lane[i] = x[i * W + l];
    lanes.emplace_back(rows, std::move(of_lane), end[l] - t[l]);
  }
  const auto look_at = [&](const std::array<double, W>& time, const auto& number, const auto& look) {
    for (std::size_t n = 0; n < states * W; ++n) point[n] = number(n);
    const Linearized at = linearize(time, point);
    for (int l = 0; l < W; ++l) look(lanes[l], at.f + l, at.nonzeros + l);
  };
  const auto is_settled = [](const CoupledSizes& lane) { return lane.is_settled(); };
  for (int k = 0; k < most_looks && !std::all_of(lanes.begin(), lanes.end(), is_settled); ++k) {
    std::array<double, W> time = t;
    for (int l = 0; l < W; ++l) time[l] += (end[l] - t[l]) * k / most_looks;
    look_at(
        time, [&](std::size_t n) { return lanes[n % W].point()[n / W]; },
        [&](CoupledSizes& lane, const double* f, const double* nonzeros) {
          if (!lane.is_settled()) lane.look(f, nonzeros, W);
        });
  }
  for (const bool is_moved : {false, true}) {
    look_at(
        t, [&](std::size_t n) { return is_moved ? CoupledSizes::rounded(x[n], static_cast<int>(n / W)) : x[n]; },
        [](CoupledSizes& lane, const double* f, const double* nonzeros) { lane.look_at_rounding(f, nonzeros, W); });
  }
  std::vector<double> out(states * W);
  for (std::size_t n = 0; n < out.size(); ++n) {
    const CoupledSizes& lane = lanes[n % W];
    out[n] = std::max(ErrorScale::coupled_share * scale.rtol * lane.sizes()[n / W], lane.rounding()[n / W]);
  }
  return out;
}

}  // namespace salvo::integrate
