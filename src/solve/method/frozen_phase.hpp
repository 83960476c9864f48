#pragma once

#include "base/run_context.hpp"
#include "solve/result.hpp"
#include "solve/method/run_log.hpp"
#include "solve/step/frozen_steps.hpp"

namespace salvo::solve {

// The last steps of a run with many unknowns: those with a frozen Jacobian, while they contract.
class FrozenPhase {
 public:
  FrozenPhase(const nlp::Problem& problem, const nlp::Request& request, Elimination& elimination,
              const SolveOptions& options, const RunContext& context, SolveResult& result, RunLog& log)
      : problem_(problem),
        request_(request),
        elimination_(elimination),
        options_(options),
        context_(context),
        result_(result),
        log_(log) {}

  bool serves(const Elimination::Step& step) const {
    return attempts_ < options_.rules.gauss_newton.most_frozen_phases && has_many_columns() &&
           elimination_.can_descend(step);
  }
  // From result.q on, beginning with `delta`; notes every step as iteration k, which counts on. True if the last one
  // was within the tolerance and nothing is torn after it; else result.q is as far as steps contracted. A first step
  // that is known `roughly` leaves to the next what is wrong with it.
  bool converges(const nlp::Blocks& linearized, const std::vector<double>& sizes, const GapMultipliers& y,
                 std::vector<double> delta, bool roughly, int& k);

 private:
  // Whether the sweeps that a linearisation takes cost several times as much as a gradient.
  bool has_many_columns() const;
  bool is_within_bounds(const std::vector<double>& delta) const;

  const nlp::Problem& problem_;
  const nlp::Request& request_;
  Elimination& elimination_;
  const SolveOptions& options_;
  const RunContext& context_;
  int attempts_ = 0;
  SolveResult& result_;
  RunLog& log_;
};

}  // namespace salvo::solve
