#include "solve/elimination.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <optional>

#include "base/contract.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMap = Eigen::Map<const MatrixXd>;
using ConstVectorMap = Eigen::Map<const VectorXd>;

namespace {

ConstMap map(const Matrix& m) { return {m.data.data(), m.rows, m.cols}; }
ConstVectorMap map(const std::vector<double>& v) { return {v.data(), static_cast<Eigen::Index>(v.size())}; }

Matrix to_matrix(const MatrixXd& m) {
  Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), out.data.begin());
  return out;
}

// R^-1 rhs and R'^-1 rhs with the triangle of a QR factorisation.
MatrixXd solve_upper(const Eigen::HouseholderQR<MatrixXd>& qr, const MatrixXd& rhs) {
  const Eigen::Index n = qr.matrixQR().cols();
  return qr.matrixQR().topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(rhs);
}
MatrixXd solve_upper_transposed(const Eigen::HouseholderQR<MatrixXd>& qr, const MatrixXd& rhs) {
  const Eigen::Index n = qr.matrixQR().cols();
  return qr.matrixQR().topLeftCorner(n, n).triangularView<Eigen::Upper>().transpose().solve(rhs);
}

// Orthogonal reduction of rows to as many as there are columns.
struct Compression {
  Eigen::HouseholderQR<MatrixXd> qr;
  Eigen::Index kept = 0;

  VectorXd apply(const VectorXd& rhs) const {
    VectorXd rotated = qr.householderQ().transpose() * rhs;
    return rotated.head(kept);
  }
};

// One chain. While links are taken in one after the other, two things are held, both in (v_0, v_j, θ):
//   the constraint   A v_0 + B v_j + C θ + c = 0     (all links so far, the inner nodes eliminated)
//   the rows         L_0 v_0 + L_v v_j + L_θ θ + l   (all objective rows so far)
class Chain {
 public:
  Chain(const nlp::ChainBlocks& blocks, const VectorXd& v0_size, const VectorXd& state_size, const VectorXd& theta_size,
        double rank_tolerance)
      : rank_tolerance_(rank_tolerance),
        n0_(static_cast<int>(v0_size.size())),
        m_(static_cast<int>(theta_size.size())) {
    const int K = static_cast<int>(blocks.links.size());
    d_ = K == 0 ? 0 : static_cast<int>(blocks.links[0].by_block.rows);
    v0_size_ = v0_size;
    state_size_ = state_size;
    rows_.resize(0, n0_ + d_ + m_);
    add_rows(blocks.rows[0], v0_size, theta_size, true);
    if (K > 0) {
      const VectorXd inverse = state_size.cwiseInverse();
      A_ = inverse.asDiagonal() * map(blocks.links[0].by_block) * v0_size.asDiagonal();
      B_ = -MatrixXd::Identity(d_, d_);
      C_ = inverse.asDiagonal() * map(blocks.links[0].by_theta) * theta_size.asDiagonal();
      add_rows(blocks.rows[1], state_size, theta_size, false);
      for (int j = 1; j < K; ++j) {
        take_link(inverse.asDiagonal() * map(blocks.links[j].by_block) * state_size.asDiagonal(),
                  inverse.asDiagonal() * map(blocks.links[j].by_theta) * theta_size.asDiagonal());
        add_rows(blocks.rows[j + 1], state_size, theta_size, false);
        compress_if_tall(stages_.back().compression);
      }
    }
    finish();
  }

  const MatrixXd& theta_rows() const { return theta_rows_; }
  const VectorXd& theta_squares() const { return theta_squares_; }

