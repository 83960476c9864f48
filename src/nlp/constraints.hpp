#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::nlp {

// Calls use(chain, block, constraints) for those of theta (chain and block are -1), then chain by chain, block by
// block. This order numbers the rows of all constraints.
template <class Use>
void each_constraints(const Blocks& blocks, const Use& use) {
  use(-1, -1, blocks.constraints);
  for (int c = 0; c < static_cast<int>(blocks.chains.size()); ++c)
    for (int j = 0; j < static_cast<int>(blocks.chains[c].constraints.size()); ++j)
      use(c, j, blocks.chains[c].constraints[j]);
}

inline bool has_constraints(const Blocks& blocks) {
  bool any = false;
  each_constraints(blocks, [&any](int, int, const Constraints& constraints) { any = any || !constraints.c.empty(); });
  return any;
}

// By how much the row fails to hold.
inline double violation(const Constraints& constraints, std::size_t row) {
  return constraints.equality[row] ? std::abs(constraints.c[row]) : std::max(constraints.c[row], 0.0);
}

// |dc/dq D| of every row: its change when all unknowns change by their sizes D. 1 for a row that depends on none.
inline std::vector<double> constraint_sizes(const Layout& layout, const Blocks& blocks,
                                            const std::vector<double>& sizes) {
  std::vector<double> out;
  each_constraints(blocks, [&](int chain, int block, const Constraints& constraints) {
    const double* block_size = chain < 0 ? nullptr : sizes.data() + layout.chains[chain].offset[block];
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i) {
      double sum = 0;
      for (int k = 0; k < constraints.by_theta.cols; ++k) sum += std::pow(constraints.by_theta(i, k) * sizes[k], 2);
      for (int k = 0; k < constraints.by_block.cols; ++k)
        sum += std::pow(constraints.by_block(i, k) * block_size[k], 2);
      out.push_back(sum > 0 ? std::sqrt(sum) : 1);
    }
  });
  return out;
}

// The largest violation relative to the row's size: by how much, in relative terms, unknowns would have to change.
inline double largest_violation(const Layout& layout, const Blocks& blocks, const std::vector<double>& sizes) {
  const std::vector<double> scale = constraint_sizes(layout, blocks, sizes);
  double largest = 0;
  std::size_t row = 0;
  each_constraints(blocks, [&](int, int, const Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i)
      largest = std::max(largest, violation(constraints, i) / scale[row++]);
  });
  return largest;
}

}  // namespace salvo::nlp
