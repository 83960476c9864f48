#include "solve/quadratic/bounded_least_squares.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "dense/complete_orthogonal.hpp"
#include "dense/householder_qr.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Minimum-norm minimiser over the free columns; `rank` tells how many of them F can tell apart.
VectorXd solve_free(const MatrixXd& F, const VectorXd& rhs, const std::vector<bool>& held, const RankTest& rule,
                    int* rank) {
  std::vector<int> free;
  for (int i = 0; i < static_cast<int>(held.size()); ++i)
    if (!held[i]) free.push_back(i);
  VectorXd x = VectorXd::Zero(F.cols());
  if (free.empty() || F.rows() == 0) return x;
  MatrixXd part(F.rows(), static_cast<Eigen::Index>(free.size()));
  VectorXd length(part.cols());
  for (Eigen::Index k = 0; k < part.cols(); ++k) {
    length[k] = rule.lengths.empty() ? F.col(free[k]).norm() : rule.lengths[free[k]];
    if (!(length[k] > 0)) length[k] = 1;
    part.col(k) = F.col(free[k]) / length[k];
  }
  const dense::ShortestSolution shortest = dense::shortest_solution(part, rhs, rule.tolerance);
  VectorXd solution = shortest.x.cwiseQuotient(length);
  if (shortest.rank < part.cols()) {  // the shortest of all minimisers, in the units of x
    const MatrixXd hidden = length.cwiseInverse().asDiagonal() * shortest.unseen;
    solution -= hidden * dense::HouseholderQr(hidden).least_squares(solution);
  }
  if (rank != nullptr) *rank = static_cast<int>(shortest.rank);
  for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = solution[static_cast<Eigen::Index>(k)];
  return x;
}

}  // namespace

std::vector<double> least_squares(const Matrix& F, const std::vector<double>& f, const std::vector<bool>& held,
                                  const RankTest& rule) {
  const Eigen::Map<const MatrixXd> matrix(F.data.data(), F.rows, F.cols);
  const Eigen::Map<const VectorXd> rhs(f.data(), static_cast<Eigen::Index>(f.size()));
  const VectorXd x = solve_free(matrix, -rhs, held, rule, nullptr);
  return {x.data(), x.data() + x.size()};
}

BoundedSolution bounded_least_squares(const Matrix& F, const std::vector<double>& f, const std::vector<double>& lower,
                                      const std::vector<double>& upper, const RankTest& rule) {
  const MatrixXd matrix = Eigen::Map<const MatrixXd>(F.data.data(), F.rows, F.cols);
  const VectorXd constant = Eigen::Map<const VectorXd>(f.data(), static_cast<Eigen::Index>(f.size()));
  const int n = F.cols;
  VectorXd x = VectorXd::Zero(n);
  std::vector<bool> held(n, false);
  VectorXd gradient = matrix.transpose() * constant;
  for (int i = 0; i < n; ++i) held[i] = (lower[i] >= 0 && gradient[i] > 0) || (upper[i] <= 0 && gradient[i] < 0);

  BoundedSolution out;
  const int most_changes = 10 * n + 20;
  for (int change = 0; change < most_changes; ++change) {
    // The held unknowns keep their values; the free ones go to their minimiser, or as far as the bounds let them.
    VectorXd fixed = VectorXd::Zero(n);
    for (int i = 0; i < n; ++i)
      if (held[i]) fixed[i] = x[i];
    const VectorXd target = fixed + solve_free(matrix, -(constant + matrix * fixed), held, rule, &out.rank);
    double fraction = 1;
    int blocking = -1;
    for (int i = 0; i < n; ++i) {
      if (held[i]) continue;
      const double move = target[i] - x[i];
      const double bound = move < 0 ? lower[i] : upper[i];
      if ((move < 0 && target[i] < bound) || (move > 0 && target[i] > bound)) {
        const double reach = (bound - x[i]) / move;
        if (reach < fraction) fraction = reach, blocking = i;
      }
    }
    x += fraction * (target - x);
    if (blocking >= 0) {
      held[blocking] = true;
      x[blocking] = target[blocking] < lower[blocking] ? lower[blocking] : upper[blocking];
      continue;
    }
    gradient = matrix.transpose() * (constant + matrix * x);
    const double small = 1e-12 * matrix.norm() * std::max(constant.norm(), 1e-300);
    int freed = -1;
    double strongest = small;
    for (int i = 0; i < n; ++i) {
      if (!held[i]) continue;
      const double pull = x[i] <= lower[i] ? -gradient[i] : gradient[i];
      if (pull > strongest) strongest = pull, freed = i;
    }
    if (freed < 0) break;
    held[freed] = false;
  }
  out.x.assign(x.data(), x.data() + n);
  out.held = std::move(held);
  return out;
}

}  // namespace salvo::solve
