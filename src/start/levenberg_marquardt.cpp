#include "start/levenberg_marquardt.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace salvo::start {
namespace {

// (J'J + damping diag J'J) step = -J'r on the unknowns that may move: seen by a row, and not blocked against a bound.
// Memory is taken once.
class DampedSteps {
 public:
  DampedSteps(std::span<const double> lower, std::span<const double> upper)
      : lower_(lower),
        upper_(upper),
        matrix_(lower.size(), lower.size()),
        right_(lower.size()),
        length_(lower.size()) {}

  // z and the step, cut off at the bounds.
  void take(const NormalEquations& at, const std::vector<double>& z, double damping, std::vector<double>& next) {
    find_movable(at, z);
    const int n = static_cast<int>(free_.size());
    for (int i = 0; i < n; ++i) length_[i] = 1 / std::sqrt(at.normal(free_[i], free_[i]));
    for (int j = 0; j < n; ++j) {  // scaled to a unit diagonal: with damping, positive definite
      for (int i = j; i < n; ++i) matrix_(i, j) = at.normal(free_[i], free_[j]) * (length_[i] * length_[j]);
      matrix_(j, j) = 1 + damping;
      right_[j] = -at.gradient[free_[j]] * length_[j];
    }
    Eigen::Ref<Eigen::MatrixXd> scaled = matrix_.topLeftCorner(n, n);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factors(scaled);
    auto step = right_.head(n);
    factors.solveInPlace(step);
    next = z;
    for (int i = 0; i < n; ++i) {
      const int k = free_[i];
      next[k] = std::clamp(z[k] + step[i] * length_[i], lower_[k], upper_[k]);
    }
  }

 private:
  void find_movable(const NormalEquations& at, const std::vector<double>& z) {
    free_.clear();
    for (int k = 0; k < static_cast<int>(z.size()); ++k) {
      const bool blocked = (z[k] <= lower_[k] && at.gradient[k] > 0) || (z[k] >= upper_[k] && at.gradient[k] < 0);
      if (at.normal(k, k) > 0 && !blocked) free_.push_back(k);
    }
  }

  std::span<const double> lower_, upper_;
  std::vector<int> free_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd right_, length_;
};

}  // namespace

void SparseRow::clear() {
  for (const int column : columns_) slope_[column] = is_there_[column] = 0;
  columns_.clear();
}

void NormalEquations::clear(int unknowns, bool derivatives) {
  half_squares = 0;
  rows = 0;
  gradient.assign(derivatives ? unknowns : 0, 0.0);
  normal.resize(derivatives ? unknowns : 0, derivatives ? unknowns : 0);
}

void NormalEquations::add(double r) {
  half_squares += 0.5 * r * r;
  ++rows;
}

void NormalEquations::add(double r, const SparseRow& row) {
  add(r);
  for (const int b : row.columns()) {
    gradient[b] += r * row[b];
    double* column = normal.data.data() + static_cast<std::size_t>(b) * normal.rows;
    for (const int a : row.columns())
      if (a >= b) column[a] += row[a] * row[b];
  }
}

// |r + J Δ|^2 / 2 and J'(r + J Δ)
void NormalEquations::move(const NormalEquations& at_z_0, std::span<const double> z_0, std::span<const double> z) {
  *this = at_z_0;
  const int n = normal.rows;
  for (int b = 0; b < n; ++b) {
    const double change = z[b] - z_0[b];
    for (int a = 0; a < n; ++a) gradient[a] += normal(std::max(a, b), std::min(a, b)) * change;
  }
  for (int a = 0; a < n; ++a) half_squares += 0.5 * (z[a] - z_0[a]) * (gradient[a] + at_z_0.gradient[a]);
  half_squares = std::max(half_squares, 0.0);
}

void NormalEquations::change_unknown(int k, double slope) {
  gradient[k] *= slope;
  for (int a = k; a < normal.rows; ++a) normal(a, k) *= slope;
  for (int b = 0; b <= k; ++b) normal(k, b) *= slope;
}

ReducedFit levenberg_marquardt(const RowsAt& rows, std::vector<double> z, std::span<const double> lower,
                               std::span<const double> upper, const LeastSquaresRules& rules) {
  ReducedFit fit{.ok = false, .z = std::move(z)};
  if (!rows(fit.z, true, fit.at_z) || !std::isfinite(fit.at_z.half_squares)) return fit;
  fit.ok = true;
  double damping = rules.first_damping;
  DampedSteps steps(lower, upper);
  NormalEquations trial;
  std::vector<double> next;
  while (fit.iterations < rules.iterations && damping * rules.least_gain < 1) {
    ++fit.iterations;
    steps.take(fit.at_z, fit.z, damping, next);
    const bool there = next != fit.z && rows(next, true, trial);  // most steps stand: derivatives at once
    if (!there || !(trial.half_squares < fit.at_z.half_squares)) {
      if (next == fit.z) break;
      damping = rules.damping_factor * std::max(damping, rules.first_damping);
      continue;
    }
    const double before = fit.at_z.half_squares;
    std::swap(fit.at_z, trial);
    std::swap(fit.z, next);
    damping = std::max(damping / rules.damping_factor, rules.least_gain);
    if (before - fit.at_z.half_squares <= rules.least_gain * before) break;
  }
  return fit;
}

}  // namespace salvo::start
