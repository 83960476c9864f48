#pragma once

#include <span>
#include <vector>

#include "start/smoothing_spline.hpp"

namespace salvo::start {

// Reinsch's equations for the second derivatives γ of a smoothing spline at its inner knots (docs/mathematics.md,
// eq. 28a), B γ = Q'y with B = R + λ Q'W^-1 Q of five bands. Times are measured in spans of the data. At least three
// points, which must outlive this object; all memory is taken at once.
class ReinschSystem {
 public:
  explicit ReinschSystem(std::span<const SeriesPoint> points);

  // λ at which both parts of B weigh the same.
  double reference() const;

  // What decides about λ.
  struct Measure {
    double squares = 0;  // Σ (residual / sigma)^2
    double left = 0;     // n - trace of the smoother, without cancellation
  };
  Measure solve(double lambda);

  // The last solution tells the second derivative at a point, per span^2; y - s there; and by how much the curve
  // through the others misses it.
  double second(int i) const { return i == 0 || i > inner() ? 0 : knots_[i - 1].gamma; }
  double residual(int i) const { return lambda_ * variance(i) * bend_at(i); }
  double left_out(int i) const { return bend_at(i) / stiffness_at(i); }

 private:
  struct Knot {
    double r0 = 0, r1 = 0;          // R: on the diagonal, and towards the next knot
    double s0 = 0, s1 = 0, s2 = 0;  // Q'W^-1 Q: towards the next two
    double right = 0;               // Q'y
    double d = 0, l1 = 0, l2 = 0;   // B = L D L'
    double gamma = 0;
    double v0 = 0, v1 = 0, v2 = 0;  // bands of B^-1
  };
  int inner() const { return static_cast<int>(points_.size()) - 2; }
  double variance(int i) const { return points_[i].sigma * points_[i].sigma; }
  // Second differences: column j of Q belongs to the inner knot j + 1.
  double q(int i, int j) const {
    if (i == j) return slope_[j];
    return i == j + 1 ? -slope_[j] - slope_[j + 1] : slope_[j + 1];
  }
  double product(int j, int k) const;
  void factorize();
  void solve_bands();
  void invert_bands();
  double bend_at(int i) const;
  double stiffness_at(int i) const;

  std::span<const SeriesPoint> points_;
  std::vector<double> slope_;  // 1 / (distance of two points)
  std::vector<Knot> knots_;    // the inner ones, and two without meaning behind them
  double lambda_ = 0;
};

}  // namespace salvo::start
