#include "solve/method/penalty_phase.hpp"

#include "nlp/constraints.hpp"
#include "solve/step/penalty_step.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {

PenaltyPhase::Outcome PenaltyPhase::step(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q,
                                         const nlp::Blocks& blocks, const std::vector<double>& sizes,
                                         const RunContext& context, nlp::Blocks& trial) {
  const nlp::Layout& layout = problem.layout();
  const std::vector<double> constraint_sizes = nlp::constraint_sizes(layout, blocks, sizes);
  const double before = penalty_objective(layout, blocks, sizes, constraint_sizes, rho_);
  Outcome outcome;
  for (int attempt = 0; attempt < rules_.damping.most_attempts && !context.should_stop(); ++attempt) {
    const PenaltyStep charged = penalty_step(layout, q, blocks, sizes, rho_, damping_.mu());
    outcome.q = moved(layout, q, charged.delta);
    outcome.length = largest(charged.delta, sizes);
    outcome.obstacle = problem.values(outcome.q, request, trial);
    const double decrease =
        outcome.obstacle.ok ? before - penalty_objective(layout, trial, sizes, constraint_sizes, rho_) : -1;
    const double gain = decrease / charged.predicted;
    damping_.learn(gain);
    outcome.accepted = damping_.accepts(gain);
    if (outcome.accepted && decrease < rules_.penalty.little_progress * sum_of_squares(layout, blocks, sizes, rho_))
      rho_ *= rules_.penalty.growth;
    if (outcome.accepted || outcome.length < rules_.damping.shortest_step) return outcome;
  }
  return outcome;
}

}  // namespace salvo::solve
