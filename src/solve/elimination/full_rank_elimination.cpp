#include "solve/elimination/full_rank_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "dense/back_substitution.hpp"

namespace salvo::solve {

using dense::block_of;
using dense::squares;

namespace {

void add_squares_of_columns(const dense::ConstBlock& block, std::vector<double>& to) {
  for (int k = 0; k < block.cols; ++k) to[k] += squares(block.part(0, k, block.rows, 1));
}

void copy(const dense::ConstBlock& from, Matrix& to) {
  for (int k = 0; k < from.cols; ++k) std::copy_n(from.column(k), from.rows, block_of(to).column(k));
}

// The free motion of the ends (v_0, A v_0) is measured by both; U'U = I + A'A is its measure, of condition √(1 + |A|²)
// at most.
bool sees_first_plainly(const Condensing& chain, double rank_tolerance, std::vector<double>& room) {
  room.resize(3 * static_cast<std::size_t>(chain.first()));
  const dense::ConstBlock last = chain.by_unknowns(chain.links());
  const double of_ends = std::sqrt(1 + squares(last.part(0, 0, last.rows, chain.first())));
  return chain.first() == 0 || dense::condition_bound(chain.R_00(), room) * of_ends * rank_tolerance < 1;
}

}  // namespace

bool FullRankElimination::take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                               std::vector<Condensing>& chains, double rank_tolerance) {
  for (const Condensing& chain : chains)
    if (!sees_first_plainly(chain, rank_tolerance, room_)) return false;
  layout_ = &layout;
  sizes_ = &sizes;
  chains_ = &chains;
  rule_.tolerance = rank_tolerance;
  take_rows(blocks.priors);
  is_full_rank_ = sees_theta_plainly();
  return true;
}

void FullRankElimination::take_rows(const nlp::Rows& priors) {
  const int m = layout_->thetas;
  triangle_.begin(m, m);
  rule_.lengths.assign(m, 0.0);
  for (const Condensing& chain : *chains_) {
    copy(chain.F(), triangle_.room(chain.F().rows));
    add_squares_of_columns(chain.R_0theta(), rule_.lengths);
    add_squares_of_columns(chain.F(), rule_.lengths);
    triangle_.take();
  }
  if (!priors.r.empty()) {
    Matrix& rows = triangle_.room(priors.by_theta.rows);
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < priors.by_theta.rows; ++i) rows(i, k) = priors.by_theta(i, k) * (*sizes_)[k];
    add_squares_of_columns(block_of(rows), rule_.lengths);
    triangle_.take();
  }
  for (double& length : rule_.lengths) length = std::sqrt(length);
}

bool FullRankElimination::sees_theta_plainly() {
  scaled_ = triangle_.R();
  for (int k = 0; k < scaled_.cols; ++k)
    for (int i = 0; i <= k; ++i) scaled_(i, k) /= rule_.lengths[k];
  room_.resize(3 * static_cast<std::size_t>(scaled_.cols));
  return scaled_.cols == 0 || dense::condition_bound(block_of(scaled_), room_) * rule_.tolerance < 1;
}

// f for the residuals and gaps of `blocks`.
void FullRankElimination::reduce(const nlp::Blocks& blocks) {
  f_.assign(layout_->thetas, 0.0);
  l_0_.resize(layout_->unknowns);
  for (std::size_t c = 0; c < chains_->size(); ++c) {
    Condensing& chain = (*chains_)[c];
    chain.reduce(blocks.chains[c]);
    std::copy(chain.l_0().begin(), chain.l_0().end(), l_0(c).begin());
    rotate(static_cast<int>(c), chain.f());
  }
  if (!blocks.priors.r.empty()) rotate(static_cast<int>(chains_->size()), blocks.priors.r);
}

void FullRankElimination::rotate(int bundle, std::span<const double> constants) {
  rows_.assign(constants.begin(), constants.end());
  rows_.resize(triangle_.rows(bundle), 0.0);
  triangle_.rotate(bundle, f_, rows_);
}

void FullRankElimination::minimize() {
  theta_.resize(f_.size());
  std::transform(f_.begin(), f_.end(), theta_.begin(), [](double f) { return -f; });
  dense::solve_upper(block_of(triangle_.R()), theta_);
}

bool FullRankElimination::is_within_bounds(const nlp::Point& q) {
  const int m = layout_->thetas;
  lower_.resize(m);
  upper_.resize(m);
  bool within = true;
  for (int i = 0; i < m; ++i) {
    lower_[i] = std::min(0.0, (layout_->lower[i] - q[i]) / (*sizes_)[i]);
    upper_[i] = std::max(0.0, (layout_->upper[i] - q[i]) / (*sizes_)[i]);
    within = within && lower_[i] <= theta_[i] && theta_[i] <= upper_[i];
  }
  return within;
}

