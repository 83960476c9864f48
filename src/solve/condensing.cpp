#include "solve/condensing.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the entries of A_j and C_j, and of perturbations. Rounding then reaches the nodes as 1e-13, and no direction of
// v_0 hides another.
constexpr double most_growth = 1e3;

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
    perturbed = map(blocks.links[j].by_block) * perturbed;
    if (!is_mild(state_size.cwiseInverse().asDiagonal() * perturbed)) return true;
  }
  return false;
}

// Rows that are kept until they are compressed: each compression costs as much as that many rows and as many as there
// are columns.
Index room_for(const nlp::ChainBlocks& blocks, Index columns) {
  Index total = 0;
  Index most = 0;
  for (const nlp::Rows& rows : blocks.rows) {
    total += count_of(rows);
    most = std::max(most, count_of(rows));
  }
  return columns == 0 ? total : std::min(total, 12 * columns + most);
}

}  // namespace

std::optional<Condensing> Condensing::of(const nlp::ChainBlocks& blocks, const ChainSizes& sizes) {
  if (blocks.links.empty() || grows(blocks, sizes.state)) return std::nullopt;
  std::optional<Condensing> out = Condensing(blocks, sizes);
  if (!out->take_links(blocks)) return std::nullopt;
  return out;
}

Condensing::Condensing(const nlp::ChainBlocks& blocks, const ChainSizes& sizes)
    : sizes_(sizes), n0_(sizes.first.size()), m_(sizes.theta.size()), rows_(room_for(blocks, n0_ + m_), n0_ + m_) {}

bool Condensing::take_links(const nlp::ChainBlocks& blocks) {
  add_first_rows(blocks.rows[0]);
  nodes_.reserve(blocks.links.size());
  for (std::size_t j = 0; j < blocks.links.size(); ++j) {
    take_link(blocks.links[j]);
    if (!is_mild(nodes_.back().by_unknowns)) return false;
    add_rows(blocks.rows[j + 1], nodes_.back());
  }
  if (filled_ > rows_.cols() && rows_.cols() > 0) compress(last_compression_);
  return true;
}

void Condensing::take_link(const nlp::Link& link) {
  const auto inverse = sizes_.state.cwiseInverse().asDiagonal();
  Node next;
  if (nodes_.empty()) {
    next.by_unknowns.resize(sizes_.state.size(), n0_ + m_);
    next.by_unknowns.leftCols(n0_) = inverse * map(link.by_block) * sizes_.first.asDiagonal();
  } else {
    next.by_previous = inverse * map(link.by_block) * sizes_.state.asDiagonal();
    next.by_unknowns = next.by_previous * nodes_.back().by_unknowns;
  }
  const MatrixXd by_theta = inverse * map(link.by_theta) * sizes_.theta.asDiagonal();
  if (nodes_.empty())
    next.by_unknowns.rightCols(m_) = by_theta;
  else
    next.by_unknowns.rightCols(m_) += by_theta;
  nodes_.push_back(std::move(next));
}

void Condensing::add_first_rows(const nlp::Rows& rows) {
  filled_ = count_of(rows);
  rows_.topLeftCorner(filled_, n0_) = map(rows.by_block) * sizes_.first.asDiagonal();
  rows_.topRightCorner(filled_, m_) = map(rows.by_theta) * sizes_.theta.asDiagonal();
}

// Observables read few states each, so the product with [A_j C_j] goes entry by entry.
void Condensing::add_rows(const nlp::Rows& rows, Node& node) {
  const Index count = count_of(rows);
  if (count == 0) return;
  make_room(count, node.compression);
  for (Index k = 0; k < sizes_.state.size(); ++k)
    for (Index i = 0; i < count; ++i)
      if (const double value = rows.by_block(static_cast<int>(i), static_cast<int>(k)); value != 0)
        node.rows_by_node.push_back({i, k, value * sizes_.state[k]});
  auto added = rows_.middleRows(filled_, count);
  added.leftCols(n0_).setZero();
  added.rightCols(m_) = map(rows.by_theta) * sizes_.theta.asDiagonal();
  for (Index column = 0; column < rows_.cols(); ++column)
    for (const Entry& entry : node.rows_by_node)
      added(entry.row, column) += entry.value * node.by_unknowns(entry.column, column);
  filled_ += count;
}

void Condensing::make_room(Index count, std::optional<Compression>& compression) {
  if (filled_ + count > rows_.rows()) compress(compression);
}

void Condensing::compress(std::optional<Compression>& compression) {
  compression.emplace();
  compression->qr.compute(rows_.topRows(filled_));
  filled_ = rows_.cols();
  rows_.topRows(filled_) = compression->qr.matrixQR().topRows(filled_).triangularView<Eigen::Upper>();
}

Condensing::Constants Condensing::reduce(const nlp::ChainBlocks& blocks) {
  VectorXd l(rows_.rows());
  l.head(count_of(blocks.rows[0])) = map(blocks.rows[0].r);
  Index filled = count_of(blocks.rows[0]);
  const auto rotate = [&](const std::optional<Compression>& compression) {
    if (!compression) return;
    const VectorXd rotated = compression->qr.householderQ().transpose() * l.head(filled);
    filled = rows_.cols();
    l.head(filled) = rotated.head(filled);
  };
  VectorXd c;
  for (int j = 1; j <= links(); ++j) {
    Node& node = nodes_[j - 1];
    const VectorXd gap = map(blocks.links[j - 1].gap).cwiseQuotient(sizes_.state);
    c = j == 1 ? gap : VectorXd(node.by_previous * c + gap);
    node.offset = c;
    rotate(node.compression);
    const Index count = count_of(blocks.rows[j]);
    auto added = l.segment(filled, count);
    added = map(blocks.rows[j].r);
    for (const Entry& entry : node.rows_by_node) added[entry.row] += entry.value * c[entry.column];
    filled += count;
  }
  rotate(last_compression_);
  return {c, l.head(filled)};
}

MatrixXd Condensing::motion(int j, const MatrixXd& v0, const MatrixXd& theta) const {
  const MatrixXd& by_unknowns = nodes_[j - 1].by_unknowns;
  return by_unknowns.leftCols(n0_) * v0 + by_unknowns.rightCols(m_) * theta;
}

VectorXd Condensing::node(int j, const VectorXd& v0, const VectorXd& theta) const {
  return nodes_[j - 1].offset + motion(j, v0, theta);
}

}  // namespace salvo::solve
