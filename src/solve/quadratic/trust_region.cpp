#include "solve/quadratic/trust_region.hpp"

#include <algorithm>
#include <cmath>

#include "solve/elimination/views.hpp"
#include "solve/quadratic/spectrum.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const double eigenvalue_rounding = 1e-14;  // of the largest eigenvalue: below it, its sign is not known
const int most_iterations = 100;           // of Newton's method for the shift; in no test are they used up
const double radius_tolerance = 1e-6;      // of the length of a step that is as long as the radius, relative to it
const double least_share = 1e-3;  // of the radius, left where what is on bounds has used it up: none is no step

// The length of the step (e + shift)^-1 Vg, where Vg is the gradient along each eigenvector; those that do not move
// have none.
double length_at(const VectorXd& e, const VectorXd& Vg, double shift) {
  double sum = 0;
  for (Index i = 0; i < Vg.size(); ++i)
    if (Vg[i] != 0) sum += std::pow(Vg[i] / (e[i] + shift), 2);
  return std::sqrt(sum);
}

// The shift at which the step is as long as the radius: Newton's method on 1/length, which is almost linear in it, kept
// between two points that enclose it.
double shift_for(const VectorXd& e, const VectorXd& Vg, double radius, double least) {
  double low = least;
  double high = least + Vg.norm() / radius;
  double shift = 0.5 * (low + high);
  for (int k = 0; k < most_iterations; ++k) {
    const double length = length_at(e, Vg, shift);
    if (std::abs(length - radius) <= radius_tolerance * radius) break;
    (length > radius ? low : high) = shift;
    double slope = 0;
    for (Index i = 0; i < Vg.size(); ++i)
      if (Vg[i] != 0) slope += Vg[i] * Vg[i] / std::pow(e[i] + shift, 3);
    const double next = shift + length * length / slope * (length - radius) / radius;
    shift = next > low && next < high ? next : 0.5 * (low + high);
  }
  return shift;
}

// Without bounds, within `radius`.
VectorXd free_step(const Spectrum& spectrum, const VectorXd& g, double radius, double negligible, bool& at_radius) {
  const auto V = map(spectrum.V);
  VectorXd Vg = V.transpose() * g;
  double lowest = 0;
  double highest = 0;
  for (Index i = 0; i < Vg.size(); ++i) {
    highest = std::max(highest, std::abs(spectrum.e[i]));
    if (std::abs(Vg[i]) * radius <= negligible)
      Vg[i] = 0;
    else
      lowest = std::min(lowest, spectrum.e[i]);
  }
  const double least = lowest < -eigenvalue_rounding * highest ? -lowest : 0;
  // Shifts are counted from the lowest eigenvalue on, which rounding would otherwise swallow.
  const VectorXd e = map(spectrum.e).array() + least;
  const double tiny = eigenvalue_rounding * eigenvalue_rounding * highest;  // so that nothing is divided by zero
  at_radius = least > 0 || length_at(e, Vg, tiny) > radius;
  const double shift = at_radius ? shift_for(e, Vg, radius, tiny) : tiny;
  VectorXd d = VectorXd::Zero(Vg.size());
  for (Index i = 0; i < d.size(); ++i)
    if (Vg[i] != 0) d[i] = -Vg[i] / (e[i] + shift);
  return V * d;
}

Spectrum spectrum_of_free(const Matrix& R_of_all, const Matrix& S_of_all, const std::vector<int>& free) {
  const MatrixXd R = map(R_of_all)(Eigen::all, free);
  if (S_of_all.rows == 0) return spectrum_of_squares(to_matrix(R));
  const MatrixXd S = map(S_of_all)(free, free);
  return spectrum_of(to_matrix(R.transpose() * R + S));
}

}  // namespace

const Spectrum& FreeSpectra::of(const Matrix& R, const Matrix& S, const std::vector<int>& free) {
  auto& known = S.rows == 0 ? without_S_ : with_S_;
  auto found = known.find(free);
  if (found == known.end()) found = known.emplace(free, spectrum_of_free(R, S, free)).first;
  return found->second;
}

