#include "statistics/uncertainty.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "dense/complete_orthogonal.hpp"
#include "dense/householder_qr.hpp"
#include "dense/product.hpp"
#include "dense/row_space.hpp"
#include "nlp/constraints.hpp"
#include "solve/elimination/full_rank_root.hpp"
#include "solve/elimination/null_space.hpp"
#include "solve/elimination/product.hpp"

namespace salvo::statistics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

bool any(const std::vector<bool>& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); }

// Sizes of the quantities, in their order.
VectorXd quantity_sizes(const nlp::Layout& layout, const std::vector<double>& sizes) {
  std::vector<double> out(sizes.begin(), sizes.begin() + layout.thetas);
  for (const auto& chain : layout.chains)
    out.insert(out.end(), sizes.begin() + chain.offset[0], sizes.begin() + chain.offset[0] + chain.size[0]);
  return Eigen::Map<const VectorXd>(out.data(), static_cast<Index>(out.size()));
}

// By how much to stretch the sizes so that a move of any theta by its size changes the rows by about as much, and
// singular values compare information and not units. A theta that the rows cannot see has its size unchanged.
VectorXd even_stretch(const solve::NullSpace& null_space, Index m, double unseen) {
  VectorXd stretch = VectorXd::Ones(m);
  const auto basis = null_space.basis(stretch);
  if (m == 0 || basis.rows.size() == 0) return stretch;
  const MatrixXd by_theta = basis.to_quantities.topRows(m);
  const MatrixXd change = solve::product(basis.rows, dense::pseudo_inverse(by_theta));
  const VectorXd length = change.colwise().norm().transpose();
  const double longest = length.maxCoeff();
  for (Index i = 0; i < m; ++i)
    if (length[i] > unseen * longest) stretch[i] = longest / length[i];
  return stretch;
}

// Inverse of what the rows see, as V V', and a basis of what they do not.
struct Information {
  MatrixXd inverse_root;
  MatrixXd null_space;
};

// R^-1 where R'R is the information, if its singular values are far from `unseen` for certain: the norms bound them.
std::optional<Information> plainly_regular(const MatrixXd& rows, double unseen) {
  const Index n = rows.cols();
  if (rows.rows() < n) return std::nullopt;
  const dense::HouseholderQr qr(rows);
  if (qr.packed().diagonal().cwiseAbs().minCoeff() == 0) return std::nullopt;
  MatrixXd inverse = qr.solve_R(MatrixXd::Identity(n, n).eval());
  const double condition = inverse.norm() * qr.R().norm();
  if (!(condition * unseen < 1)) return std::nullopt;
  return Information{std::move(inverse), MatrixXd(n, 0)};
}

Information by_singular_values(const MatrixXd& rows, double unseen) {
  if (!rows.allFinite())  // rows that are no numbers see nothing
    return {MatrixXd(rows.cols(), 0), MatrixXd::Identity(rows.cols(), rows.cols())};
  dense::RowSpace space = dense::row_space(rows, unseen);
  return {space.seen * space.singular.cwiseInverse().asDiagonal(), std::move(space.unseen)};
}

// The rows of equalities, and of inequalities that stand at their limit.
std::vector<int> active_constraints(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                    const std::vector<double>& sizes, double at_limit) {
  const std::vector<double> scale = nlp::constraint_sizes(layout, blocks, sizes);
  std::vector<int> active;
  int row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row)
      if (constraints.equality[i] || std::abs(constraints.c[i]) <= at_limit * scale[row]) active.push_back(row);
  });
  return active;
}

// How many directions the equalities among the active constraints take from the null space.
int directions_of_equalities(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes) {
  std::vector<int> equalities;
  int row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row)
      if (constraints.equality[i]) equalities.push_back(row);
  });
  if (equalities.empty()) return 0;
  const std::vector<bool> none(layout.thetas, false);
  const auto directions = [&](const std::vector<int>& active) {
    return solve::NullSpace(layout, blocks, sizes, none, active).basis(VectorXd::Ones(layout.thetas)).rows.cols();
  };
  return static_cast<int>(directions({}) - directions(equalities));
}

// A bound that is met by chance, somewhere along a direction that the rows cannot see, determines nothing: it lets go
// of the thetas that such a direction would move together with others.
void let_go_along_null_directions(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                  const std::vector<double>& sizes, const std::vector<int>& active, double unseen,
                                  double takes_part, std::vector<bool>& fixed) {
  if (!any(fixed)) return;
  const solve::NullSpace null_space(layout, blocks, sizes, std::vector<bool>(fixed.size(), false), active);
  const VectorXd stretch = even_stretch(null_space, layout.thetas, unseen);
  const auto [rows, to_quantities] = null_space.basis(stretch);
  if (rows.size() == 0 || plainly_regular(rows, unseen)) return;
  MatrixXd directions = to_quantities * by_singular_values(rows, unseen).null_space;
  directions.topRows(layout.thetas).array().colwise() *= stretch.array();
  for (Index k = 0; k < directions.cols(); ++k) {
    const double length = directions.col(k).norm();
    double others = 0;
    for (Index i = 0; i < directions.rows(); ++i)
      if (!fixed[i]) others = std::max(others, std::abs(directions(i, k)));
    if (others <= takes_part * length) continue;
    for (Index i = 0; i < directions.rows(); ++i)
      if (std::abs(directions(i, k)) > takes_part * length) fixed[i] = false;
  }
}

