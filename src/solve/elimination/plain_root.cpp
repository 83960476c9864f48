#include "solve/elimination/plain_root.hpp"

#include <algorithm>
#include <cmath>

#include "dense/back_substitution.hpp"
#include "solve/elimination/chain_elimination.hpp"
#include "solve/elimination/plain_elimination.hpp"

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

Matrix root_of(const PlainElimination& plain, const std::vector<Condensing>& chains) {
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

// A bound on the condition of the rows as functions of an orthonormal basis of all motions of (θ, v_0, v_K), each θ
// stretched so that it changes the rows as much as the one that changes them most: |rows| |root| √(1 + |[A_K C_K]|²).
double condition_bound(const PlainElimination& plain, const std::vector<Condensing>& chains, const Matrix& root) {
  const std::vector<double>& lengths = plain.lengths();
  const int m = static_cast<int>(lengths.size());
  const double longest = m > 0 ? *std::max_element(lengths.begin(), lengths.end()) : 0;
  double rows = m * longest * longest;
  double ends = 1;
  for (const Condensing& chain : chains) {
    const int n0 = chain.first();
    const dense::ConstBlock last = chain.by_unknowns(chain.links());
    rows += squares(chain.R_00());
    ends += squares(last.part(0, 0, last.rows, n0));
    for (int k = 0; k < m; ++k) ends += squares(last.part(0, n0 + k, last.rows, 1)) * std::pow(longest / lengths[k], 2);
  }
  double motions = squares(block_of(root).part(m, 0, root.rows - m, root.cols));
  for (int k = 0; k < m; ++k)
    for (int i = 0; i <= k; ++i) motions += std::pow(root(i, k) * lengths[i] / longest, 2);
  return std::sqrt(rows) * std::sqrt(motions) * std::sqrt(ends);
}

}  // namespace

std::optional<Matrix> plain_root(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                                 double unseen) {
  CondensedChains condensed;
  condensed.take(layout, blocks, sizes);
  PlainElimination plain;
  if (!condensed.all() || !plain.take(layout, blocks, sizes, condensed.chains, unseen) || !plain.sees_all_of_theta())
    return std::nullopt;
  Matrix root = root_of(plain, condensed.chains);
  if (!(condition_bound(plain, condensed.chains, root) * unseen < 1)) return std::nullopt;
  return root;
}

}  // namespace salvo::solve