double predicted_decrease(const Matrix& R, const Matrix& S, const std::vector<double>& g,
                          const std::vector<double>& d) {
  const auto step = map(d);
  const double curved = S.rows == 0 ? 0 : step.dot(map(S) * step);
  return -map(g).dot(step) - 0.5 * ((map(R) * step).squaredNorm() + curved);
}

namespace {

// The region with what every attempt at its step needs.
class BoundedRegion {
 public:
  BoundedRegion(const TrustRegion& region, FreeSpectra& known)
      : region_(region), known_(known), n_(static_cast<Index>(region.g.size())), g_(map(region.g)) {}

  // Ahead until a variable meets its bound, then on without it: every part of the way leads down.
  TrustRegionStep by_path() const {
    TrustRegionStep step;
    VectorXd d = VectorXd::Zero(n_);
    std::vector<bool> held = pressed(d);
    for (Index round = 0; round <= n_; ++round) {
      const std::vector<int> free = free_of(held);
      if (free.empty()) break;
      const VectorXd ahead = step_of(free, d, step.at_radius);
      double fraction = 1;
      Index blocking = -1;
      for (std::size_t a = 0; a < free.size(); ++a) {
        if (ahead[a] == 0) continue;
        const double room = (ahead[a] > 0 ? region_.upper[free[a]] : region_.lower[free[a]]) - d[free[a]];
        if (room / ahead[a] < fraction) fraction = std::max(room / ahead[a], 0.0), blocking = free[a];
      }
      for (std::size_t a = 0; a < free.size(); ++a) d[free[a]] += fraction * ahead[a];
      if (blocking < 0) break;
      held[blocking] = true;
    }
    return finish(d, step);
  }

 private:
  VectorXd times_B(const VectorXd& v) const {
    VectorXd out = map(region_.R).transpose() * (map(region_.R) * v);
    if (region_.S.rows > 0) out += map(region_.S) * v;
    return out;
  }
  // At a bound that the gradient presses against.
  std::vector<bool> pressed(const VectorXd& d) const {
    const VectorXd g = g_ + times_B(d);
    std::vector<bool> held(n_);
    for (Index i = 0; i < n_; ++i)
      held[i] = (region_.lower[i] >= d[i] && g[i] >= 0) || (region_.upper[i] <= d[i] && g[i] <= 0);
    return held;
  }
  std::vector<int> free_of(const std::vector<bool>& held) const {
    std::vector<int> free;
    for (int i = 0; i < n_; ++i)
      if (!held[i]) free.push_back(i);
    return free;
  }
  // What was put on a bound has used up a part of the radius, and changes the gradient of the others.
  VectorXd step_of(const std::vector<int>& free, const VectorXd& d, bool& at_radius) const {
    const double left =
        std::sqrt(std::max(std::pow(region_.radius, 2) - d.squaredNorm(), std::pow(least_share * region_.radius, 2)));
    const VectorXd g = g_ + times_B(d);
    return free_step(known_.of(region_.R, region_.S, free), g(free), left, region_.negligible, at_radius);
  }
  TrustRegionStep finish(const VectorXd& d, TrustRegionStep step) const {
    step.d.assign(d.data(), d.data() + n_);
    for (Index i = 0; i < n_; ++i) step.d[i] = std::clamp(step.d[i], region_.lower[i], region_.upper[i]);
    step.predicted = predicted_decrease(region_.R, region_.S, region_.g, step.d);
    return step;
  }

  const TrustRegion& region_;
  FreeSpectra& known_;
  Index n_;
  Eigen::Map<const VectorXd> g_;
};

}  // namespace

TrustRegionStep solve_trust_region(const TrustRegion& region, FreeSpectra& known) {
  return BoundedRegion(region, known).by_path();
}

}  // namespace salvo::solve
