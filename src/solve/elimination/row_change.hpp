#pragma once

#include <vector>

#include "dense/product.hpp"
#include "nlp/problem.hpp"

namespace salvo::solve {

// change = J Δ of the rows of one block, in a buffer that loops use again.
inline void row_change(const nlp::Rows& rows, std::span<const double> v, std::span<const double> theta,
                       std::vector<double>& change) {
  change.assign(rows.r.size(), 0.0);
  if (change.empty()) return;
  if (!v.empty()) dense::add_product(dense::block_of(rows.by_block), v, change);
  dense::add_product(dense::block_of(rows.by_theta), theta, change);
}

// The part of a step that belongs to θ, and to block j of a chain.
inline std::span<const double> theta_of(const nlp::Layout& layout, const std::vector<double>& delta) {
  return {delta.data(), static_cast<std::size_t>(layout.thetas)};
}
inline std::span<const double> block_of_step(const nlp::Layout::Chain& chain, int j, const std::vector<double>& delta) {
  return {delta.data() + chain.offset[j], static_cast<std::size_t>(chain.size[j])};
}

}  // namespace salvo::solve