  // The right-hand side of theta_rows for these residuals and gaps; keeps what expand() needs.
  VectorXd reduce(const nlp::ChainBlocks& blocks) {
    const int K = static_cast<int>(blocks.links.size());
    VectorXd l = map(blocks.rows[0].r);
    VectorXd c;
    if (K > 0) {
      c = map(blocks.links[0].gap).cwiseQuotient(state_size_);
      append(l, blocks.rows[1].r);
    }
    for (int j = 1; j < K; ++j) {
      Stage& stage = stages_[j - 1];
      VectorXd stacked(2 * d_);
      stacked << c, map(blocks.links[j].gap).cwiseQuotient(state_size_);
      stacked.applyOnTheLeft(stage.qr.householderQ().transpose());
      stage.offset = solve_upper(stage.qr, stacked.head(d_));
      c = stacked.tail(d_);
      l -= stage.rows_by_node * stage.offset;
      append(l, blocks.rows[j + 1].r);
      if (stage.compression) l = stage.compression->apply(l);
    }
    return reduce_ends(c, l);
  }

  // Δv_0 ... Δv_K, unscaled, for a scaled Δθ.
  std::vector<VectorXd> expand(const VectorXd& theta) const {
    const int K = d_ == 0 ? 0 : static_cast<int>(stages_.size()) + 1;
    const VectorXd free = free_offset_ + free_by_theta_ * theta;
    const VectorXd ends = ends_offset_ + ends_by_theta_ * theta + ends_by_free_ * free;
    std::vector<VectorXd> v(K + 1);
    const VectorXd v0 = ends.head(n0_);
    v[0] = v0.cwiseProduct(v0_size_);
    VectorXd next = ends.tail(d_);
    if (K > 0) v[K] = next.cwiseProduct(state_size_);
    for (int j = K - 1; j >= 1; --j) {
      const Stage& stage = stages_[j - 1];
      next = -(stage.offset + stage.by_first * v0 + stage.by_next * next + stage.by_theta * theta);
      v[j] = next.cwiseProduct(state_size_);
    }
    return v;
  }

  Elimination::ChainSummary summary() const {
    return {.v0_by_theta = to_matrix(ends_by_theta_.topRows(n0_)),
            .v0_by_free = to_matrix(ends_by_free_.topRows(n0_)),
            .rows_by_free = to_matrix(end_rows_ * ends_by_free_),
            .rows_by_theta = to_matrix(rows_.rightCols(m_) + end_rows_ * ends_by_theta_)};
  }

 private:
  // How node j follows from its neighbours: v_j = -(offset + by_first v_0 + by_next v_{j+1} + by_theta θ).
  struct Stage {
    Eigen::HouseholderQR<MatrixXd> qr;
    MatrixXd by_first, by_next, by_theta;
    MatrixXd rows_by_node;  // L_v before the node went
    std::optional<Compression> compression;
    VectorXd offset;
  };

  static void append(VectorXd& l, const std::vector<double>& r) {
    const Eigen::Index before = l.size();
    l.conservativeResize(before + static_cast<Eigen::Index>(r.size()));
    l.tail(static_cast<Eigen::Index>(r.size())) = map(r);
  }

  void add_rows(const nlp::Rows& rows, const VectorXd& block_size, const VectorXd& theta_size, bool first) {
    const Eigen::Index count = static_cast<Eigen::Index>(rows.r.size());
    if (count == 0) return;
    const Eigen::Index before = rows_.rows();
    rows_.conservativeResize(before + count, Eigen::NoChange);
    rows_.bottomRows(count).setZero();
    rows_.block(before, first ? 0 : n0_, count, block_size.size()) = map(rows.by_block) * block_size.asDiagonal();
    rows_.bottomRightCorner(count, m_) = map(rows.by_theta) * theta_size.asDiagonal();
  }

