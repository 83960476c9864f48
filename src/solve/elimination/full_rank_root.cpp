#include "solve/elimination/full_rank_root.hpp"

#include <algorithm>
#include <cmath>

#include "dense/back_substitution.hpp"
#include "solve/elimination/chain_elimination.hpp"
#include "solve/elimination/full_rank_elimination.hpp"

namespace salvo::solve {

using dense::block_of;
using dense::squares;

namespace {

void invert_upper(const dense::ConstBlock& R, const dense::Block& to) {
  for (int j = 0; j < R.cols; ++j) {
    to.column(j)[j] = 1;
    dense::solve_upper(R, {to.column(j), static_cast<std::size_t>(R.rows)});
  }
}

Matrix root_of(const FullRankElimination& plain, const std::vector<Condensing>& chains) {
  const int m = plain.R().cols;
  int n = m;
  for (const Condensing& chain : chains) n += chain.first();
  Matrix root(n, n);
  const dense::Block by_theta = block_of(root).part(0, 0, m, m);
  invert_upper(block_of(plain.R()), by_theta);
  int at = m;
  for (const Condensing& chain : chains) {
    const int n0 = chain.first();
    invert_upper(chain.R_00(), block_of(root).part(at, at, n0, n0));
    const dense::Block first_by_theta = block_of(root).part(at, 0, n0, m);
    dense::add_product(-1, chain.R_0theta(), by_theta, first_by_theta);
    for (int k = 0; k < m; ++k)
      dense::solve_upper(chain.R_00(), {first_by_theta.column(k), static_cast<std::size_t>(n0)});
    at += n0;
  }
  return root;
}

// A bound of the norm of a matrix made of blocks that stand beside and below each other, one for each chain, and of the
// columns of θ: that of the blocks is the norm of the largest of them, however many chains there are.
struct ArrowNorm {
  double largest_block = 0, of_theta = 0;  // squares

  void add_block(double its_squares) { largest_block = std::max(largest_block, its_squares); }
  double bound() const { return std::sqrt(largest_block) + std::sqrt(of_theta); }
};

// A bound on the condition of the rows as functions of an orthonormal basis of all motions of (θ, v_0, v_K), each θ
// stretched so that it changes the rows as much as the one that changes them most: |rows| |root| √(1 + |[A_K C_K]|²).
double condition_bound(const FullRankElimination& plain, const std::vector<Condensing>& chains, const Matrix& root) {
  const std::vector<double>& lengths = plain.lengths();
  const int m = static_cast<int>(lengths.size());
  const double longest = m > 0 ? *std::max_element(lengths.begin(), lengths.end()) : 0;
  ArrowNorm rows{.of_theta = m * longest * longest}, ends, basis;
  int at = m;
  for (const Condensing& chain : chains) {
    const int n0 = chain.first();
    const dense::ConstBlock last = chain.by_unknowns(chain.links());
    rows.add_block(squares(chain.R_00()));
    ends.add_block(squares(last.part(0, 0, last.rows, n0)));
    for (int k = 0; k < m; ++k)
      ends.of_theta += squares(last.part(0, n0 + k, last.rows, 1)) * std::pow(longest / lengths[k], 2);
    basis.add_block(squares(block_of(root).part(at, at, n0, n0)));
    at += n0;
  }
  basis.of_theta = squares(block_of(root).part(m, 0, root.rows - m, m));
  for (int k = 0; k < m; ++k)
    for (int i = 0; i <= k; ++i) basis.of_theta += std::pow(root(i, k) * lengths[i] / longest, 2);
  return rows.bound() * basis.bound() * std::sqrt(1 + std::pow(ends.bound(), 2));
}

}  // namespace

std::optional<Matrix> full_rank_root(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                     const std::vector<double>& sizes, double unseen) {
  CondensedChains condensed;
  condensed.take(layout, blocks, sizes, Unlinked::taken);
  FullRankElimination plain;
  if (!condensed.all() || !plain.take(layout, blocks, sizes, condensed.chains, unseen) || !plain.sees_all_of_theta())
    return std::nullopt;
  Matrix root = root_of(plain, condensed.chains);
  if (!(condition_bound(plain, condensed.chains, root) * unseen < 1)) return std::nullopt;
  return root;
}

}  // namespace salvo::solve
