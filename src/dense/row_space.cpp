#include "dense/row_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "dense/householder_qr.hpp"
#include "dense/pivoted_qr.hpp"

namespace salvo::dense {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int most_sweeps = 30;  // of rotations over all pairs of columns; a handful is the rule
constexpr double orthogonal = 1e-15;
constexpr double rounding = 1e-16;  // pivots below this, relative to the largest, are nothing

// A rotation in their plane makes columns i and j orthogonal. False if they are already.
bool rotate(MatrixXd& W, Index i, Index j) {
  const double a = W.col(i).squaredNorm();
  const double b = W.col(j).squaredNorm();
  const double c = W.col(i).dot(W.col(j));
  if (!(std::abs(c) > orthogonal * std::sqrt(a) * std::sqrt(b))) return false;
  const double zeta = (b - a) / (2 * c);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::hypot(1, zeta));
  const double cosine = 1 / std::sqrt(1 + t * t);
  const double sine = cosine * t;
  const VectorXd left = W.col(i);
  W.col(i) = cosine * left - sine * W.col(j);
  W.col(j) = sine * left + cosine * W.col(j);
  return true;
}

void make_orthogonal(MatrixXd& W) {
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool rotated = false;
    for (Index i = 0; i + 1 < W.cols(); ++i)
      for (Index j = i + 1; j < W.cols(); ++j) rotated = rotate(W, i, j) || rotated;
    if (!rotated) return;
  }
}

}  // namespace

// A P = Q R, and rotations J that make the columns of W = R' J orthogonal: R = J W', so that A = (Q J) (P W)' with
// orthogonal columns on both sides. After the pivoted QR the columns are nearly orthogonal already, and small singular
// values keep their digits ([DemmelVeselic92]).
RowSpace row_space(const MatrixXd& A, double tolerance) {
  const Index n = A.cols();
  RowSpace out{VectorXd(0), MatrixXd(n, 0), MatrixXd::Identity(n, n)};
  if (A.size() == 0 || !A.allFinite()) return out;
  const PivotedQr qr(A, rounding);
  MatrixXd W = MatrixXd(qr.packed().topRows(qr.rank()).triangularView<Eigen::Upper>()).transpose();
  make_orthogonal(W);
  if (W.cols() == 0 || !W.allFinite()) return out;

  const VectorXd length = W.colwise().norm().transpose();
  std::vector<Index> order(static_cast<std::size_t>(W.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return length[i] > length[j]; });
  const Index count = (length.array() > tolerance * length.maxCoeff()).count();
  out.singular.resize(count);
  out.seen.resize(n, count);
  for (Index k = 0; k < count; ++k) {
    out.singular[k] = length[order[k]];
    out.seen.col(k) = qr.columns() * (W.col(order[k]) / out.singular[k]);
  }
  out.unseen = HouseholderQr(out.seen).first_columns(n).rightCols(n - count);
  return out;
}

}  // namespace salvo::dense
