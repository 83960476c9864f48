#include "statistics/restricted_variances.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics/matrix_view.hpp"

namespace salvo::statistics {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// One round of the fixed point; returns the largest change of a logarithm.
double improve(const GroupedRows& rows, std::vector<double>& c) {
  const auto M = view(rows.M);
  const auto variance = [&](Index i) { return rows.group[i] < 0 ? 1.0 : c[rows.group[i]]; };
  MatrixXd K = MatrixXd::Zero(M.rows(), M.rows());
  VectorXd g = VectorXd::Zero(M.rows());
  for (Index i = 0; i < M.cols(); ++i) {
    K.selfadjointView<Eigen::Lower>().rankUpdate(M.col(i), 1 / variance(i));
    g += rows.r[i] / variance(i) * M.col(i);
  }
  const Eigen::LLT<MatrixXd> llt(K.selfadjointView<Eigen::Lower>());
  const VectorXd y = -llt.solve(g);
  std::vector<double> squares(c.size(), 0.0);
  std::vector<double> left(c.size(), 0.0);
  for (Index i = 0; i < M.cols(); ++i) {
    if (rows.group[i] < 0) continue;
    squares[rows.group[i]] += std::pow(rows.r[i] + M.col(i).dot(y), 2);
    left[rows.group[i]] += 1 - llt.matrixL().solve(M.col(i)).squaredNorm() / variance(i);
  }
  double change = 0;
  for (std::size_t a = 0; a < c.size(); ++a) {
    const double restricted = squares[a] / left[a];
    if (!std::isfinite(restricted)) return std::numeric_limits<double>::infinity();
    const double next = std::max(1.0, restricted);
    change = std::max(change, std::abs(std::log(next / c[a])));
    c[a] = next;
  }
  return change;
}

}  // namespace

std::vector<double> restricted_variances(const GroupedRows& rows, std::vector<double> c,
                                         const SmallSampleRules& rules) {
  std::vector<double> next = c;
  for (int n = 0; n < rules.most_rounds; ++n) {
    const double change = improve(rows, next);
    if (change <= rules.settled) return next;
    if (!std::isfinite(change)) break;
  }
  return c;
}

}  // namespace salvo::statistics
