#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shooting/nodes.hpp"
#include "start/start.hpp"

namespace salvo::estimate {

// A start on nodes that the flow itself has chosen.
struct AdaptedStart {
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  start::Start start{};
  nlp::Blocks at_start{};  // with derivatives; empty if it was not evaluated on these nodes
  bool is_stiff = false;   // explicit steps have been seen not to serve
  std::string reason{};    // "5 nodes at 41 measured times: ..."
};

// Intervals of each experiment, so that no lane stays empty.
int enough_for_all_lanes(const shooting::ShootingProblem& problem);
// Whether merging could leave fewer than there are, down to `least` of each experiment, and be worth the change.
bool may_merge(const shooting::ShootingProblem& problem, int least, double accuracy);
// The same problem with intervals merged where the flow is tame; null where that is not worth the change. What is
// measured inside longer intervals may cost more than the nodes that are saved, and intervals that share a pack cost
// less than one that has it for itself. Where iterations are cheap, so is the change.
std::unique_ptr<shooting::ShootingProblem> on_fewer_nodes(const shooting::ShootingProblem& problem, const nlp::Point& q,
                                                          const nlp::Blocks& blocks, int least, double accuracy);

// With trajectories of this accuracy (0: the integrator's), starts on the measured times, cuts intervals that fail or
// stretch, and merges those that are tame.
AdaptedStart adapted_start(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> compiled,
                           const shooting::ShootingOptions& options, model::StartValues choice,
                           start::Improvement improvement, double accuracy);

}  // namespace salvo::estimate