  // Eliminates v_j between the constraint so far and the next link:
  //   [A  B   0  C  ]        [A1  R  B1  C1]
  //   [0  G  -I  G_p]  -> Q' [A2  0  B2  C2]     R'R = B'B + G'G
  void take_link(const MatrixXd& G, const MatrixXd& G_p) {
    Stage stage;
    MatrixXd pivot(2 * d_, d_);
    pivot << B_, G;
    stage.qr.compute(pivot);
    MatrixXd rest = MatrixXd::Zero(2 * d_, n0_ + d_ + m_);
    rest.topLeftCorner(d_, n0_) = A_;
    rest.block(d_, n0_, d_, d_) = -MatrixXd::Identity(d_, d_);
    rest.topRightCorner(d_, m_) = C_;
    rest.bottomRightCorner(d_, m_) = G_p;
    rest.applyOnTheLeft(stage.qr.householderQ().transpose());
    const MatrixXd solved = solve_upper(stage.qr, rest.topRows(d_));
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
  void compress_if_tall(std::optional<Compression>& compression) {
    const Eigen::Index columns = rows_.cols();
    if (rows_.rows() < 2 * columns + 8) return;
    compression.emplace();
    compression->qr.compute(rows_);
    compression->kept = columns;
    rows_ = MatrixXd(compression->qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>());
  }

  // (v_0, v_K) in a basis in which the remaining constraint holds by itself, and the free part eliminated from the
  // rows.
  void finish() {
    const int ends = n0_ + d_;
    end_rows_ = rows_.leftCols(ends);
    if (d_ > 0) {
      MatrixXd transposed(ends, d_);
      transposed << A_.transpose(), B_.transpose();
      constraint_qr_.compute(transposed);  // [A B]' = Z [L'; 0]
      const MatrixXd Z = constraint_qr_.householderQ();
      range_ = Z.leftCols(d_);
      ends_by_free_ = Z.rightCols(n0_);
      ends_by_theta_ = -range_ * solve_lower(C_);
    } else {
      ends_by_free_ = MatrixXd::Identity(n0_, n0_);
      ends_by_theta_ = MatrixXd::Zero(n0_, m_);
    }
    const MatrixXd rows_by_theta = rows_.rightCols(m_) + end_rows_ * ends_by_theta_;
    theta_squares_ = rows_by_theta.colwise().squaredNorm().transpose();
    if (has_free_rows()) {
      free_qr_.setThreshold(rank_tolerance_);
      free_qr_.compute(end_rows_ * ends_by_free_);
    }
    const Eigen::Index rank = free_rank();
    MatrixXd rotated = rows_by_theta;
    if (has_free_rows()) rotated.applyOnTheLeft(free_qr_.householderQ().transpose());
    free_by_theta_ = solve_free(-rotated.topRows(rank));
    theta_rows_ = rotated.bottomRows(rotated.rows() - rank);
  }

  VectorXd reduce_ends(const VectorXd& c, const VectorXd& l) {
    ends_offset_ = d_ > 0 ? VectorXd(-range_ * solve_lower(c)) : VectorXd(VectorXd::Zero(n0_));
    VectorXd rotated = l + end_rows_ * ends_offset_;
    if (has_free_rows()) rotated.applyOnTheLeft(free_qr_.householderQ().transpose());
    const Eigen::Index rank = free_rank();
    free_offset_ = solve_free(-rotated.head(rank));
    return rotated.tail(rotated.size() - rank);
  }

  bool has_free_rows() const { return n0_ > 0 && end_rows_.rows() > 0; }
  Eigen::Index free_rank() const { return has_free_rows() ? free_qr_.rank() : 0; }

  MatrixXd solve_lower(const MatrixXd& rhs) const {  // L^-1 rhs
    return solve_upper_transposed(constraint_qr_, rhs);
  }
  // The free part from its first `rank` rows; directions that the rows cannot see stay put.
  MatrixXd solve_free(const MatrixXd& rhs) const {
    MatrixXd w = MatrixXd::Zero(n0_, rhs.cols());
    const Eigen::Index rank = rhs.rows();
    if (rank > 0) {
      w.topRows(rank) = free_qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(rhs);
      w = free_qr_.colsPermutation() * w;
    }
    return w;
  }

  double rank_tolerance_;
  int n0_, m_, d_ = 0;
  VectorXd v0_size_, state_size_;
  MatrixXd A_, B_, C_;
  MatrixXd rows_;  // [L_0 L_v L_θ]
  std::vector<Stage> stages_;
  Eigen::HouseholderQR<MatrixXd> constraint_qr_;
  Eigen::ColPivHouseholderQR<MatrixXd> free_qr_;
  MatrixXd end_rows_, range_, ends_by_free_, ends_by_theta_, free_by_theta_, theta_rows_;
  VectorXd ends_offset_, free_offset_, theta_squares_;
};

}  // namespace

