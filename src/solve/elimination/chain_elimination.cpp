#include "solve/elimination/chain_elimination.hpp"

#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

void append(VectorXd& l, const std::vector<double>& r) {
  const Eigen::Index before = l.size();
  l.conservativeResize(before + static_cast<Eigen::Index>(r.size()));
  l.tail(static_cast<Eigen::Index>(r.size())) = map(r);
}

}  // namespace

void CondensedChains::take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                           Unlinked unlinked) {
  chains.resize(layout.chains.size());
  succeeded.assign(layout.chains.size(), 0);
  for (int c = 0; c < static_cast<int>(chains.size()); ++c) {
    const bool is_asked = layout.chains[c].links() > 0 || unlinked == Unlinked::taken;
    succeeded[c] = is_asked && chains[c].take(blocks.chains[c], sizes_of_chain(layout, sizes, c)) ? 1 : 0;
  }
}

ChainElimination::ChainElimination(const nlp::ChainBlocks& blocks, const ChainSizes& sizes, Condensing* condensed)
    : sizes_{map(sizes.first), map(sizes.state), map(sizes.theta)},
      n0_(static_cast<int>(sizes.first.size())),
      m_(static_cast<int>(sizes.theta.size())),
      d_(static_cast<int>(sizes.state.size())),
      condensed_(condensed) {
  if (condensed_ != nullptr)
    take_condensed();
  else
    eliminate_orthogonally(blocks);
}

void ChainElimination::take_condensed() {
  const auto last = map(condensed_->by_unknowns(condensed_->links()));
  A_ = last.leftCols(n0_);
  B_ = -MatrixXd::Identity(d_, d_);
  C_ = last.rightCols(m_);
  const auto F = map(condensed_->F());
  rows_ = MatrixXd::Zero(n0_ + F.rows(), n0_ + d_ + m_);
  rows_.topLeftCorner(n0_, n0_) = map(condensed_->R_00());
  rows_.topRightCorner(n0_, m_) = map(condensed_->R_0theta());
  rows_.bottomRightCorner(F.rows(), m_) = F;
}

void ChainElimination::eliminate_orthogonally(const nlp::ChainBlocks& blocks) {
  const int K = static_cast<int>(blocks.links.size());
  rows_.resize(0, n0_ + d_ + m_);
  C_.resize(d_, m_);
  add_rows(blocks.rows[0], 0, sizes_.first);
  if (K == 0) return;
  const VectorXd inverse = sizes_.state.cwiseInverse();
  A_ = inverse.asDiagonal() * map(blocks.links[0].by_block) * sizes_.first.asDiagonal();
  B_ = -MatrixXd::Identity(d_, d_);
  C_ = inverse.asDiagonal() * map(blocks.links[0].by_theta) * sizes_.theta.asDiagonal();
  add_rows(blocks.rows[1], n0_, sizes_.state);
  for (int j = 1; j < K; ++j) {
    take_link(inverse.asDiagonal() * map(blocks.links[j].by_block) * sizes_.state.asDiagonal(),
              inverse.asDiagonal() * map(blocks.links[j].by_theta) * sizes_.theta.asDiagonal());
    add_rows(blocks.rows[j + 1], n0_, sizes_.state);
    compress_if_tall(stages_.back().compression);
  }
}

MatrixXd ChainElimination::constraint_by_ends() const {
  MatrixXd out(d_, n0_ + d_);
  if (d_ > 0) out << A_, B_;
  return out;
}

// Rows of a block whose unknowns stand at `column`.
void ChainElimination::add_rows(const nlp::Rows& rows, int column, const VectorXd& block_size) {
  const Eigen::Index count = static_cast<Eigen::Index>(rows.r.size());
  if (count == 0) return;
  const Eigen::Index before = rows_.rows();
  rows_.conservativeResize(before + count, Eigen::NoChange);
  rows_.bottomRows(count).setZero();
  rows_.block(before, column, count, block_size.size()) = map(rows.by_block) * block_size.asDiagonal();
  rows_.bottomRightCorner(count, m_) = map(rows.by_theta) * sizes_.theta.asDiagonal();
}

// Eliminates v_j between the constraint so far and the next link (docs/mathematics.md, eq. 16):
//   [A  B   0  C  ]        [A1  R  B1  C1]
//   [0  G  -I  G_p]  -> Q' [A2  0  B2  C2]     R'R = B'B + G'G
void ChainElimination::take_link(const MatrixXd& G, const MatrixXd& G_p) {
  Stage stage;
  MatrixXd pivot(2 * d_, d_);
  pivot << B_, G;
  stage.qr.compute(pivot);
  MatrixXd rest = MatrixXd::Zero(2 * d_, n0_ + d_ + m_);
  rest.topLeftCorner(d_, n0_) = A_;
  rest.block(d_, n0_, d_, d_) = -MatrixXd::Identity(d_, d_);
  rest.topRightCorner(d_, m_) = C_;
  rest.bottomRightCorner(d_, m_) = G_p;
  stage.qr.rotate(rest);
  const MatrixXd solved = stage.qr.solve_R(MatrixXd(rest.topRows(d_)));
  stage.by_first = solved.leftCols(n0_);
  stage.by_next = solved.middleCols(n0_, d_);
  stage.by_theta = solved.rightCols(m_);
  A_ = rest.bottomLeftCorner(d_, n0_);
  B_ = rest.block(d_, n0_, d_, d_);
  C_ = rest.bottomRightCorner(d_, m_);

  stage.rows_by_node = rows_.middleCols(n0_, d_);
  rows_.middleCols(n0_, d_).setZero();
  rows_.noalias() -= stage.rows_by_node * solved;
  stages_.push_back(std::move(stage));
}

