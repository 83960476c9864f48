#include "solve/elimination/condensing.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace salvo::solve {

using dense::block_of;

namespace {

// The largest entry of A_j, C_j and perturbations that is allowed. Rounding then reaches the nodes as 1e-13, and no
// direction of v_0 hides another.
const double most_growth = 1e3;

// Enough rows for a rotation to be worth its while, few enough to stay near the processor.
const int rows_of_bundle = 256;

bool is_mild(const Matrix& m) {
  return std::all_of(m.data.begin(), m.data.end(), [](double entry) { return std::abs(entry) <= most_growth; });
}

// Few states are perturbed one by one, many together with random signs, which miss no growth but by a conspiracy of 16
// draws.
const int most_perturbations = 16;

void perturb(const dense::Block& columns) {
  if (columns.cols == columns.rows) {
    for (int i = 0; i < columns.rows; ++i) columns.column(i)[i] = 1;
    return;
  }
  Random random(1);
  for (int k = 0; k < columns.cols; ++k)
    for (int i = 0; i < columns.rows; ++i) columns.column(k)[i] = random.uniform() < 0.5 ? -1.0 : 1.0;
}

// to = diag(left) from diag(right)
void scale(std::span<const double> left, const Matrix& from, std::span<const double> right, const dense::Block& to) {
  for (int k = 0; k < from.cols; ++k) {
    const double* source = block_of(from).column(k);
    double* target = to.column(k);
    for (int i = 0; i < from.rows; ++i) target[i] = left[i] * source[i] * right[k];
  }
}

// to = from diag(right)
void scale(const Matrix& from, std::span<const double> right, const dense::Block& to) {
  for (int k = 0; k < from.cols; ++k) {
    const double* source = block_of(from).column(k);
    double* target = to.column(k);
    for (int i = 0; i < from.rows; ++i) target[i] = source[i] * right[k];
  }
}

int size_of(std::span<const double> numbers) { return static_cast<int>(numbers.size()); }

}  // namespace

ChainSizes sizes_of_chain(const nlp::Layout& layout, const std::vector<double>& sizes, int chain) {
  const nlp::Layout::Chain& at = layout.chains[chain];
  const auto of_block = [&](int j) {
    return std::span<const double>(sizes.data() + at.offset[j], static_cast<std::size_t>(at.size[j]));
  };
  ChainSizes out{.first = of_block(0), .theta = {sizes.data(), static_cast<std::size_t>(layout.thetas)}};
  if (at.links() > 0) out.state = of_block(1);
  return out;
}

bool Condensing::take(const nlp::ChainBlocks& blocks, const ChainSizes& sizes) {
  sizes_ = sizes;
  n0_ = size_of(sizes.first);
  m_ = size_of(sizes.theta);
  d_ = size_of(sizes.state);
  links_ = static_cast<int>(blocks.links.size());
  inverse_.resize(d_);
  for (int i = 0; i < d_; ++i) inverse_[i] = 1 / sizes.state[i];
  if (!take_links(blocks)) return false;
  take_rows(blocks);
  return true;
}

// A and C alone do not tell whether something grows: along a trajectory that hardly depends on v_0 or θ, what grows is
// the rounding. So perturbations of v_1 go the same way.
bool Condensing::take_links(const nlp::ChainBlocks& blocks) {
  width_ = unknowns() + std::min(d_, most_perturbations);
  basis_.resize(links_ * d_, width_);
  transitions_.resize(links_ * d_, d_);
  if (links_ == 0) return true;
  take_first_link(blocks.links[0]);
  for (int j = 1; j < links_; ++j) take_link(j, blocks.links[j]);
  return is_mild(basis_);
}

void Condensing::take_first_link(const nlp::Link& link) {
  scale(inverse_, link.by_block, sizes_.first, motion(1).part(0, 0, d_, n0_));
  scale(inverse_, link.by_theta, sizes_.theta, motion(1).part(0, n0_, d_, m_));
  perturb(motion(1).part(0, unknowns(), d_, width_ - unknowns()));
}

// From node j to the next.
void Condensing::take_link(int j, const nlp::Link& link) {
  scale(inverse_, link.by_block, sizes_.state, transition(j + 1));
  scale(inverse_, link.by_theta, sizes_.theta, motion(j + 1).part(0, n0_, d_, m_));
  dense::add_product(1, transition(j + 1), motion(j), motion(j + 1));
}

void Condensing::plan_bundles(const nlp::ChainBlocks& blocks) {
  int total = 0;
  for (const nlp::Rows& rows : blocks.rows) total += size_of(rows.r);
  tall_ = total > unknowns();
  bundles_.assign(1, {});
  for (int j = 0; j <= links_; ++j) {
    if (bundles_.back().rows >= rows_of_bundle && tall_) bundles_.push_back({});
    bundles_.back().last = j;
    bundles_.back().rows += size_of(blocks.rows[j].r);
  }
}

