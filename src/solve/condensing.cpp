#include "solve/condensing.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "solve/product.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the entries of A_j and C_j, and of perturbations. Rounding then reaches the nodes as 1e-13, and no direction of
// v_0 hides another.
constexpr double most_growth = 1e3;

Eigen::Map<MatrixXd> map(Matrix& m) { return {m.data.data(), m.rows, m.cols}; }
Eigen::Map<const MatrixXd> map(const Matrix& m) { return {m.data.data(), m.rows, m.cols}; }
Eigen::Map<const VectorXd> map(const std::vector<double>& v) { return {v.data(), static_cast<Index>(v.size())}; }

Index count_of(const nlp::Rows& rows) { return static_cast<Index>(rows.r.size()); }

bool is_mild(const MatrixXd& m) { return m.size() == 0 || m.cwiseAbs().maxCoeff() <= most_growth; }

// Few states are perturbed one by one, many together with random signs, which miss no growth but by a conspiracy of 16
// draws.
MatrixXd perturbations(Index d) {
  constexpr Index most = 16;
  if (d <= most) return MatrixXd::Identity(d, d);
  Random random(1);
  return MatrixXd::NullaryExpr(d, most, [&random] { return random.uniform() < 0.5 ? -1.0 : 1.0; });
}

// Whether perturbations of v_1 grow on their way. A and C alone do not tell: along a trajectory that hardly depends on
// v_0 or θ, what grows is the rounding.
bool grows(const nlp::ChainBlocks& blocks, const VectorXd& state_size) {
  MatrixXd perturbed = state_size.asDiagonal() * perturbations(state_size.size());
  for (std::size_t j = 1; j < blocks.links.size(); ++j) {
    perturbed = product(map(blocks.links[j].by_block), perturbed);
    if (!is_mild(state_size.cwiseInverse().asDiagonal() * perturbed)) return true;
  }
  return false;
}

// Enough rows for a rotation to be worth its while, few enough to stay near the processor.
constexpr int rows_of_bundle = 256;

int row_total(const nlp::ChainBlocks& blocks) {
  int total = 0;
  for (const nlp::Rows& rows : blocks.rows) total += static_cast<int>(rows.r.size());
  return total;
}

}  // namespace

std::optional<Condensing> Condensing::of(const nlp::ChainBlocks& blocks, const ChainSizes& sizes) {
  if (blocks.links.empty() || grows(blocks, sizes.state)) return std::nullopt;
  std::optional<Condensing> out = Condensing(blocks, sizes);
  if (!out->take_links(blocks)) return std::nullopt;
  return out;
}

Condensing::Condensing(const nlp::ChainBlocks& blocks, const ChainSizes& sizes)
    : sizes_(sizes),
      n0_(sizes.first.size()),
      m_(sizes.theta.size()),
      bundles_(bundles_of(blocks, n0_ + m_)),
      compressed_(row_total(blocks) > n0_ + m_ && n0_ + m_ > 0),
      triangle_(static_cast<int>(n0_ + m_)),
      gathered_(bundles_[0].rows, static_cast<int>(n0_ + m_)) {}

std::vector<Condensing::Bundle> Condensing::bundles_of(const nlp::ChainBlocks& blocks, Index columns) {
  const bool one = row_total(blocks) <= columns || columns == 0;
  std::vector<Bundle> bundles{{}};
  for (int j = 0; j < static_cast<int>(blocks.rows.size()); ++j) {
    if (bundles.back().rows >= rows_of_bundle && !one) bundles.emplace_back();
    bundles.back().last = j;
    bundles.back().rows += static_cast<int>(count_of(blocks.rows[j]));
  }
  return bundles;
}

bool Condensing::take_links(const nlp::ChainBlocks& blocks) {
  add_first_rows(blocks.rows[0]);
  end_of_node(0);
  nodes_.reserve(blocks.links.size());
  for (std::size_t j = 0; j < blocks.links.size(); ++j) {
    take_link(blocks.links[j]);
    if (!is_mild(nodes_.back().by_unknowns)) return false;
    add_rows(blocks.rows[j + 1], nodes_.back());
    end_of_node(static_cast<int>(j) + 1);
  }
  return true;
}