// Twice as many rows as columns: often enough to bound the cost of a link, rarely enough to be cheap.
void ChainElimination::compress_if_tall(std::optional<Compression>& compression) {
  const Eigen::Index columns = rows_.cols();
  if (rows_.rows() < 2 * columns + 8) return;
  compression.emplace();
  compression->qr.compute(rows_);
  compression->kept = columns;
  rows_ = compression->qr.R();
}

ChainElimination::Constants ChainElimination::reduce(const nlp::ChainBlocks& blocks) {
  if (condensed_ != nullptr) return reduce_condensed(blocks);
  const int K = static_cast<int>(blocks.links.size());
  Constants out{VectorXd(0), map(blocks.rows[0].r)};
  if (K == 0) return out;
  out.c = map(blocks.links[0].gap).cwiseQuotient(sizes_.state);
  append(out.l, blocks.rows[1].r);
  for (int j = 1; j < K; ++j) {
    Stage& stage = stages_[j - 1];
    VectorXd stacked(2 * d_);
    stacked << out.c, map(blocks.links[j].gap).cwiseQuotient(sizes_.state);
    stage.qr.rotate(stacked);
    stage.offset = stage.qr.solve_R(MatrixXd(stacked.head(d_)));
    out.c = stacked.tail(d_);
    out.l -= stage.rows_by_node * stage.offset;
    append(out.l, blocks.rows[j + 1].r);
    if (stage.compression) {
      stage.compression->qr.rotate(out.l);
      out.l.conservativeResize(stage.compression->kept);
    }
  }
  return out;
}

ChainElimination::Constants ChainElimination::reduce_condensed(const nlp::ChainBlocks& blocks) {
  condensed_->reduce(blocks);
  const auto f = map(condensed_->f());
  Constants out{map(condensed_->c(condensed_->links())), VectorXd(n0_ + f.size())};
  out.l << map(condensed_->l_0()), f;
  return out;
}

int ChainElimination::links() const {
  if (condensed_ != nullptr) return condensed_->links();
  return d_ == 0 ? 0 : static_cast<int>(stages_.size()) + 1;
}

std::vector<VectorXd> ChainElimination::expand(const VectorXd& ends, const VectorXd& theta) const {
  const int K = links();
  std::vector<VectorXd> v(K + 1);
  const VectorXd v0 = ends.head(n0_);
  v[0] = v0.cwiseProduct(sizes_.first);
  VectorXd next = ends.tail(d_);
  if (K > 0) v[K] = next.cwiseProduct(sizes_.state);
  for (int j = K - 1; j >= 1; --j) {
    if (condensed_ != nullptr) {
      const auto motion = map(condensed_->by_unknowns(j));
      next = map(condensed_->c(j)) + (motion.leftCols(n0_) * v0 + motion.rightCols(m_) * theta);
    } else {
      const Stage& stage = stages_[j - 1];
      next = -(stage.offset + stage.by_first * v0 + stage.by_next * next + stage.by_theta * theta);
    }
    v[j] = next.cwiseProduct(sizes_.state);
  }
  return v;
}

std::vector<MatrixXd> ChainElimination::motion(const MatrixXd& ends, const MatrixXd& theta) const {
  const int K = links();
  std::vector<MatrixXd> v(K + 1);
  v[0] = ends.topRows(n0_);
  if (K > 0) v[K] = ends.bottomRows(d_);
  for (int j = K - 1; j >= 1; --j) {
    if (condensed_ != nullptr) {
      const auto motion = map(condensed_->by_unknowns(j));
      v[j] = motion.leftCols(n0_) * v[0] + motion.rightCols(m_) * theta;
    } else {
      const Stage& stage = stages_[j - 1];
      v[j] = -(stage.by_first * v[0] + stage.by_next * v[j + 1] + stage.by_theta * theta);
    }
  }
  return v;
}

std::vector<ChainElimination> eliminate_chains(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                               const std::vector<double>& sizes, CondensedChains& condensed) {
  std::vector<ChainElimination> chains;
  for (int c = 0; c < static_cast<int>(layout.chains.size()); ++c)
    chains.emplace_back(blocks.chains[c], sizes_of_chain(layout, sizes, c),
                        condensed.succeeded[c] != 0 ? &condensed.chains[c] : nullptr);
  return chains;
}

}  // namespace salvo::solve
