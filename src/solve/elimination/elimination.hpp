#pragma once

#include <memory>
#include <vector>

#include "nlp/problem.hpp"
#include "solve/state/conflict.hpp"

namespace salvo::solve {

// The linearised problem
//
//   min |r + J (Δv, Δθ)|   s.t.   gap_j + G_s,j Δv_j + G_p,j Δθ - Δv_{j+1} = 0,   bounds on θ,   constraints
//
// reduced to a small dense one at a cost that is linear in the number of links (docs/mathematics.md, section 5): by
// FullRankElimination where nothing grows and the rows see all there is to see, else by GeneralElimination. One object
// serves linearisation after linearisation and keeps its memory.
class Elimination {
 public:
  Elimination();
  explicit Elimination(const nlp::Layout& layout);
  // Takes in these matrices at once.
  Elimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
              double rank_tolerance);
  ~Elimination();
  Elimination(Elimination&&) noexcept;
  Elimination& operator=(Elimination&&) noexcept;

  // Linearisations are of this layout from now on, which must live as long as they are taken in.
  void begin(const nlp::Layout& layout);
  // `sizes` scales the unknowns; steps come back unscaled. Where the rows cannot see a direction (relative to
  // `rank_tolerance`), the step does not move along it.
  void take(const nlp::Blocks& blocks, const std::vector<double>& sizes, double rank_tolerance);

  struct Step {
    std::vector<double> delta{};        // of all unknowns
    std::vector<bool> held{};           // thetas at a bound that the step would like to cross
    std::vector<int> active{};          // rows of constraints that hold with equality after the step
    std::vector<double> multipliers{};  // of every row of the constraints
    Conflict conflict{};                // not empty: the linearised constraints contradict each other
  };
  // The step for the residuals and gaps of `blocks`: those of the linearisation.
  void solve(const nlp::Blocks& blocks, const nlp::Point& q, Step& step);
  Step solve(const nlp::Blocks& blocks, const nlp::Point& q);
  // The step that the same matrices ask for at other residuals, gaps and constraints, with what `step` holds held.
  void correct(const nlp::Blocks& blocks, const Step& step, std::vector<double>& delta);
  std::vector<double> correct(const nlp::Blocks& blocks, const Step& step);
  // The step that the same matrices ask for where the gaps are those of `gaps` (whose residuals are zero) and the
  // Lagrange function has this gradient by all unknowns. Only where nothing is held, constrained or unseen.
  bool can_descend(const Step& step) const;
  void descend(const nlp::Blocks& gaps, const std::vector<double>& gradient, std::vector<double>& delta);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salvo::solve
