#pragma once

#include <memory>

#include "solve/elimination/chain_elimination.hpp"
#include "solve/elimination/elimination.hpp"

namespace salvo::solve {

// The linearised problem, whatever grows in it, reduced by orthogonal transformations alone. Where chains grow,
// transition matrices are neither inverted nor multiplied with each other, so flows that grow by e^60 or contract to
// nothing do no harm. Derivation: docs/mathematics.md, eq. 13 to 18, after [Wright92].
//
// The ends (v_0, v_K) of a chain follow from its free motion and θ. Where they do not in numbers, because the chain
// grows and its initial state is (partly) known, its ends stay in the reduced problem, and a link of them to θ that
// growth has pressed below the accuracy of the integration is let go: e^-20 is no information.
class GeneralElimination {
 public:
  // Layout, sizes and condensed chains must live as long as this.
  GeneralElimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                     CondensedChains& condensed, double rank_tolerance);
  ~GeneralElimination();

  Elimination::Step solve(const nlp::Blocks& blocks, const nlp::Point& q);
  std::vector<double> correct(const nlp::Blocks& blocks, const Elimination::Step& step);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salvo::solve
