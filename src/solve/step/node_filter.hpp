#pragma once

#include <memory>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// The nodes of the problem in which gaps only cost something, while theta stands still: for given rows r and gaps G,
//
//   min over Δv   |r + J Δv|^2 + rho |D^-1 (G + G_s Δv_j - Δv_{j+1})|^2 + mu |D^-1 Δv|^2,   D = diag(sizes)
//
// chain by chain, by orthogonal elimination of one node after the other (docs/mathematics.md, eq. 25). The matrices are
// factorised once; each right-hand side then costs a sweep over the nodes.
class NodeFilter {
 public:
  NodeFilter(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes, double rho,
             double mu);
  ~NodeFilter();

  // Puts what the best Δv leaves of `r` and `gap` in their place. Returns Δv where it stands in q, zero for theta.
  std::vector<double> solve(nlp::Blocks& rows_and_gaps) const;

 private:
  struct Chain;
  const nlp::Layout& layout_;
  std::vector<std::unique_ptr<Chain>> chains_;
};

}  // namespace salvo::solve