struct Elimination::Implementation {
  nlp::Layout layout;
  VectorXd theta_size;
  std::vector<Chain> chains;
  Eigen::HouseholderQR<MatrixXd> qr;  // of all rows that are left
  bool compressed = false;
  Matrix rows;
  std::vector<double> lengths;
};

Elimination::Elimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                         double rank_tolerance)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.layout = layout;
  const int m = layout.thetas;
  self.theta_size = ConstVectorMap(sizes.data(), m);
  Eigen::Index count = static_cast<Eigen::Index>(blocks.priors.r.size());
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    const VectorXd v0_size = ConstVectorMap(sizes.data() + chain.offset[0], chain.size[0]);
    VectorXd state_size;
    if (chain.links() > 0) state_size = ConstVectorMap(sizes.data() + chain.offset[1], chain.size[1]);
    self.chains.emplace_back(blocks.chains[c], v0_size, state_size, self.theta_size, rank_tolerance);
    count += self.chains.back().theta_rows().rows();
  }
  MatrixXd rows(count, m);
  Eigen::Index at = 0;
  for (const Chain& chain : self.chains) {
    rows.middleRows(at, chain.theta_rows().rows()) = chain.theta_rows();
    at += chain.theta_rows().rows();
  }
  rows.bottomRows(count - at) = map(blocks.priors.by_theta) * self.theta_size.asDiagonal();
  VectorXd squares = rows.bottomRows(count - at).colwise().squaredNorm().transpose();
  for (const Chain& chain : self.chains) squares += chain.theta_squares();
  const VectorXd lengths = squares.cwiseSqrt();
  self.lengths.assign(lengths.data(), lengths.data() + m);
  self.compressed = count > m && m > 0;
  if (self.compressed) {
    self.qr.compute(rows);
    rows = MatrixXd(self.qr.matrixQR().topRows(m).triangularView<Eigen::Upper>());
  }
  self.rows = to_matrix(rows);
}

Elimination::~Elimination() = default;
Elimination::Elimination(Elimination&&) noexcept = default;
Elimination& Elimination::operator=(Elimination&&) noexcept = default;

const Matrix& Elimination::theta_rows() const { return implementation_->rows; }

const std::vector<double>& Elimination::theta_lengths() const { return implementation_->lengths; }

std::vector<double> Elimination::reduce(const nlp::Blocks& blocks) {
  Implementation& self = *implementation_;
  std::vector<double> f;
  for (std::size_t c = 0; c < self.chains.size(); ++c) {
    const VectorXd part = self.chains[c].reduce(blocks.chains[c]);
    f.insert(f.end(), part.data(), part.data() + part.size());
  }
  f.insert(f.end(), blocks.priors.r.begin(), blocks.priors.r.end());
  if (!self.compressed) return f;
  VectorXd rotated = self.qr.householderQ().transpose() * map(f);
  return {rotated.data(), rotated.data() + self.layout.thetas};
}

std::vector<double> Elimination::expand(const std::vector<double>& delta_theta) const {
  const Implementation& self = *implementation_;
  std::vector<double> delta(self.layout.unknowns, 0.0);
  const VectorXd theta = map(delta_theta);
  for (int i = 0; i < self.layout.thetas; ++i) delta[i] = theta[i] * self.theta_size[i];
  for (std::size_t c = 0; c < self.chains.size(); ++c) {
    const std::vector<VectorXd> v = self.chains[c].expand(theta);
    for (std::size_t j = 0; j < v.size(); ++j)
      std::copy(v[j].data(), v[j].data() + v[j].size(), delta.begin() + self.layout.chains[c].offset[j]);
  }
  return delta;
}

Elimination::ChainSummary Elimination::summary(int chain) const { return implementation_->chains[chain].summary(); }

}  // namespace salvo::solve
