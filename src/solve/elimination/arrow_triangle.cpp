#include "solve/elimination/arrow_triangle.hpp"

#include <algorithm>
#include <cmath>

#include "dense/triangle.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Upper;
using Eigen::VectorXd;

namespace {

void copy_scaled(const Matrix& from, const double* units, int column, Matrix& to) {
  for (int k = 0; k < (from.rows > 0 ? from.cols : 0); ++k)
    for (int i = 0; i < from.rows; ++i) to(i, column + k) = from(i, k) * units[k];
}

bool is_regular(const MatrixXd& R) { return R.size() == 0 || (R.diagonal().array().abs() > 0).all(); }

bool is_unbroken(const nlp::Layout& layout) {
  return std::all_of(layout.chains.begin(), layout.chains.end(),
                     [](const nlp::Layout::Chain& chain) { return chain.links() == 0; });
}

// A bound of the norm of a triangle whose chains have such blocks on the diagonal, and by_theta beside them.
template <class Chain>
double bound_of(const std::vector<Chain>& chains, MatrixXd Chain::*diagonal, const MatrixXd& theta) {
  double largest = 0;
  double of_theta = theta.squaredNorm();
  for (const Chain& chain : chains) {
    largest = std::max(largest, (chain.*diagonal).squaredNorm());
    of_theta += chain.by_theta.squaredNorm();
  }
  return std::sqrt(largest) + std::sqrt(of_theta);
}

}  // namespace

std::optional<ArrowTriangle> ArrowTriangle::of(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                               const std::vector<double>& units) {
  if (!is_unbroken(layout)) return std::nullopt;
  const int m = layout.thetas;
  ArrowTriangle out;
  out.chains_.reserve(layout.chains.size());
  dense::Triangle of_chain, of_theta(m);
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Rows& rows = blocks.chains[c].rows[0];
    const int n0 = layout.chains[c].size[0];
    of_chain.begin(n0 + m, n0);
    Matrix& room = of_chain.room(static_cast<int>(rows.r.size()));
    copy_scaled(rows.by_block, units.data() + layout.chains[c].offset[0], 0, room);
    copy_scaled(rows.by_theta, units.data(), n0, room);
    of_chain.take();
    const auto R = map(of_chain.R());
    out.chains_.push_back({layout.chains[c].offset[0], R.leftCols(n0), R.rightCols(m)});
    if (!is_regular(out.chains_.back().R)) return std::nullopt;
    if (m == 0 || of_chain.left(0).rows == 0) continue;
    Matrix& rest = of_theta.room(of_chain.left(0).rows);
    Eigen::Map<MatrixXd>(rest.data.data(), rest.rows, rest.cols) = map(of_chain.left(0));
    of_theta.take();
  }
  if (m > 0 && blocks.priors.by_theta.rows > 0) {
    copy_scaled(blocks.priors.by_theta, units.data(), 0, of_theta.room(blocks.priors.by_theta.rows));
    of_theta.take();
  }
  out.R_theta_ = map(of_theta.R());
  if (!is_regular(out.R_theta_)) return std::nullopt;
  return out;
}

VectorXd ArrowTriangle::times(const VectorXd& v) const {
  const Index m = R_theta_.cols();
  VectorXd out = v;
  out.head(m) = R_theta_.triangularView<Upper>() * v.head(m);
  for (const Chain& chain : chains_) {
    const Index n0 = chain.R.cols();
    out.segment(chain.offset, n0) =
        chain.R.triangularView<Upper>() * v.segment(chain.offset, n0) + chain.by_theta * v.head(m);
  }
  return out;
}

VectorXd ArrowTriangle::transposed_times(const VectorXd& v) const {
  const Index m = R_theta_.cols();
  VectorXd out = v;
  out.head(m) = R_theta_.triangularView<Upper>().transpose() * v.head(m);
  for (const Chain& chain : chains_) {
    const auto own = v.segment(chain.offset, chain.R.cols());
    out.segment(chain.offset, chain.R.cols()) = chain.R.triangularView<Upper>().transpose() * own;
    out.head(m) += chain.by_theta.transpose() * own;
  }
  return out;
}

VectorXd ArrowTriangle::solve(const VectorXd& v) const {
  const Index m = R_theta_.cols();
  VectorXd out = v;
  out.head(m) = R_theta_.triangularView<Upper>().solve(v.head(m));
  for (const Chain& chain : chains_) {
    const VectorXd own = v.segment(chain.offset, chain.R.cols()) - chain.by_theta * out.head(m);
    out.segment(chain.offset, chain.R.cols()) = chain.R.triangularView<Upper>().solve(own);
  }
  return out;
}

VectorXd ArrowTriangle::solve_transposed(const VectorXd& v) const {
  const Index m = R_theta_.cols();
  VectorXd out = v;
  VectorXd of_theta = v.head(m);
  for (const Chain& chain : chains_) {
    const VectorXd own = v.segment(chain.offset, chain.R.cols());
    out.segment(chain.offset, chain.R.cols()) = chain.R.triangularView<Upper>().transpose().solve(own);
    of_theta -= chain.by_theta.transpose() * out.segment(chain.offset, chain.R.cols());
  }
  out.head(m) = R_theta_.triangularView<Upper>().transpose().solve(of_theta);
  return out;
}

ArrowTriangle::Inverse ArrowTriangle::inverse() const {
  const auto inverted = [](const MatrixXd& R) -> MatrixXd {
    return R.triangularView<Upper>().solve(MatrixXd::Identity(R.rows(), R.cols()));
  };
  Inverse out{.theta = inverted(R_theta_)};
  out.chains.reserve(chains_.size());
  for (const Chain& chain : chains_) {
    MatrixXd first = inverted(chain.R);
    MatrixXd by_theta = -first * (chain.by_theta * out.theta);
    out.chains.push_back({std::move(first), std::move(by_theta)});
  }
  return out;
}

double ArrowTriangle::Inverse::norm_bound() const { return bound_of(chains, &Chain::first, theta); }

double ArrowTriangle::norm_bound() const { return bound_of(chains_, &Chain::R, R_theta_); }

}  // namespace salvo::solve
