#include "solve/elimination/constraint_rows.hpp"

#include <algorithm>

#include "nlp/constraints.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// What coordinates leave of a row of size one, if it is not rounding.
const double nothing = 1e-10;

}  // namespace

ConstraintRows::ConstraintRows(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes)
    : unknown_size_(map(sizes)) {
  const std::vector<double> scale = nlp::constraint_sizes(layout, blocks, sizes);
  nlp::each_constraints(blocks, [&](int chain, int node, const nlp::Constraints& constraints) {
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i) {
      Row row;
      row.chain = chain;
      row.node = node;
      row.size = scale[rows_.size()];
      row.by_theta = map(constraints.by_theta).row(i).cwiseProduct(unknown_size_.head(layout.thetas).transpose());
      row.by_theta /= row.size;
      if (chain >= 0) {
        row.offset = layout.chains[chain].offset[node];
        const auto block_size = unknown_size_.segment(row.offset, layout.chains[chain].size[node]);
        row.by_block = map(constraints.by_block).row(i).cwiseProduct(block_size.transpose()) / row.size;
      }
      rows_.push_back(std::move(row));
      equality_.push_back(constraints.equality[i]);
    }
  });
}

bool ConstraintRows::speaks_of(int chain) const {
  return std::any_of(rows_.begin(), rows_.end(), [chain](const Row& row) { return row.chain == chain; });
}

VectorXd ConstraintRows::at(const nlp::Blocks& blocks, const std::vector<double>& delta) const {
  const VectorXd scaled = map(delta).cwiseQuotient(unknown_size_);
  VectorXd out(count());
  Index next = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (const double c : constraints.c) {
      const Row& row = rows_[next];
      out[next] = c / row.size + row.by_theta.dot(scaled.head(row.by_theta.size()));
      if (row.chain >= 0) out[next] += row.by_block.dot(scaled.segment(row.offset, row.by_block.size()));
      ++next;
    }
  });
  return out;
}

MatrixXd ConstraintRows::by(const MatrixXd& theta, const std::vector<std::vector<MatrixXd>>& nodes) const {
  MatrixXd out(count(), theta.cols());
  for (Index i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    out.row(i) = row.by_theta * theta;
    if (row.chain >= 0) out.row(i) += row.by_block * nodes[row.chain][row.node];
    if (!(out.row(i).norm() > nothing)) out.row(i).setZero();
  }
  return out;
}

}  // namespace salvo::solve
