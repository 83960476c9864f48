#include "start/reinsch_system.hpp"

#include <algorithm>

namespace salvo::start {

ReinschSystem::ReinschSystem(std::span<const SeriesPoint> points)
    : points_(points), slope_(points.size() - 1), knots_(points.size()) {
  const double span = points.back().time - points.front().time;
  const auto distance = [&](int i) { return (points[i + 1].time - points[i].time) / span; };
  for (int i = 0; i <= inner(); ++i) slope_[i] = 1 / distance(i);
  for (int j = 0; j < inner(); ++j) {
    Knot& knot = knots_[j];
    knot.r0 = (distance(j) + distance(j + 1)) / 3;
    knot.r1 = distance(j + 1) / 6;
    knot.s0 = product(j, j);
    knot.s1 = j + 1 < inner() ? product(j, j + 1) : 0;
    knot.s2 = j + 2 < inner() ? product(j, j + 2) : 0;
    knot.right = q(j, j) * points[j].value + q(j + 1, j) * points[j + 1].value + q(j + 2, j) * points[j + 2].value;
  }
}

// (Q'W^-1 Q)_jk for k = j, j + 1, j + 2
double ReinschSystem::product(int j, int k) const {
  double sum = 0;
  for (int i = k; i <= j + 2; ++i) sum += variance(i) * q(i, j) * q(i, k);
  return sum;
}

double ReinschSystem::reference() const {
  double r = 0;
  double s = 0;
  for (int j = 0; j < inner(); ++j) r += knots_[j].r0, s += knots_[j].s0;
  return r / s;
}

ReinschSystem::Measure ReinschSystem::solve(double lambda) {
  lambda_ = lambda;
  factorize();
  solve_bands();
  invert_bands();
  Measure out;
  double before = 0;  // slopes of γ, whose jumps are Q γ
  for (int i = 0; i < inner() + 2; ++i) {
    const double after = i <= inner() ? slope_[i] * (knots_[i].gamma - second(i)) : 0;
    const double scaled = lambda * points_[i].sigma * (after - before);
    out.squares += scaled * scaled;
    before = after;
  }
  for (int j = 0; j < inner(); ++j) {  // λ tr B^-1 Q'W^-1 Q
    const Knot& knot = knots_[j];
    out.left += lambda * (knot.v0 * knot.s0 + 2 * (knot.v1 * knot.s1 + knot.v2 * knot.s2));
  }
  return out;
}

void ReinschSystem::factorize() {
  Knot zero;
  const Knot* before = &zero;
  const Knot* twice_before = &zero;
  for (int j = 0; j < inner(); ++j) {
    Knot& knot = knots_[j];
    const double across = before->d * before->l1;
    knot.d = knot.r0 + lambda_ * knot.s0 - across * before->l1 - twice_before->d * twice_before->l2 * twice_before->l2;
    const double inverse = 1 / knot.d;
    knot.l1 = j + 1 < inner() ? (knot.r1 + lambda_ * knot.s1 - across * before->l2) * inverse : 0;
    knot.l2 = lambda_ * knot.s2 * inverse;
    twice_before = before;
    before = &knot;
  }
}

void ReinschSystem::solve_bands() {
  const int n = inner();
  for (int j = 0; j < n; ++j) {
    knots_[j].gamma = knots_[j].right;
    if (j >= 1) knots_[j].gamma -= knots_[j - 1].l1 * knots_[j - 1].gamma;
    if (j >= 2) knots_[j].gamma -= knots_[j - 2].l2 * knots_[j - 2].gamma;
  }
  for (int j = n - 1; j >= 0; --j)
    knots_[j].gamma =
        knots_[j].gamma / knots_[j].d - knots_[j].l1 * knots_[j + 1].gamma - knots_[j].l2 * knots_[j + 2].gamma;
}

// The five bands of B^-1 from its factors, last row first ([HutchinsonDeHoog85]).
void ReinschSystem::invert_bands() {
  for (int j = inner() - 1; j >= 0; --j) {
    Knot& knot = knots_[j];
    const Knot& next = knots_[j + 1];
    knot.v1 = -knot.l1 * next.v0 - knot.l2 * next.v1;
    knot.v2 = -knot.l1 * next.v1 - knot.l2 * knots_[j + 2].v0;
    knot.v0 = 1 / knot.d - knot.l1 * knot.v1 - knot.l2 * knot.v2;
  }
}

// (Q γ)_i and (Q B^-1 Q')_ii: residual and 1 - leverage of a point, but for the same factor, which vanishes with λ.
double ReinschSystem::bend_at(int i) const {
  return (i <= inner() ? slope_[i] * (second(i + 1) - second(i)) : 0) -
         (i > 0 ? slope_[i - 1] * (second(i) - second(i - 1)) : 0);
}

double ReinschSystem::stiffness_at(int i) const {
  const int last = std::min(i, inner() - 1);
  double sum = 0;
  for (int j = std::max(0, i - 2); j <= last; ++j) {
    sum += q(i, j) * q(i, j) * knots_[j].v0;
    if (j + 1 <= last) sum += 2 * q(i, j) * q(i, j + 1) * knots_[j].v1;
    if (j + 2 <= last) sum += 2 * q(i, j) * q(i, j + 2) * knots_[j].v2;
  }
  return sum;
}

}  // namespace salvo::start
