#include "solve/methods/joined_phase.hpp"

#include <algorithm>

#include "solve/row_change.hpp"
#include "solve/steps/penalty_step.hpp"
#include "solve/steps/steps.hpp"

namespace salvo::solve {
namespace {

constexpr double price_of_gaps = 1e10;
constexpr double least_damping = 1e-8;
constexpr double shortest_step = 1e-10;
constexpr int most_joined_attempts = 30;

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
                                       nlp::Blocks& trial) {
  const nlp::Layout& layout = problem.layout();
  Outcome outcome;
  for (int attempt = 0; attempt < most_joined_attempts; ++attempt) {
    const std::vector<double> delta = penalty_step(layout, q, blocks, sizes, price_of_gaps, mu_).delta;
    outcome.q = moved(layout, q, delta);
    outcome.length = largest(delta, sizes);
    if (outcome.length < shortest_step) return outcome;
    const double foreseen = foreseen_gain(layout, blocks, delta);
    const bool joined = problem.values(outcome.q, request, trial).ok && trial.infeasibility() <= widest_gap_;
    const double gain = joined && foreseen > 0 ? (blocks.objective - trial.objective) / foreseen : -1;
    if (gain > 0.75) mu_ = std::max(0.2 * mu_, least_damping);
    if (!(gain > 0.25)) mu_ *= 4;
    outcome.accepted = gain > 1e-3;
    if (outcome.accepted) return outcome;
  }
  return outcome;
}

}  // namespace salvo::solve
