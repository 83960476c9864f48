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
  // `linearized` and `elimination` hold the matrices; y the multipliers at the end of the step that they gave.
  FrozenSteps(const nlp::Problem& problem, const nlp::Request& request, const nlp::Blocks& linearized,
              Elimination& elimination, GapMultipliers y);

  // The step from q, which the step before has led to.
  nlp::Evaluation take(const nlp::Point& q, std::vector<double>& delta);
  double objective() const { return gradients_.objective; }
  double gap() const { return gradients_.gap; }
  const GapMultipliers& multipliers() const { return weights_.multipliers; }

 private:
  void sum_gradients();

  const nlp::Problem& problem_;
  nlp::Request request_;
  const nlp::Blocks& linearized_;
  Elimination& elimination_;
  nlp::GapWeights weights_{};
  nlp::Gradients gradients_{};
  nlp::Blocks gaps_{};              // residuals of zero
  std::vector<double> gradient_{};  // of the Lagrange function
  RecursionRoom recursion_{};
};

}  // namespace salvo::solve
