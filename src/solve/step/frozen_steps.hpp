#pragma once

#include "nlp/problem.hpp"
#include "solve/elimination/elimination.hpp"
#include "solve/elimination/gap_multipliers.hpp"

namespace salvo::solve {

// Close to the solution matrices hardly change any more from step to step, but a gradient does, and it must be exact
// for the steps to end where they should. One adjoint of each link gives that of the Lagrange function, and the
// matrices of the last linearisation make a step of it (docs/mathematics.md, eq. 26a). Each costs about as much as
// three simulations, whatever the number of unknowns.
class FrozenSteps {
 public:
  // `linearized` and `elimination` hold the matrices.
  FrozenSteps(const nlp::Problem& problem, const nlp::Blocks& linearized, Elimination& elimination);

  // The step from q, which the step before has led to with the multipliers y at its end; y becomes those at the end of
  // this one.
  nlp::Evaluation take(const nlp::Point& q, const nlp::Request& request, GapMultipliers& y, std::vector<double>& delta);
  double objective() const { return gradients_.objective; }
  double gap() const { return gradients_.gap; }

 private:
  void sum_gradients();

  const nlp::Problem& problem_;
  const nlp::Blocks& linearized_;
  Elimination& elimination_;
  nlp::GapWeights weights_{};
  nlp::Gradients gradients_{};
  nlp::Blocks gaps_{};              // residuals of zero
  std::vector<double> gradient_{};  // of the Lagrange function
  RecursionRoom recursion_{};
};

}  // namespace salvo::solve
