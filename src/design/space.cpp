#include "design/space.hpp"

#include <cmath>

#include "dense/row_space.hpp"
#include "statistics/rules.hpp"

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr statistics::UncertaintyRules rules{};

// One over the length of each column, or one.
VectorXd even_scale(const MatrixXd& rows) {
  VectorXd scale = VectorXd::Ones(rows.cols());
  for (Index k = 0; k < rows.cols(); ++k)
    if (const double length = rows.col(k).norm(); length > 0) scale[k] = 1 / length;
  return scale;
}

MatrixXd stacked(const MatrixXd& known, const std::vector<MatrixXd>& rows) {
  Index count = known.rows();
  for (const MatrixXd& each : rows) count += each.rows();
  MatrixXd all(count, known.cols());
  all.topRows(known.rows()) = known;
  Index at = known.rows();
  for (const MatrixXd& each : rows) {
    all.middleRows(at, each.rows()) = each;
    at += each.rows();
  }
  return all;
}

// Another basis of their space, in which each direction has one quantity to itself, so that people can read it.
MatrixXd readable(MatrixXd directions) {
  std::vector<bool> used(static_cast<std::size_t>(directions.rows()), false);
  for (Index k = 0; k < directions.cols(); ++k) {
    Index pivot = 0;
    double largest = -1;
    for (Index i = 0; i < directions.rows(); ++i)
      if (!used[static_cast<std::size_t>(i)] && std::abs(directions(i, k)) >= largest * (1 + rules.unseen))
        largest = std::abs(directions(i, k)), pivot = i;
    used[static_cast<std::size_t>(pivot)] = true;
    if (!(largest > 0)) continue;
    directions.col(k) /= directions(pivot, k);
    for (Index other = 0; other < directions.cols(); ++other)
      if (other != k) directions.col(other) -= directions(pivot, other) * directions.col(k);
  }
  return directions;
}

}  // namespace

Space space_of(const MatrixXd& known, const std::vector<MatrixXd>& rows) {
  const MatrixXd all = stacked(known, rows);
  Space space{.scale = even_scale(all)};
  const dense::RowSpace seen = dense::row_space(all * space.scale.asDiagonal(), rules.unseen);
  space.to_z = space.scale.asDiagonal() * seen.seen * seen.singular.cwiseInverse().asDiagonal();
  space.unseen = seen.unseen;
  return space;
}

double unseen_part(const Space& space, const VectorXd& k) {
  const VectorXd scaled = space.scale.cwiseProduct(k);
  const double length = scaled.norm();
  return length > 0 && space.unseen.cols() > 0 ? (space.unseen.transpose() * scaled).norm() / length : 0;
}

Told told_by(const MatrixXd& rows, const VectorXd& sizes) {
  const Index m = rows.cols();
  Told out{.covariance = MatrixXd::Zero(m, m), .seen = std::vector<bool>(static_cast<std::size_t>(m), true)};
  const VectorXd scale = even_scale(rows);
  const dense::RowSpace space = dense::row_space(rows * scale.asDiagonal(), rules.unseen);
  const MatrixXd root = scale.asDiagonal() * space.seen * space.singular.cwiseInverse().asDiagonal();
  out.covariance = root * root.transpose();
  if (space.unseen.cols() == 0) return out;
  // Directions are compared in relative terms, so that large and small quantities weigh the same.
  MatrixXd directions = sizes.cwiseInverse().asDiagonal() * (scale.asDiagonal() * space.unseen);
  for (Index k = 0; k < directions.cols(); ++k) directions.col(k).normalize();
  for (Index i = 0; i < m; ++i) out.seen[static_cast<std::size_t>(i)] = directions.row(i).norm() <= rules.takes_part;
  directions = sizes.asDiagonal() * readable(directions);
  for (Index k = 0; k < directions.cols(); ++k)
    out.null_directions.push_back({directions.col(k).data(), directions.col(k).data() + m});
  return out;
}

}  // namespace salvo::design