void FullRankElimination::solve(const nlp::Blocks& blocks, const nlp::Point& q, std::vector<double>& delta,
                                std::vector<bool>& held) {
  reduce(blocks);
  minimize();
  held.assign(layout_->thetas, false);
  if (!is_within_bounds(q) || !is_full_rank_) {
    BoundedSolution solution = bounded_least_squares(triangle_.R(), f_, lower_, upper_, rule_);
    theta_ = std::move(solution.x);
    held = std::move(solution.held);
  }
  expand(delta);
}

void FullRankElimination::correct(const nlp::Blocks& blocks, const std::vector<bool>& held,
                                  std::vector<double>& delta) {
  reduce(blocks);
  const bool is_free = std::find(held.begin(), held.end(), true) == held.end();
  if (is_full_rank_ && is_free)
    minimize();
  else
    theta_ = least_squares(triangle_.R(), f_, held, rule_);
  expand(delta);
}

std::span<double> FullRankElimination::l_0(std::size_t chain) {
  return {l_0_.data() + layout_->chains[chain].offset[0], static_cast<std::size_t>((*chains_)[chain].first())};
}

void FullRankElimination::descend(const nlp::Blocks& gaps, const std::vector<double>& gradient,
                                  std::vector<double>& delta) {
  reduce(gaps);
  reduce_gradient(gradient);
  minimize();
  expand(delta);
}

// A term g'(v_0, θ) beside |R_00 v_0 + R_0θ θ + l_0|²/2 + |R θ + f|²/2 is as good as constants more:
//   l_0 += R_00'^-1 g_0,      f += R'^-1 (g_θ - R_0θ' R_00'^-1 g_0).
void FullRankElimination::reduce_gradient(const std::vector<double>& gradient) {
  const std::size_t m = f_.size();
  theta_.resize(m);
  for (std::size_t i = 0; i < m; ++i) theta_[i] = gradient[i] * (*sizes_)[i];
  for (std::size_t c = 0; c < chains_->size(); ++c) {
    const Condensing& chain = (*chains_)[c];
    const nlp::Layout::Chain& at = layout_->chains[c];
    const auto n0 = static_cast<std::size_t>(chain.first());
    rows_.resize(chain.c().size());
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = gradient[at.offset[1] + i] * (*sizes_)[at.offset[1] + i];
    unknowns_.assign(n0 + m, 0.0);
    for (std::size_t i = 0; i < n0; ++i) unknowns_[i] = gradient[at.offset[0] + i] * (*sizes_)[at.offset[0] + i];
    dense::add_transposed_product(chain.by_unknowns(), rows_, unknowns_);
    const auto g_0 = std::span(unknowns_).first(n0);
    dense::solve_upper_transposed(chain.R_00(), g_0);
    for (std::size_t i = 0; i < n0; ++i) l_0(c)[i] += g_0[i];
    for (std::size_t i = 0; i < m; ++i) theta_[i] += unknowns_[n0 + i];
    room_.assign(m, 0.0);
    dense::add_transposed_product(chain.R_0theta(), g_0, room_);
    for (std::size_t i = 0; i < m; ++i) theta_[i] -= room_[i];
  }
  dense::solve_upper_transposed(block_of(triangle_.R()), theta_);
  for (std::size_t i = 0; i < m; ++i) f_[i] += theta_[i];
}

// From θ to all unknowns, unscaled.
void FullRankElimination::expand(std::vector<double>& delta) {
  delta.resize(layout_->unknowns);
  std::copy(theta_.begin(), theta_.end(), delta.begin());
  for (std::size_t c = 0; c < chains_->size(); ++c) {
    const Condensing& chain = (*chains_)[c];
    const nlp::Layout::Chain& at = layout_->chains[c];
    unknowns_.assign(l_0(c).begin(), l_0(c).end());
    dense::add_product(chain.R_0theta(), theta_, unknowns_);
    for (double& number : unknowns_) number = -number;
    dense::solve_upper(chain.R_00(), unknowns_);
    std::copy(unknowns_.begin(), unknowns_.end(), delta.begin() + at.offset[0]);
    unknowns_.insert(unknowns_.end(), theta_.begin(), theta_.end());
    const std::span<double> nodes(delta.data() + at.offset[1], chain.c().size());
    std::copy(chain.c().begin(), chain.c().end(), nodes.begin());
    dense::add_product(chain.by_unknowns(), unknowns_, nodes);
  }
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] *= (*sizes_)[i];
}

}  // namespace salvo::solve
