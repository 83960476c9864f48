#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "dense/triangle.hpp"
#include "nlp/problem.hpp"

namespace salvo::solve {

// Sizes by which the unknowns of one chain are scaled.
struct ChainSizes {
  Eigen::VectorXd first, state, theta;  // of v_0, of every other node, of θ
};

// A chain through which nothing grows: there, each node is as good as a function of v_0 and θ (docs/mathematics.md,
// eq. 16a),
//   v_j = A_j v_0 + C_j θ + c_j,      [A_{j+1} C_{j+1}] = G_s,j [A_j C_j] + [0 G_p,j],   c_{j+1} = G_s,j c_j + gap_j,
// and putting this into the rows leaves L_0 v_0 + L_θ θ + l. All scaled. An elimination that may not multiply
// transitions with each other costs eight times as much (bench/lorenz96_bench.cpp).
class Condensing {
 public:
  // Nothing where the chain has no links, or grows.
  static std::optional<Condensing> of(const nlp::ChainBlocks& blocks, const ChainSizes& sizes);

  int links() const { return static_cast<int>(nodes_.size()); }
  Eigen::MatrixXd by_first() const { return nodes_.back().by_unknowns.leftCols(n0_); }  // A_K
  Eigen::MatrixXd by_theta() const { return nodes_.back().by_unknowns.rightCols(m_); }  // C_K
  Eigen::MatrixXd rows() const;                                                         // [L_0 L_θ]

  // c_K and l for these residuals and gaps; keeps what expand() needs.
  struct Constants {
    Eigen::VectorXd c, l;
  };
  Constants reduce(const nlp::ChainBlocks& blocks);

  // v_j, scaled, 1 <= j <= K.
  Eigen::VectorXd node(int j, const Eigen::VectorXd& v0, const Eigen::VectorXd& theta) const;
  // How it moves when v_0 and θ move along the columns of these matrices.
  Eigen::MatrixXd motion(int j, const Eigen::MatrixXd& v0, const Eigen::MatrixXd& theta) const;

 private:
  struct Entry {
    Eigen::Index row, column;
    double value;
  };
  struct Node {
    Eigen::MatrixXd by_unknowns;      // [A_j C_j]
    Eigen::MatrixXd by_previous;      // G_s,j-1; empty for the first
    std::vector<Entry> rows_by_node;  // what the node's rows see of v_j
    Eigen::VectorXd offset;           // c_j
  };
  Condensing(const nlp::ChainBlocks& blocks, const ChainSizes& sizes);
  bool take_links(const nlp::ChainBlocks& blocks);
  void take_link(const nlp::Link& link);
  void add_first_rows(const nlp::Rows& rows);
  void add_rows(const nlp::Rows& rows, Node& node);
  void end_of_node(int j);

  ChainSizes sizes_;
  Eigen::Index n0_, m_;
  std::vector<Node> nodes_;  // 1 ... K
  // The rows of some nodes in a row, up to the node `last`, are gathered and then rotated into the triangle; unless
  // there are no more rows than columns: those stay as they are.
  struct Bundle {
    int last = 0;
    int rows = 0;
  };
  static std::vector<Bundle> bundles_of(const nlp::ChainBlocks& blocks, Eigen::Index columns);
  std::vector<Bundle> bundles_;
  bool compressed_;
  dense::Triangle triangle_;
  Matrix gathered_;
  int filled_ = 0;  // rows of `gathered_`
};

}  // namespace salvo::solve