void Condensing::take_rows(const nlp::ChainBlocks& blocks) {
  plan_bundles(blocks);
  entries_.clear();
  std::size_t rows = 0;
  for (const Bundle& bundle : bundles_) rows += bundle.rows;
  entries_.reserve(rows);  // which mostly read one state each
  triangle_.begin(unknowns(), tall_ ? unknowns() : n0_);
  int j = 0;
  for (Bundle& bundle : bundles_) {
    const std::size_t first_entry = entries_.size();
    Matrix& gathered = triangle_.room(bundle.rows);
    int at = 0;
    for (; j <= bundle.last; ++j) {
      if (j == 0)
        write_first_rows(blocks.rows[0], gathered);
      else
        write_rows(j, blocks.rows[j], at, gathered);
      at += size_of(blocks.rows[j].r);
    }
    add_nodes(first_entry, gathered);
    bundle.entries_end = entries_.size();
    triangle_.take();
  }
}

void Condensing::write_first_rows(const nlp::Rows& rows, Matrix& to) const {
  const int count = size_of(rows.r);
  scale(rows.by_block, sizes_.first, block_of(to).part(0, 0, count, n0_));
  scale(rows.by_theta, sizes_.theta, block_of(to).part(0, n0_, count, m_));
}

void Condensing::write_rows(int j, const nlp::Rows& rows, int at, Matrix& to) {
  for (int k = 0; k < rows.by_block.cols; ++k) {
    const double* column = block_of(rows.by_block).column(k);
    for (int i = 0; i < rows.by_block.rows; ++i)
      if (column[i] != 0) entries_.push_back({at + i, (j - 1) * d_ + k, column[i] * sizes_.state[k]});
  }
  scale(rows.by_theta, sizes_.theta, block_of(to).part(at, n0_, size_of(rows.r), m_));
}

// Observables read few states each, so the product of rows by nodes with [A_j C_j] goes entry by entry.
void Condensing::add_nodes(std::size_t first_entry, Matrix& to) const {
  const std::span<const Entry> entries = std::span(entries_).subspan(first_entry);
  for (int k = 0; k < unknowns(); ++k) {
    const double* nodes = block_of(basis_).column(k);
    double* column = block_of(to).column(k);
    for (const Entry& entry : entries) column[entry.row] += entry.value * nodes[entry.state];
  }
}

void Condensing::reduce(const nlp::ChainBlocks& blocks) {
  c_.resize(static_cast<std::size_t>(links_) * d_);
  for (int j = 1; j <= links_; ++j) {
    const std::vector<double>& gap = blocks.links[j - 1].gap;
    double* c_j = c_.data() + (j - 1) * d_;
    for (int i = 0; i < d_; ++i) c_j[i] = gap[i] / sizes_.state[i];
    if (j > 1) dense::add_product(transition(j), c(j - 1), {c_j, static_cast<std::size_t>(d_)});
  }
  constants_.assign(triangle_.pivots(), 0.0);
  int j = 0;
  std::size_t entry = 0;
  for (int n = 0; n < triangle_.taken(); ++n) {
    gathered_.clear();
    for (; j <= bundles_[n].last; ++j)
      gathered_.insert(gathered_.end(), blocks.rows[j].r.begin(), blocks.rows[j].r.end());
    gathered_.resize(triangle_.rows(n), 0.0);
    for (; entry < bundles_[n].entries_end; ++entry)
      gathered_[entries_[entry].row] += entries_[entry].value * c_[entries_[entry].state];
    triangle_.rotate(n, constants_, gathered_);
  }
  if (!tall_) constants_.insert(constants_.end(), gathered_.begin(), gathered_.end());
}

dense::ConstBlock Condensing::by_unknowns(int j) const {
  return block_of(basis_).part((j - 1) * d_, 0, d_, unknowns());
}
dense::ConstBlock Condensing::by_unknowns() const { return block_of(basis_).part(0, 0, links_ * d_, unknowns()); }
dense::ConstBlock Condensing::R_00() const { return block_of(triangle_.R()).part(0, 0, n0_, n0_); }
dense::ConstBlock Condensing::R_0theta() const { return block_of(triangle_.R()).part(0, n0_, n0_, m_); }
dense::ConstBlock Condensing::F() const {
  return tall_ ? block_of(triangle_.R()).part(n0_, n0_, m_, m_) : triangle_.left(0);
}

}  // namespace salvo::solve
