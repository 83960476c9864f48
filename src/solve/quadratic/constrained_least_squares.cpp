#include "solve/quadratic/constrained_least_squares.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "dense/complete_orthogonal.hpp"
#include "dense/householder_qr.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/nearest_point.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Weight of the share by which constraints are relaxed, relative to what it would cost to meet them. It is
// meant as infinity; no campaign has varied it.
const double relaxation_price = 1e3;
// Moving along an unseen direction is this much cheaper than along the best seen ones. It costs something at all so
// that the step is unique; nothing is left of the price when steps have died down.
const double unseen_price = 1e-3;

// x = to_x z, in which |F x + f|^2 = |z - target|^2 + constant.
struct Coordinates {
  MatrixXd to_x;
  VectorXd target;
};

Coordinates distance_coordinates(const MatrixXd& F, const VectorXd& f, const RankTest& rule) {
  const Index n = F.cols();
  VectorXd length(n);
  for (Index k = 0; k < n; ++k) {
    length[k] = rule.lengths.empty() ? F.col(k).norm() : rule.lengths[k];
    if (!(length[k] > 0)) length[k] = 1;
  }
  Coordinates out{MatrixXd::Identity(n, n), VectorXd::Zero(n)};
  if (F.rows() == 0 || n == 0) return out;
  const auto [seen, T, directions, rotated] =
      dense::complete_orthogonal(F * length.cwiseInverse().asDiagonal(), f, rule.tolerance);
  MatrixXd basis = directions;  // in the units of x
  basis.array().colwise() /= length.array();
  if (seen < n) {
    const MatrixXd orthonormal = dense::HouseholderQr(basis.rightCols(n - seen)).first_columns(n - seen);
    basis.rightCols(n - seen) = orthonormal;
    const MatrixXd shared = orthonormal.transpose() * basis.leftCols(seen);
    basis.leftCols(seen) -= orthonormal * shared;
  }
  double longest = 1;
  if (seen > 0) {
    T.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(basis.leftCols(seen));
    longest = basis.leftCols(seen).colwise().norm().maxCoeff();
    out.target.head(seen) = -rotated.head(seen);
  }
  basis.rightCols(n - seen) *= longest / unseen_price;
  out.to_x = basis;
  return out;
}

// One more unknown s: rows that z = 0 violates hold up to a share s of that violation, and s has its price.
NearestPointProblem relaxed(const NearestPointProblem& hard) {
  const Index n = hard.target.size();
  VectorXd violation = hard.b;
  double farthest = 0;
  for (Index i = 0; i < hard.b.size(); ++i) {
    if (!hard.equality[i]) violation[i] = std::max(violation[i], 0.0);
    const double length = hard.A.row(i).norm();
    if (length > 0) farthest = std::max(farthest, std::abs(violation[i]) / length);
  }
  if (!(farthest > 0)) farthest = 1;
  const double price = relaxation_price * std::max(farthest, std::sqrt(farthest * hard.target.norm()));
  NearestPointProblem soft = hard;
  soft.target.conservativeResize(n + 1);
  soft.target[n] = 0;
  soft.A.conservativeResize(Eigen::NoChange, n + 1);
  soft.A.col(n) = -violation / price;
  return soft;
}

}  // namespace

ConstrainedSolution constrained_least_squares(const Matrix& F, const std::vector<double>& f,
                                              const LinearConstraints& constraints, const RankTest& rule) {
  const Coordinates coordinates = distance_coordinates(map(F), map(f), rule);
  const NearestPointProblem hard{coordinates.target, map(constraints.C) * coordinates.to_x, map(constraints.c),
                                 constraints.equality};
  NearestPoint nearest = nearest_point(hard);
  ConstrainedSolution out;
  out.conflict = nearest.conflict;
  if (!out.conflict.empty()) nearest = nearest_point(relaxed(hard));
  const VectorXd x = coordinates.to_x * nearest.z.head(F.cols);
  out.x.assign(x.data(), x.data() + x.size());
  out.multipliers.assign(nearest.multipliers.data(), nearest.multipliers.data() + nearest.multipliers.size());
  out.active.assign(constraints.c.size(), false);
  for (const int i : nearest.active) out.active[i] = true;
  return out;
}

}  // namespace salvo::solve
