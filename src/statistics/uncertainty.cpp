#include "statistics/uncertainty.hpp"

#include <Eigen/SVD>
#include <cmath>

#include "nlp/constraints.hpp"
#include "solve/elimination.hpp"

namespace salvo::statistics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double unseen = 1e-7;      // relative size of a singular value that counts as zero
constexpr double immovable = 1e-13;  // what is left of the motion of a quantity that is determined
constexpr double at_limit = 1e-7;    // distance of an active constraint from its limit, relative to its size
constexpr double takes_part = 1e-3;  // share of a quantity in a null direction that counts

Eigen::Map<const MatrixXd> map(const Matrix& m) { return {m.data.data(), m.rows, m.cols}; }

// Sizes of the quantities, in their order.
VectorXd quantity_sizes(const nlp::Layout& layout, const std::vector<double>& sizes) {
  std::vector<double> out(sizes.begin(), sizes.begin() + layout.thetas);
  for (const auto& chain : layout.chains)
    out.insert(out.end(), sizes.begin() + chain.offset[0], sizes.begin() + chain.offset[0] + chain.size[0]);
  return Eigen::Map<const VectorXd>(out.data(), static_cast<Index>(out.size()));
}

// Sizes under which a move of any theta by its size changes the rows by about as much, so that singular values compare
// information and not units. A theta that the rows cannot see keeps its size.
std::vector<double> even_sizes(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                               const std::vector<bool>& held, const std::vector<int>& active) {
  std::vector<double> even = sizes;
  const Index m = layout.thetas;
  const auto motions = solve::Elimination::motions(layout, blocks, sizes, held, active);
  if (m == 0 || motions.rows.cols == 0 || motions.rows.rows == 0) return even;
  const MatrixXd by_theta = map(motions.to_quantities).topRows(m);
  const MatrixXd change = map(motions.rows) * by_theta.completeOrthogonalDecomposition().pseudoInverse();
  const VectorXd length = change.colwise().norm().transpose();
  const double longest = length.maxCoeff();
  for (Index i = 0; i < m; ++i)
    if (length[i] > unseen * longest) even[i] *= longest / length[i];
  return even;
}

// Equalities, and inequalities that stand at their limit.
std::vector<int> active_constraints(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                    const std::vector<double>& sizes) {
  const std::vector<double> scale = nlp::constraint_sizes(layout, blocks, sizes);
  std::vector<int> active;
  int row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row)
      if (constraints.equality[i] || std::abs(constraints.c[i]) <= at_limit * scale[row]) active.push_back(row);
  });
  return active;
}

// How many directions the equalities among the active constraints take from the motions.
int directions_of_equalities(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes) {
  std::vector<int> equalities;
  int row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row)
      if (constraints.equality[i]) equalities.push_back(row);
  });
  if (equalities.empty()) return 0;
  const std::vector<bool> none(layout.thetas, false);
  return solve::Elimination::motions(layout, blocks, sizes, none).rows.cols -
         solve::Elimination::motions(layout, blocks, sizes, none, equalities).rows.cols;
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
  const VectorXd size = quantity_sizes(layout, sizes);
  const Index n = size.size();
  Uncertainty out;
  out.held.assign(n, false);
  out.seen.assign(n, true);
  for (int i = 0; i < layout.thetas; ++i) {
    const double near = 1e-9 * sizes[i];
    out.held[i] = q[i] <= layout.lower[i] + near || q[i] >= layout.upper[i] - near;
  }
  out.active = active_constraints(layout, blocks, sizes);
  out.equalities = directions_of_equalities(layout, blocks, sizes);
  const std::vector<double> even = even_sizes(layout, blocks, sizes, out.held, out.active);
  const auto motions = solve::Elimination::motions(layout, blocks, even, out.held, out.active);
  const Eigen::Map<const MatrixXd> rows = map(motions.rows);
  for (Index i = 0; i < n; ++i)  // what active constraints determine by themselves has no error of its own
    out.held[i] = out.held[i] || (!out.active.empty() && map(motions.to_quantities).row(i).norm() < immovable);
  const Index count = rows.cols();
  out.covariance.resize(static_cast<int>(n), static_cast<int>(n));
  if (count == 0 || rows.rows() == 0) {
    for (Index i = 0; i < n; ++i) out.seen[i] = out.held[i];
    return out;
  }
  const Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeThinU | Eigen::ComputeFullV);
  VectorXd singular = VectorXd::Zero(count);
  singular.head(svd.singularValues().size()) = svd.singularValues();
  const double largest = singular.maxCoeff();
  Index rank = 0;
  while (rank < count && singular[rank] > unseen * largest) ++rank;

  // Back to quantities: x = size * to_quantities * V y
  const MatrixXd back = quantity_sizes(layout, even).asDiagonal() * map(motions.to_quantities) * svd.matrixV();
  const MatrixXd seen_part = back.leftCols(rank) * singular.head(rank).cwiseInverse().asDiagonal();
  const MatrixXd covariance = seen_part * seen_part.transpose();
  Eigen::Map<MatrixXd>(out.covariance.data.data(), n, n) = covariance;
  out.free_and_seen = static_cast<int>(rank);

  if (rank < count) {
    // Directions are compared in relative terms, so that large and small quantities count alike.
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
