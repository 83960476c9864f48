#pragma once

#include <cstddef>

namespace salvo::compile {

// Vectors of the compiler, which it splits where the registers of the machine are narrower; `Anywhere` is one in an
// array of numbers, which need not be aligned as vectors are.
template <int W>
struct Vectors;
template <>
struct Vectors<4> {
  using Vector [[gnu::vector_size(32)]] = double;
  using Anywhere [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
};
template <>
struct Vectors<8> {
  using Vector [[gnu::vector_size(64)]] = double;
  using Anywhere [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;
};

// W numbers side by side, one per trajectory. Arrays of packs are stored lane-last: x[i * W + lane].
template <int W>
struct Pack {
  using Vector = typename Vectors<W>::Vector;
  using Anywhere = typename Vectors<W>::Anywhere;
  Vector lanes;

  static Pack load(const double* from) { return {*reinterpret_cast<const Anywhere*>(from)}; }
  static Pack all(double value) {
    Pack out;
    for (int l = 0; l < W; ++l) out.lanes[l] = value;
    return out;
  }
  void store(double* to) const { *reinterpret_cast<Anywhere*>(to) = lanes; }
  double operator[](int l) const { return lanes[l]; }

  friend Pack operator+(const Pack& a, const Pack& b) { return {a.lanes + b.lanes}; }
  friend Pack operator-(const Pack& a, const Pack& b) { return {a.lanes - b.lanes}; }
  friend Pack operator*(const Pack& a, const Pack& b) { return {a.lanes * b.lanes}; }
  friend Pack operator*(double a, const Pack& b) { return {a * b.lanes}; }
  friend Pack operator/(const Pack& a, const Pack& b) { return {a.lanes / b.lanes}; }
};

template <>
struct Pack<1> {
  double number;

  static Pack load(const double* from) { return {*from}; }
  static Pack all(double value) { return {value}; }
  void store(double* to) const { *to = number; }
  double operator[](int) const { return number; }

  friend Pack operator+(const Pack& a, const Pack& b) { return {a.number + b.number}; }
  friend Pack operator-(const Pack& a, const Pack& b) { return {a.number - b.number}; }
  friend Pack operator*(const Pack& a, const Pack& b) { return {a.number * b.number}; }
  friend Pack operator*(double a, const Pack& b) { return {a * b.number}; }
  friend Pack operator/(const Pack& a, const Pack& b) { return {a.number / b.number}; }
};

}  // namespace salvo::compile
