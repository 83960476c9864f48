#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "dense/householder_qr.hpp"
#include "nlp/problem.hpp"
#include "solve/elimination/condensing.hpp"

namespace salvo::solve {

// Chains without links, whose rows see v_0 and θ as they are: an elimination of nodes has nothing to do there.
enum class Unlinked { refused, taken };

// What could be condensed of a problem; keeps its memory.
struct CondensedChains {
  std::vector<Condensing> chains{};
  std::vector<char> succeeded{};  // of each chain

  void take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
            Unlinked unlinked = Unlinked::refused);
  bool all() const { return std::find(succeeded.begin(), succeeded.end(), 0) == succeeded.end(); }
};

// One chain, all its inner nodes eliminated: by condensing where nothing grows, else by orthogonal transformations.
// While links are taken in one after the other, two things are held, both in (v_0, v_j, θ), scaled:
//   the constraint   A v_0 + B v_j + C θ + c = 0     (all links so far, the inner nodes eliminated)
//   the rows         L_0 v_0 + L_v v_j + L_θ θ + l   (all objective rows so far)
// At the end j = K; (v_0, v_K) are called the ends.
class ChainElimination {
 public:
  // `condensed` is null where the chain could not be condensed.
  ChainElimination(const nlp::ChainBlocks& blocks, const ChainSizes& sizes, Condensing* condensed);

  int first() const { return n0_; }      // size of v_0
  int ends() const { return n0_ + d_; }  // size of (v_0, v_K)
  int constraints() const { return d_; }
  Eigen::MatrixXd constraint_by_ends() const;  // [A B]
  const Eigen::MatrixXd& constraint_by_theta() const { return C_; }
  Eigen::MatrixXd rows_by_ends() const { return rows_.leftCols(n0_ + d_); }
  Eigen::MatrixXd rows_by_theta() const { return rows_.rightCols(m_); }

  // c and l for these residuals and gaps; keeps what expand() needs.
  struct Constants {
    Eigen::VectorXd c, l;
  };
  Constants reduce(const nlp::ChainBlocks& blocks);

  // Δv_0 ... Δv_K, unscaled, from the scaled ends and θ.
  std::vector<Eigen::VectorXd> expand(const Eigen::VectorXd& ends, const Eigen::VectorXd& theta) const;
  // How v_0 ... v_K move, scaled, when the ends and θ move along the columns of these matrices.
  std::vector<Eigen::MatrixXd> motion(const Eigen::MatrixXd& ends, const Eigen::MatrixXd& theta) const;

 private:
  // Orthogonal reduction of rows to as many as there are columns.
  struct Compression {
    dense::HouseholderQr qr;
    Eigen::Index kept = 0;
  };
  // How node j follows from its neighbours: v_j = -(offset + by_first v_0 + by_next v_{j+1} + by_theta θ).
  struct Stage {
    dense::HouseholderQr qr;
    Eigen::MatrixXd by_first, by_next, by_theta;
    Eigen::MatrixXd rows_by_node;  // L_v before the node went
    std::optional<Compression> compression;
    Eigen::VectorXd offset;
  };
  int links() const;
  void take_condensed();
  Constants reduce_condensed(const nlp::ChainBlocks& blocks);
  void eliminate_orthogonally(const nlp::ChainBlocks& blocks);
  void add_rows(const nlp::Rows& rows, int column, const Eigen::VectorXd& block_size);
  void take_link(const Eigen::MatrixXd& G, const Eigen::MatrixXd& G_p);
  void compress_if_tall(std::optional<Compression>& compression);

  struct Sizes {
    Eigen::VectorXd first, state, theta;
  } sizes_;
  int n0_, m_, d_;
  Condensing* condensed_;
  Eigen::MatrixXd A_, B_, C_;
  Eigen::MatrixXd rows_;       // [L_0 L_v L_θ]
  std::vector<Stage> stages_;  // of the nodes 1 to K - 1, unless they were condensed
};

std::vector<ChainElimination> eliminate_chains(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                               const std::vector<double>& sizes, CondensedChains& condensed);

}  // namespace salvo::solve
