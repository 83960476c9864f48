#include "statistics/uncertainty.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "solve/elimination.hpp"

namespace salvo::statistics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double unseen = 1e-7;      // relative size of a singular value that counts as zero
constexpr double takes_part = 1e-3;  // share of a quantity in a null direction that counts

Eigen::Map<const MatrixXd> map(const Matrix& m) { return {m.data.data(), m.rows, m.cols}; }

// The information rows in (theta, w): w_c is the free motion of chain c, v0 = to_quantities * (theta, w).
struct FreeBasis {
  MatrixXd rows;
  MatrixXd to_quantities;
};

FreeBasis free_basis(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes) {
  const solve::Elimination elimination(layout, blocks, sizes);
  const int m = layout.thetas;
  int quantities = m;
  for (const auto& chain : layout.chains) quantities += chain.size[0];
  std::vector<solve::Elimination::ChainSummary> summaries;
  Index count = static_cast<Index>(blocks.priors.r.size());
  for (int c = 0; c < static_cast<int>(layout.chains.size()); ++c) {
    summaries.push_back(elimination.summary(c));
    count += summaries.back().rows_by_theta.rows;
  }
  FreeBasis basis{MatrixXd::Zero(count, quantities), MatrixXd::Identity(quantities, quantities)};
  const VectorXd theta_size = Eigen::Map<const VectorXd>(sizes.data(), m);
  Index row = 0;
  Index column = m;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const auto& summary = summaries[c];
    const Index n0 = layout.chains[c].size[0];
    basis.rows.block(row, 0, summary.rows_by_theta.rows, m) = map(summary.rows_by_theta);
    basis.rows.block(row, column, summary.rows_by_free.rows, n0) = map(summary.rows_by_free);
    basis.to_quantities.block(column, 0, n0, m) = map(summary.v0_by_theta);
    basis.to_quantities.block(column, column, n0, n0) = map(summary.v0_by_free);
    row += summary.rows_by_theta.rows;
    column += n0;
  }
  basis.rows.block(row, 0, count - row, m) = map(blocks.priors.by_theta) * theta_size.asDiagonal();
  return basis;
}

// Sizes of the quantities, in their order.
VectorXd quantity_sizes(const nlp::Layout& layout, const std::vector<double>& sizes) {
  std::vector<double> out(sizes.begin(), sizes.begin() + layout.thetas);
  for (const auto& chain : layout.chains)
    out.insert(out.end(), sizes.begin() + chain.offset[0], sizes.begin() + chain.offset[0] + chain.size[0]);
  return Eigen::Map<const VectorXd>(out.data(), static_cast<Index>(out.size()));
}

// A basis of the same space in which each direction has one quantity to itself (reduced echelon form, pivoting on the
// largest entry), so that people can read it.
MatrixXd readable(MatrixXd directions) {
  std::vector<bool> used(directions.rows(), false);
  for (Index k = 0; k < directions.cols(); ++k) {
    Index pivot = 0;
    double largest = -1;
    for (Index i = 0; i < directions.rows(); ++i)
      if (!used[i] && std::abs(directions(i, k)) >= largest * (1 + 1e-6))
        largest = std::abs(directions(i, k)), pivot = i;
    used[pivot] = true;
    if (!(largest > 0)) continue;
    directions.col(k) /= directions(pivot, k);
    for (Index other = 0; other < directions.cols(); ++other)
      if (other != k) directions.col(other) -= directions(pivot, other) * directions.col(k);
  }
  return directions;
}

}  // namespace

Uncertainty uncertainty(const nlp::Layout& layout, const nlp::Blocks& blocks, const nlp::Point& q,
                        const std::vector<double>& sizes) {
  const FreeBasis basis = free_basis(layout, blocks, sizes);
  const Index n = basis.rows.cols();
  Uncertainty out;
  out.held.assign(n, false);
  out.seen.assign(n, true);
  for (int i = 0; i < layout.thetas; ++i) {
    const double near = 1e-9 * sizes[i];
    out.held[i] = q[i] <= layout.lower[i] + near || q[i] >= layout.upper[i] - near;
  }
  std::vector<Index> free;
  for (Index i = 0; i < n; ++i)
    if (!out.held[i]) free.push_back(i);
  const Index count = static_cast<Index>(free.size());
  out.covariance.resize(static_cast<int>(n), static_cast<int>(n));
  if (count == 0 || basis.rows.rows() == 0) {
    for (Index i = 0; i < n; ++i) out.seen[i] = out.held[i];
    return out;
  }

  MatrixXd rows(basis.rows.rows(), count);
  for (Index k = 0; k < count; ++k) rows.col(k) = basis.rows.col(free[k]);
  VectorXd length = rows.colwise().norm().transpose();
  const double longest = length.maxCoeff();
  for (Index k = 0; k < count; ++k)
    if (!(length[k] > 1e-300 + 1e-14 * longest)) length[k] = std::max(longest, 1.0);
  const MatrixXd scaled = rows * length.cwiseInverse().asDiagonal();
  const Eigen::BDCSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeFullV);
  const VectorXd& values = svd.singularValues();
  VectorXd singular = VectorXd::Zero(count);
  singular.head(values.size()) = values;
  const double largest = singular.maxCoeff();
  Index rank = 0;
  while (rank < count && singular[rank] > unseen * largest) ++rank;

  // Back to quantities: x = size * to_quantities * length^-1 * V y
  MatrixXd to_free = MatrixXd::Zero(n, count);
  for (Index k = 0; k < count; ++k) to_free(free[k], k) = 1.0 / length[k];
  const MatrixXd back = quantity_sizes(layout, sizes).asDiagonal() * basis.to_quantities * to_free * svd.matrixV();
  const MatrixXd seen_part = back.leftCols(rank) * singular.head(rank).cwiseInverse().asDiagonal();
  const MatrixXd covariance = seen_part * seen_part.transpose();
  Eigen::Map<MatrixXd>(out.covariance.data.data(), n, n) = covariance;
  out.free_and_seen = static_cast<int>(rank);

  if (rank < count) {
    // Directions are compared in relative terms, so that large and small quantities count alike.
    const VectorXd size = quantity_sizes(layout, sizes);
    MatrixXd directions = size.cwiseInverse().asDiagonal() * back.rightCols(count - rank);
    for (Index k = 0; k < directions.cols(); ++k) directions.col(k).normalize();
    for (Index i = 0; i < n; ++i) out.seen[i] = directions.row(i).norm() <= takes_part;
    directions = size.asDiagonal() * readable(directions);
    for (Index k = 0; k < directions.cols(); ++k)
      out.null_directions.push_back({directions.col(k).data(), directions.col(k).data() + n});
  }
  return out;
}

}  // namespace salvo::statistics
