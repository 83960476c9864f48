#include "solve/method/lagrangian_workspace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

// Calls use(chain, link, i, y) for every gap.
template <class Use>
void each_gap(const nlp::Layout& layout, const GapMultipliers& multipliers, const Use& use) {
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    std::size_t next = 0;
    for (int j = 0; j < layout.chains[c].links(); ++j)
      for (int i = 0; i < layout.chains[c].size[j + 1]; ++i) use(c, j, i, multipliers[c][next++]);
  }
}

}  // namespace

nlp::Evaluation LagrangianWorkspace::restore(const State& state) {
  if (state.linearised.at.empty()) return {};
  sizes = problem.sizes(state.point);
  return last_ = problem.linearize_nodes(state.linearised.at, state.linearised.request, blocks, by_theta_);
}

void LagrangianWorkspace::begin(State& state) {
  state.multipliers.clear();
  for (const nlp::Layout::Chain& chain : layout.chains) {
    std::size_t count = 0;
    for (int j = 0; j < chain.links(); ++j) count += static_cast<std::size_t>(chain.size[j + 1]);
    state.multipliers.emplace_back(count, 0.0);
  }
  sizes = problem.sizes(state.point);
}

Trial LagrangianWorkspace::evaluate(const State& state, const Proposal& proposal) {
  Trial trial{.point = proposal.delta.empty() ? state.point : moved(layout, state.point, proposal.delta)};
  if (proposal.asks == Asks::derivatives) {
    differentiate(state, trial, {});
    return trial;
  }
  trial.evaluation = last_ = problem.values(trial.point, state.request, trial_blocks_);
  if (!last_.ok) return trial;
  const double before = lagrange_function(blocks, state);
  trial.decrease = before - lagrange_function(trial_blocks_, state);
  correct_nodes(state, before, trial);
  return trial;
}

void LagrangianWorkspace::correct_nodes(const State& state, double before, Trial& trial) {
  shift(trial_blocks_, state);
  nlp::Point corrected = moved(layout, trial.point, node_correction(penalised(state), trial_blocks_));
  nlp::Blocks at_corrected;
  if (!problem.values(corrected, state.request, at_corrected).ok) return;
  const double decrease = before - lagrange_function(at_corrected, state);
  if (!(decrease > trial.decrease)) return;
  trial.point = std::move(corrected);
  trial.decrease = decrease;
}

Verdict LagrangianWorkspace::differentiate(const State& state, Trial& trial, Verdict verdict) {
  trial.evaluation = last_ = problem.linearize_nodes(trial.point, state.request, trial_blocks_, trial_by_theta_);
  trial.has_derivatives = trial.teaches = last_.ok;
  if (!last_.ok) return {.ending = Ending{Ended::not_computable}};
  trial.objective = trial_blocks_.objective;
  trial.gap = trial_blocks_.gap;
  trial.violation = trial_blocks_.violation;
  return verdict;
}

void LagrangianWorkspace::keep_derivatives() {
  std::swap(blocks, trial_blocks_);
  std::swap(by_theta_, trial_by_theta_);
  shifted_.reset();
}

void LagrangianWorkspace::describe_end(const Ending& ending, SolveResult& result) {
  if (ending.ended == Ended::no_step || ending.ended == Ended::not_computable) result.trouble = last_.trouble;
}

double LagrangianWorkspace::lagrange_function(const nlp::Blocks& at, const State& state) const {
  double sum = at.objective;
  each_gap(layout, state.multipliers, [&](std::size_t c, int j, int i, double y) {
    const double gap = at.chains[c].links[j].gap[i];
    const double relative = gap / sizes[layout.chains[c].offset[j + 1] + i];
    sum += y * gap + 0.5 * state.penalty * relative * relative;
  });
  return sum;
}

void LagrangianWorkspace::shift(nlp::Blocks& at, const State& state) const {
  each_gap(layout, state.multipliers, [&](std::size_t c, int j, int i, double y) {
    const double size = sizes[layout.chains[c].offset[j + 1] + i];
    at.chains[c].links[j].gap[i] += size * size * y / state.penalty;
  });
}

PenalisedGaps LagrangianWorkspace::penalised(const State& state) {
  if (!shifted_) {
    shifted_ = blocks;
    shift(*shifted_, state);
  }
  return {layout, *shifted_, *by_theta_, sizes, state.penalty, state.damping};
}

double LagrangianWorkspace::half_squares_before(const State& state) {
  return half_squares(layout, penalised(state).blocks, sizes, state.penalty);
}

void LagrangianWorkspace::update_multipliers(State& state) const {
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    std::size_t next = 0;
    for (int j = 0; j < layout.chains[c].links(); ++j)
      for (int i = 0; i < layout.chains[c].size[j + 1]; ++i) {
        const double size = sizes[layout.chains[c].offset[j + 1] + i];
        state.multipliers[c][next++] += state.penalty * blocks.chains[c].links[j].gap[i] / (size * size);
      }
  }
}

}  // namespace salvo::solve