// Another basis of their space, in which each direction has one quantity to itself (reduced echelon form, pivoting on
// the largest entry, the last of those that are equal but for `tie`), so that people can read it.
MatrixXd readable(MatrixXd directions, double tie) {
  std::vector<bool> used(directions.rows(), false);
  for (Index k = 0; k < directions.cols(); ++k) {
    Index pivot = 0;
    double largest = -1;
    for (Index i = 0; i < directions.rows(); ++i)
      if (!used[i] && std::abs(directions(i, k)) >= largest * (1 + tie))
        largest = std::abs(directions(i, k)), pivot = i;
    used[pivot] = true;
    if (!(largest > 0)) continue;
    directions.col(k) /= directions(pivot, k);
    for (Index other = 0; other < directions.cols(); ++other)
      if (other != k) directions.col(other) -= directions(pivot, other) * directions.col(k);
  }
  return directions;
}

// covariance = (D root) (D root)' for a root with blocks of zeros, which comes back as D root: what errors of theta
// bring about in all quantities, and what every chain's own bring about in its v_0.
Matrix covariance_of(const nlp::Layout& layout, const VectorXd& size, Matrix& root) {
  const int n = root.rows;
  const int m = layout.thetas;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) root(i, k) *= size[i];
  Matrix covariance(n, n);
  const auto add = [&](int first, int rows, int column, int columns) {
    const dense::Block part = dense::block_of(root).part(first, column, rows, columns);
    Matrix transposed(columns, rows);
    for (int k = 0; k < columns; ++k)
      for (int i = 0; i < rows; ++i) transposed(k, i) = part.column(k)[i];
    dense::add_product(1, part, dense::block_of(transposed),
                       dense::block_of(covariance).part(first, first, rows, rows));
  };
  add(0, n, 0, m);
  int at = m;
  for (const auto& chain : layout.chains) {
    add(at, chain.size[0], at, chain.size[0]);
    at += chain.size[0];
  }
  return covariance;
}

// Directions are compared in relative terms, so that large and small quantities weigh the same.
void take_null_directions(const MatrixXd& unseen, const VectorXd& size, const UncertaintyRules& rules,
                          Uncertainty& out) {
  MatrixXd directions = size.cwiseInverse().asDiagonal() * unseen;
  for (Index k = 0; k < directions.cols(); ++k) directions.col(k).normalize();
  for (Index i = 0; i < size.size(); ++i) out.seen[i] = directions.row(i).norm() <= rules.takes_part;
  directions = size.asDiagonal() * readable(directions, rules.unseen);
  for (Index k = 0; k < directions.cols(); ++k)
    out.null_directions.push_back({directions.col(k).data(), directions.col(k).data() + size.size()});
}

}  // namespace

Uncertainty uncertainty(const nlp::Layout& layout, const nlp::Blocks& blocks, const nlp::Point& q,
                        const std::vector<double>& sizes, double unseen, const Matrix* known_root,
                        const UncertaintyRules& rules) {
  const VectorXd size = quantity_sizes(layout, sizes);
  const Index n = size.size();
  Uncertainty out;
  out.held.assign(n, false);
  out.seen.assign(n, true);
  for (int i = 0; i < layout.thetas; ++i) {
    const double near = rules.at_bound * sizes[i];
    out.held[i] = q[i] <= layout.lower[i] + near || q[i] >= layout.upper[i] - near;
  }
  if (!any(out.held) && !nlp::has_constraints(blocks))
    if (auto root =
            known_root != nullptr ? std::optional(*known_root) : solve::full_rank_root(layout, blocks, sizes, unseen)) {
      out.covariance = covariance_of(layout, size, *root);
      out.root = std::move(*root);
      out.free_and_seen = static_cast<int>(n);
      return out;
    }
  out.active = active_constraints(layout, blocks, sizes, rules.at_limit);
  let_go_along_null_directions(layout, blocks, sizes, out.active, unseen, rules.takes_part, out.held);
  out.equalities = directions_of_equalities(layout, blocks, sizes);
  const solve::NullSpace null_space(layout, blocks, sizes, out.held, out.active);
  const VectorXd stretch = even_stretch(null_space, layout.thetas, unseen);
  const auto [rows, to_quantities] = null_space.basis(stretch);
  for (Index i = 0; i < n; ++i)  // what active constraints determine by themselves has no error of its own
    out.held[i] = out.held[i] || (!out.active.empty() && to_quantities.row(i).norm() < rules.immovable);
  out.covariance.resize(static_cast<int>(n), static_cast<int>(n));
  out.root.resize(static_cast<int>(n), 0);
  if (rows.size() == 0) {
    for (Index i = 0; i < n; ++i) out.seen[i] = out.held[i];
    return out;
  }
  const std::optional<Information> regular = plainly_regular(rows, unseen);
  const Information information = regular ? *regular : by_singular_values(rows, unseen);

  VectorXd even = size;
  even.head(layout.thetas).array() *= stretch.array();
  const MatrixXd back = even.asDiagonal() * to_quantities;
  const MatrixXd root = solve::product(back, information.inverse_root);
  Eigen::Map<MatrixXd>(out.covariance.data.data(), n, n) = solve::product(root, MatrixXd(root.transpose()));
  out.root.resize(static_cast<int>(n), static_cast<int>(root.cols()));
  Eigen::Map<MatrixXd>(out.root.data.data(), n, root.cols()) = root;
  out.free_and_seen = static_cast<int>(root.cols());

  if (information.null_space.cols() > 0) take_null_directions(back * information.null_space, size, rules, out);
  return out;
}

}  // namespace salvo::statistics
