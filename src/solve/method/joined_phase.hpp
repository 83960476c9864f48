#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "solve/accept/damping.hpp"

namespace salvo::solve {

// How much lower the objective lies after the step, as its linearised rows say.
double foreseen_gain(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta);

// Steps of trajectories that are joined and stay so, for where the Gauss-Newton step is too long to be trusted, as it
// is along directions that the data hardly see: Levenberg and Marquardt's, with gaps so dear that they do not open
// (docs/mathematics.md, eq. 25), judged by the objective alone.
class JoinedPhase {
 public:
  JoinedPhase(const DampingRules& rules, double widest_gap)
      : rules_(rules), damping_(rules, rules.first), widest_gap_(widest_gap) {}

  struct Outcome {
    bool accepted = false;
    nlp::Point q{};
    double length = 0;
  };
  Outcome step(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q, const nlp::Blocks& blocks,
               const std::vector<double>& sizes, const RunContext& context, nlp::Blocks& trial);

 private:
  const DampingRules& rules_;
  Damping damping_;
  double widest_gap_;
};

}  // namespace salvo::solve