void Condensing::end_of_node(int j) {
  const int n = triangle_.taken();
  if (!compressed_ || bundles_[n].last != j) return;
  triangle_.take(std::move(gathered_));
  filled_ = 0;
  if (n + 1 < static_cast<int>(bundles_.size())) gathered_ = Matrix(bundles_[n + 1].rows, static_cast<int>(n0_ + m_));
}

MatrixXd Condensing::rows() const { return map(compressed_ ? triangle_.R() : gathered_); }

void Condensing::take_link(const nlp::Link& link) {
  const auto inverse = sizes_.state.cwiseInverse().asDiagonal();
  Node next;
  if (nodes_.empty()) {
    next.by_unknowns.resize(sizes_.state.size(), n0_ + m_);
    next.by_unknowns.leftCols(n0_) = inverse * map(link.by_block) * sizes_.first.asDiagonal();
  } else {
    next.by_previous = inverse * map(link.by_block) * sizes_.state.asDiagonal();
    next.by_unknowns = product(next.by_previous, nodes_.back().by_unknowns);
  }
  const MatrixXd by_theta = inverse * map(link.by_theta) * sizes_.theta.asDiagonal();
  if (nodes_.empty())
    next.by_unknowns.rightCols(m_) = by_theta;
  else
    next.by_unknowns.rightCols(m_) += by_theta;
  nodes_.push_back(std::move(next));
}

void Condensing::add_first_rows(const nlp::Rows& rows) {
  filled_ = static_cast<int>(count_of(rows));
  auto added = map(gathered_).topRows(filled_);
  added.leftCols(n0_) = map(rows.by_block) * sizes_.first.asDiagonal();
  added.rightCols(m_) = map(rows.by_theta) * sizes_.theta.asDiagonal();
}

// Observables read few states each, so the product with [A_j C_j] goes entry by entry.
void Condensing::add_rows(const nlp::Rows& rows, Node& node) {
  const Index count = count_of(rows);
  if (count == 0) return;
  for (Index k = 0; k < sizes_.state.size(); ++k)
    for (Index i = 0; i < count; ++i)
      if (const double value = rows.by_block(static_cast<int>(i), static_cast<int>(k)); value != 0)
        node.rows_by_node.push_back({i, k, value * sizes_.state[k]});
  auto added = map(gathered_).middleRows(filled_, count);
  added.rightCols(m_) = map(rows.by_theta) * sizes_.theta.asDiagonal();
  for (Index column = 0; column < added.cols(); ++column)
    for (const Entry& entry : node.rows_by_node)
      added(entry.row, column) += entry.value * node.by_unknowns(entry.column, column);
  filled_ += static_cast<int>(count);
}

Condensing::Constants Condensing::reduce(const nlp::ChainBlocks& blocks) {
  std::vector<double> top(compressed_ ? n0_ + m_ : 0, 0.0);
  std::vector<double> l;  // of the rows gathered so far
  int n = 0;
  VectorXd c;
  for (int j = 0; j <= links(); ++j) {
    const std::size_t before = l.size();
    l.insert(l.end(), blocks.rows[j].r.begin(), blocks.rows[j].r.end());
    if (j > 0) {
      Node& node = nodes_[j - 1];
      const VectorXd gap = map(blocks.links[j - 1].gap).cwiseQuotient(sizes_.state);
      c = j == 1 ? gap : VectorXd(node.by_previous * c + gap);
      node.offset = c;
      for (const Entry& entry : node.rows_by_node) l[before + entry.row] += entry.value * c[entry.column];
    }
    if (!compressed_ || bundles_[n].last != j) continue;
    triangle_.rotate(n++, top, l);
    l.clear();
  }
  return {c, map(compressed_ ? top : l)};
}

MatrixXd Condensing::motion(int j, const MatrixXd& v0, const MatrixXd& theta) const {
  const MatrixXd& by_unknowns = nodes_[j - 1].by_unknowns;
  return by_unknowns.leftCols(n0_) * v0 + by_unknowns.rightCols(m_) * theta;
}

VectorXd Condensing::node(int j, const VectorXd& v0, const VectorXd& theta) const {
  return nodes_[j - 1].offset + motion(j, v0, theta);
}

}  // namespace salvo::solve
