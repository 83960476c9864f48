#pragma once

#include <Eigen/Core>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// The constraints of a linearisation, in the order of nlp::each_constraints, unknowns scaled by their sizes and each
// row by its own (nlp::constraint_sizes):   c + dc Δ = 0 or <= 0.
class ConstraintRows {
 public:
  ConstraintRows(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes);

  int count() const { return static_cast<int>(rows_.size()); }
  bool speaks_of(int chain) const;
  const std::vector<bool>& equality() const { return equality_; }
  double size(int row) const { return rows_[row].size; }

  // c + dc Δ with the c of `blocks` and the dc of the linearisation; `delta` is not scaled.
  Eigen::VectorXd at(const nlp::Blocks& blocks, const std::vector<double>& delta) const;
  // dc in the coordinates in which theta moves by `theta`, and node j of chain c by `nodes[c][j]`, both scaled. Chains
  // of which no row speaks may have no nodes.
  Eigen::MatrixXd by(const Eigen::MatrixXd& theta, const std::vector<std::vector<Eigen::MatrixXd>>& nodes) const;

 private:
  struct Row {
    int chain = -1;
    int node = -1;
    int offset = 0;  // of the node in q
    double size = 1;
    Eigen::RowVectorXd by_block, by_theta;
  };
  Eigen::VectorXd unknown_size_;
  std::vector<Row> rows_;
  std::vector<bool> equality_;
};

}  // namespace salvo::solve
