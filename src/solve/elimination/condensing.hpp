#pragma once

#include <span>
#include <vector>

#include "dense/triangle.hpp"
#include "nlp/problem.hpp"

namespace salvo::solve {

// Sizes by which the unknowns of one chain are scaled. They belong to the caller.
struct ChainSizes {
  std::span<const double> first{}, state{}, theta{};  // of v_0, of every other node, of θ
};
ChainSizes sizes_of_chain(const nlp::Layout& layout, const std::vector<double>& sizes, int chain);

// A chain through which nothing grows: there, each node is as good as a function of v_0 and θ (docs/mathematics.md,
// eq. 16a),
//   v_j = A_j v_0 + C_j θ + c_j,      [A_{j+1} C_{j+1}] = G_s,j [A_j C_j] + [0 G_p,j],   c_{j+1} = G_s,j c_j + gap_j,
// and putting this into the rows leaves L_0 v_0 + L_θ θ + l. All scaled. Their triangle takes v_0 out of all rows but
// its first, and θ as well where there are more rows than unknowns:
//   [R_00  R_0θ]  l_0
//   [ 0    F   ]  f
// An elimination that may not multiply transitions with each other costs eight times as much
// (bench/lorenz96_bench.cpp). One object serves chain after chain and keeps its memory.
class Condensing {
 public:
  // False where the chain grows.
  bool take(const nlp::ChainBlocks& blocks, const ChainSizes& sizes);

  int links() const { return links_; }
  int first() const { return n0_; }
  // [A_j C_j], 1 <= j <= K, and all of them, one below the other.
  dense::ConstBlock by_unknowns(int j) const;
  dense::ConstBlock by_unknowns() const;
  dense::ConstBlock R_00() const;
  dense::ConstBlock R_0theta() const;
  dense::ConstBlock F() const;

  // c_j, l_0 and f for these residuals and gaps.
  void reduce(const nlp::ChainBlocks& blocks);
  std::span<const double> c() const { return c_; }
  std::span<const double> c(int j) const { return {c_.data() + (j - 1) * d_, static_cast<std::size_t>(d_)}; }
  std::span<const double> l_0() const { return {constants_.data(), static_cast<std::size_t>(n0_)}; }
  std::span<const double> f() const { return std::span<const double>(constants_).subspan(n0_); }

 private:
  // What a row sees of its node; `row` counts in its bundle, `state` in all nodes.
  struct Entry {
    int row = 0;
    int state = 0;
    double value = 0;
  };
  // The rows of the nodes up to `last` are gathered and then rotated into the triangle.
  struct Bundle {
    int last = 0;
    int rows = 0;
    std::size_t entries_end = 0;
  };
  bool take_links(const nlp::ChainBlocks& blocks);
  void take_first_link(const nlp::Link& link);
  void take_link(int j, const nlp::Link& link);
  void plan_bundles(const nlp::ChainBlocks& blocks);
  void take_rows(const nlp::ChainBlocks& blocks);
  void write_first_rows(const nlp::Rows& rows, Matrix& to) const;
  void write_rows(int j, const nlp::Rows& rows, int at, Matrix& to);
  void add_nodes(std::size_t first_entry, Matrix& to) const;
  int unknowns() const { return n0_ + m_; }
  dense::Block motion(int j) { return dense::block_of(basis_).part((j - 1) * d_, 0, d_, width_); }
  dense::Block transition(int j) { return dense::block_of(transitions_).part((j - 1) * d_, 0, d_, d_); }

  ChainSizes sizes_{};
  std::vector<double> inverse_;  // of the sizes of states
  int n0_ = 0, m_ = 0, d_ = 0, links_ = 0;
  int width_ = 0;               // unknowns and perturbations
  Matrix basis_;                // [A_j C_j], and how perturbations of v_1 move on, node below node
  Matrix transitions_;          // G_s,j-1, likewise; nothing for the first
  std::vector<double> c_;       // c_j, likewise
  std::vector<Entry> entries_;  // of all rows
  std::vector<Bundle> bundles_;
  bool tall_ = false;  // more rows than unknowns
  dense::Triangle triangle_;
  std::vector<double> constants_, gathered_;
};

}  // namespace salvo::solve
