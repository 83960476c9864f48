#pragma once

#include <memory>
#include <string>
#include <vector>

#include "estimate/plan/plan.hpp"
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

// Whether fewer nodes would be worth a change to them, for trajectories of this accuracy. What is measured inside
// longer intervals may cost more than the nodes that are saved, and intervals that share a pack cost less than one that
// has it for itself. Where iterations are cheap, so is the change.
class Merger {
 public:
  Merger(const shooting::ShootingProblem& problem, double accuracy, const Rules& rules);

  // Whether it could leave fewer than there are, down to `least` of each experiment.
  bool may_merge(int least) const;
  // The problem with intervals merged where the flow is tame; null where that is not worth the change.
  std::unique_ptr<shooting::ShootingProblem> merged(const nlp::Point& q, const nlp::Blocks& blocks, int least) const;

 private:
  bool is_cheap() const;
  bool is_worth_the_change(const shooting::ShootingProblem& merged) const;

  const shooting::ShootingProblem& problem_;
  const Rules& rules_;
  double stages_;  // to come, of all trajectories together, at full precision
};

// With trajectories of the accuracy of a search, starts on the measured times, cuts intervals that fail or stretch, and
// merges those that are tame.
AdaptedStart adapted_start(const Workspace& workspace, const Discretisation& laid);

}  // namespace salvo::estimate
