#pragma once

#include <memory>
#include <vector>

#include "nlp/problem.hpp"
#include "solve/bounded_least_squares.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// The linearised problem
//
//   min |r + J (Δv, Δθ)|   s.t.   gap_j + G_s,j Δv_j + G_p,j Δθ - Δv_{j+1} = 0,   bounds on θ,   constraints
//
// reduced to a small dense one by orthogonal transformations alone, at a cost that is linear in the number of links.
// Transition matrices are neither inverted nor multiplied with each other, so flows that grow by e^60 or contract to
// nothing do no harm. Derivation: docs/mathematics.md, eq. 13 to 18, after [Wright92].
//
// The ends (v_0, v_K) of a chain follow from its free motion and θ. Where they do not in numbers, because the chain
// grows and its initial state is (partly) known, its ends stay in the small problem, and a link of them to θ that
// growth has pressed below the accuracy of the integration is let go: e^-20 is no information.
class Elimination {
 public:
  // `sizes` scales the unknowns; steps come back unscaled. Where the rows cannot see a direction (relative to
  // `rank_tolerance`), the step does not move along it.
  Elimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
              double rank_tolerance = 1e-9);
  ~Elimination();
  Elimination(Elimination&&) noexcept;
  Elimination& operator=(Elimination&&) noexcept;

  struct Step {
    std::vector<double> delta{};        // of all unknowns
    std::vector<bool> held{};           // thetas at a bound that the step would like to cross
    std::vector<int> active{};          // rows of constraints that hold with equality after the step
    std::vector<double> multipliers{};  // of every row of the constraints
    Conflict conflict{};                // not empty: the linearised constraints contradict each other
  };
  // The step for the residuals and gaps of `blocks`: those of the linearisation.
  Step solve(const nlp::Blocks& blocks, const nlp::Point& q);
  // The step that the same matrices ask for at other residuals, gaps and constraints, with what `step` holds held.
  std::vector<double> correct(const nlp::Blocks& blocks, const Step& step);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salvo::solve
