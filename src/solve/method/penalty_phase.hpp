#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "solve/accept/damping.hpp"

namespace salvo::solve {

// Steps that ask for small gaps only (steps/penalty_step.hpp), with trust in the linearisation and penalty of the gaps
// learnt on the way.
class PenaltyPhase {
 public:
  explicit PenaltyPhase(const Rules& rules)
      : rules_(rules), damping_(rules.damping, rules.damping.first), rho_(rules.penalty.first) {}

  struct Outcome {
    bool accepted = false;
    nlp::Point q{};
    double length = 0;
    nlp::Evaluation obstacle{};
  };
  Outcome step(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q, const nlp::Blocks& blocks,
               const std::vector<double>& sizes, const RunContext& context, nlp::Blocks& trial);

 private:
  const Rules& rules_;
  Damping damping_;
  double rho_;
};

}  // namespace salvo::solve
