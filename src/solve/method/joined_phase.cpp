#include "solve/method/joined_phase.hpp"

#include "solve/elimination/row_change.hpp"
#include "solve/step/penalty_step.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

constexpr double penalty_of_closed_gaps = 1e10;  // so much that they do not open

}  // namespace

double foreseen_gain(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta) {
  std::vector<double> change;
  double gain = 0;
  const auto add_fall = [&](const nlp::Rows& rows, std::span<const double> v) {
    row_change(rows, v, theta_of(layout, delta), change);
    for (std::size_t i = 0; i < change.size(); ++i) gain -= change[i] * (rows.r[i] + 0.5 * change[i]);
  };
  add_fall(blocks.priors, {});
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = 0; j <= chain.links(); ++j) add_fall(blocks.chains[c].rows[j], block_of_step(chain, j, delta));
  }
  return gain;
}

JoinedPhase::Outcome JoinedPhase::step(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q,
                                       const nlp::Blocks& blocks, const std::vector<double>& sizes,
                                       const RunContext& context, nlp::Blocks& trial) {
  const nlp::Layout& layout = problem.layout();
  Outcome outcome;
  for (int attempt = 0; attempt < rules_.most_attempts && !context.should_stop(); ++attempt) {
    const std::vector<double> delta =
        penalty_step(layout, q, blocks, sizes, penalty_of_closed_gaps, damping_.mu()).delta;
    outcome.q = moved(layout, q, delta);
    outcome.length = largest(delta, sizes);
    if (outcome.length < rules_.shortest_step) return outcome;
    const double foreseen = foreseen_gain(layout, blocks, delta);
    const bool joined = problem.values(outcome.q, request, trial).ok && trial.infeasibility() <= widest_gap_;
    const double gain = joined && foreseen > 0 ? (blocks.objective - trial.objective) / foreseen : -1;
    damping_.learn(gain);
    outcome.accepted = damping_.accepts(gain);
    if (outcome.accepted) return outcome;
  }
  return outcome;
}

}  // namespace salvo::solve
