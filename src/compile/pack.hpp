#pragma once

#include <cmath>
#include <cstddef>

namespace salvo::compile {

// W numbers side by side, one per trajectory. Arrays of packs are stored lane-last: x[i * W + lane].
// The loops have a constant length, so the compiler turns them into vector instructions, as wide as those of the
// function they are inlined into (with_wide_registers); vectors of the compiler would be split before that.
template <int W>
struct alignas(sizeof(double) * W) Pack {
  double lane[W];

  static Pack load(const double* from) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = from[l];
    return out;
  }
  static Pack all(double value) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = value;
    return out;
  }
  double operator[](int l) const { return lane[l]; }
  void store(double* to) const {
    for (int l = 0; l < W; ++l) to[l] = lane[l];
  }
  friend Pack operator+(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a.lane[l] + b.lane[l];
    return out;
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a.lane[l] - b.lane[l];
    return out;
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a.lane[l] * b.lane[l];
    return out;
  }
  friend Pack operator*(double a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a * b.lane[l];
    return out;
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a.lane[l] / b.lane[l];
    return out;
  }
  friend Pack size(const Pack& a) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = std::abs(a.lane[l]);
    return out;
  }
  friend Pack larger(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = a.lane[l] < b.lane[l] ? b.lane[l] : a.lane[l];
    return out;
  }
  friend Pack smaller(const Pack& a, const Pack& b) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lane[l] = b.lane[l] < a.lane[l] ? b.lane[l] : a.lane[l];
    return out;
  }
};

}  // namespace salvo::compile
