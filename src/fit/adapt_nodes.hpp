#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shooting/nodes.hpp"
#include "shooting/start.hpp"

namespace salvo::fit {

// A start on nodes that the flow itself has chosen.
struct AdaptedStart {
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  shooting::Start start{};
  nlp::Blocks at_start{};      // with derivatives; empty if it was not evaluated on these nodes
  shooting::WorkCount work{};  // spent on grids that were left
  std::string reason{};        // "5 nodes at 41 measured times: ..."
};

// Whether fewer nodes are worth the change: what is measured inside longer intervals may cost more than the nodes that
// are saved, and intervals that share a pack cost less than one that has it for itself. Where iterations are cheap, so
// is the change.
bool is_worth_merging(const shooting::ShootingProblem& problem, const std::vector<shooting::Grid>& fewer);
// Intervals of each experiment, so that no lane stays empty.
int enough_for_all_lanes(const shooting::ShootingProblem& problem);
// Whether any merging could be.
bool may_merge(const shooting::ShootingProblem& problem);

// Starts on the measured times, cuts intervals that fail or stretch, and merges those that are tame.
AdaptedStart adapted_start(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> compiled,
                           const shooting::ShootingOptions& options, model::StartValues choice,
                           shooting::Improvement improvement);

}  // namespace salvo::fit
