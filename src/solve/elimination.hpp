#pragma once

#include <memory>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// The linearised problem
//
//   min |r + J (Δv, Δθ)|   s.t.   gap_j + G_s,j Δv_j + G_p,j Δθ - Δv_{j+1} = 0,
//
// reduced to a small dense one in Δθ by orthogonal transformations alone, at a cost that is linear in the number of
// links. Nothing is inverted but triangles with singular values of at least one, and transition matrices are never
// multiplied with each other, so flows that grow by e^60 or contract to nothing do no harm. Derivation:
// docs/mathematics.md, section 5, after [Wright92].
class Elimination {
 public:
  // `sizes` scales the unknowns; steps come back unscaled. Where the rows cannot see a motion of a chain (relative to
  // `rank_tolerance`), it does not move that way.
  Elimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
              double rank_tolerance = 1e-9);
  ~Elimination();
  Elimination(Elimination&&) noexcept;
  Elimination& operator=(Elimination&&) noexcept;

  // The rows |F Δθ + f| that are left of the objective, with Δθ in units of its sizes.
  const Matrix& theta_rows() const;
  // The lengths of the same columns before the free motion of the chains was eliminated: what is left of a column
  // beside its length tells whether the data can see it.
  const std::vector<double>& theta_lengths() const;
  // f for the residuals and gaps of `blocks`: those of the linearisation, or others under the same matrices.
  std::vector<double> reduce(const nlp::Blocks& blocks);
  // All of Δq for a given (scaled) Δθ, after `reduce`.
  std::vector<double> expand(const std::vector<double>& delta_theta) const;

  // What is left of one chain before its own unknowns go: a basis of its free motion and the rows on it.
  //   (Δv_0; Δv_K) = particular + by_theta Δθ + by_free w,   rows: free_rows w + theta_rows Δθ
  struct ChainSummary {
    Matrix v0_by_theta{};
    Matrix v0_by_free{};
    Matrix rows_by_free{};
    Matrix rows_by_theta{};
  };
  ChainSummary summary(int chain) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salvo::solve
