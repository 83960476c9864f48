#include "shooting/levenberg_marquardt.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace salvo::shooting {
namespace {

constexpr double first_damping = 1e-4;
constexpr double least_damping = 1e-7;
constexpr double most_damping = 1e6;
constexpr double good_to = 1e-6;  // relative fall of the squares that is not worth another iteration

// Unknowns that may move: seen by a row, and not pressed against a bound.
std::vector<int> movable(const NormalEquations& at, const std::vector<double>& z, std::span<const double> lower,
                         std::span<const double> upper) {
  std::vector<int> out;
  for (int k = 0; k < static_cast<int>(z.size()); ++k) {
    const bool pressed = (z[k] <= lower[k] && at.gradient[k] > 0) || (z[k] >= upper[k] && at.gradient[k] < 0);
    if (at.normal(k, k) > 0 && !pressed) out.push_back(k);
  }
  return out;
}

// (J'J + damping diag J'J) step = -J'r on the movable unknowns, cut off at the bounds.
std::vector<double> damped_step(const NormalEquations& at, const std::vector<int>& free, double damping) {
  const int n = static_cast<int>(free.size());
  Eigen::VectorXd length(n);
  for (int i = 0; i < n; ++i) length[i] = std::sqrt(at.normal(free[i], free[i]));
  Eigen::MatrixXd scaled(n, n);
  Eigen::VectorXd right(n);
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i)
      scaled(i, j) = at.normal(std::max(free[i], free[j]), std::min(free[i], free[j])) / (length[i] * length[j]);
    scaled(j, j) = 1 + damping;
    right[j] = -at.gradient[free[j]] / length[j];
  }
  const Eigen::VectorXd solved = scaled.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  std::vector<double> step(at.gradient.size(), 0.0);
  for (int i = 0; i < n; ++i) step[free[i]] = solved[i] / length[i];
  return step;
}

}  // namespace

void NormalEquations::clear(int unknowns, bool derivatives) {
  half_squares = 0;
  rows = 0;
  gradient.assign(derivatives ? unknowns : 0, 0.0);
  normal.resize(derivatives ? unknowns : 0, derivatives ? unknowns : 0);
}

void NormalEquations::add(double r, std::span<const double> slopes) {
  half_squares += 0.5 * r * r;
  ++rows;
  std::vector<int> there;
  for (int k = 0; k < static_cast<int>(slopes.size()); ++k)
    if (slopes[k] != 0) there.push_back(k);
  for (std::size_t a = 0; a < there.size(); ++a) {
    gradient[there[a]] += r * slopes[there[a]];
    for (std::size_t b = 0; b <= a; ++b) normal(there[a], there[b]) += slopes[there[a]] * slopes[there[b]];
  }
}

SmallFit levenberg_marquardt(const RowsAt& rows, std::vector<double> z, std::span<const double> lower,
                             std::span<const double> upper, int max_iterations) {
  SmallFit fit{.ok = false, .z = std::move(z)};
  if (!rows(fit.z, true, fit.at_z) || !std::isfinite(fit.at_z.half_squares)) return fit;
  fit.ok = true;
  double damping = first_damping;
  NormalEquations trial;
  while (fit.iterations < max_iterations && damping < most_damping) {
    ++fit.iterations;
    const std::vector<double> step = damped_step(fit.at_z, movable(fit.at_z, fit.z, lower, upper), damping);
    std::vector<double> next = fit.z;
    for (std::size_t k = 0; k < next.size(); ++k) next[k] = std::clamp(next[k] + step[k], lower[k], upper[k]);
    const bool there = next != fit.z && rows(next, true, trial);  // most steps stand: derivatives at once
    if (!there || !(trial.half_squares < fit.at_z.half_squares)) {
      if (next == fit.z) break;
      damping = std::max(8 * damping, 1e-3);
      continue;
    }
    const double before = fit.at_z.half_squares;
    std::swap(fit.at_z, trial);
    fit.z = std::move(next);
    damping = std::max(0.1 * damping, least_damping);
    if (before - fit.at_z.half_squares <= good_to * before) break;
  }
  return fit;
}

}  // namespace salvo::shooting
