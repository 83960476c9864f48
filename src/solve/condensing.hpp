#pragma once

#include <Eigen/QR>
#include <optional>
#include <vector>

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
  Eigen::MatrixXd rows() const { return rows_.topRows(filled_); }                       // [L_0 L_θ]

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
  // Orthogonal reduction of rows to as many as there are columns.
  struct Compression {
    Eigen::HouseholderQR<Eigen::MatrixXd> qr;
  };
  struct Node {
    Eigen::MatrixXd by_unknowns;             // [A_j C_j]
    Eigen::MatrixXd by_previous;             // G_s,j-1; empty for the first
    std::vector<Entry> rows_by_node;         // what the node's rows see of v_j
    std::optional<Compression> compression;  // before the node's rows came
    Eigen::VectorXd offset;                  // c_j
  };
  Condensing(const nlp::ChainBlocks& blocks, const ChainSizes& sizes);
  bool take_links(const nlp::ChainBlocks& blocks);
  void take_link(const nlp::Link& link);
  void add_first_rows(const nlp::Rows& rows);
  void add_rows(const nlp::Rows& rows, Node& node);
  void make_room(Eigen::Index count, std::optional<Compression>& compression);
  void compress(std::optional<Compression>& compression);

  ChainSizes sizes_;
  Eigen::Index n0_, m_;
  Eigen::MatrixXd rows_;  // the first `filled_` rows count
  Eigen::Index filled_ = 0;
  std::vector<Node> nodes_;  // 1 ... K
  std::optional<Compression> last_compression_;
};

}  // namespace salvo::solve
