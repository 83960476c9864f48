#pragma once

#include <string>
#include <vector>

#include "estimate/plan/strategy.hpp"
#include "estimate/workspace.hpp"
#include "start/start.hpp"

namespace salvo::estimate {

// How a way lays the problem on nodes, and where it begins.
struct Discretisation {
  model::Method method = model::Method::gauss_newton;
  std::string method_reason{};  // why it was chosen; empty if it was asked for
  model::Nodes nodes{};
  bool adapts_nodes = false;  // `auto`: merged once trajectories are nearly joined, cut where one fails
  model::StartValues start = model::StartValues::automatic;
  start::Improvement improvement = start::Improvement::none;
  double search_accuracy = 0;  // relative tolerance until steps are short; 0: that of the integrator
  int iterations = 200;

  friend bool operator==(const Discretisation&, const Discretisation&) = default;
};

// A way with all that was decided for it.
struct PlannedWay {
  const Way* way = nullptr;
  Discretisation discretisation{};
  double until = 1;  // what may have been spent in all when it ends, of the account ...
  double most = 1;   // ... and by it alone
  int rounds = 1;
  Tried tried = Tried::while_unsettled;

  friend bool operator==(const PlannedWay&, const PlannedWay&) = default;
};

// All that was decided before a run. Nothing decides again later; what is learnt on the way is state.
struct Plan {
  std::string situation{};  // the row of the strategy
  std::vector<PlannedWay> ways{};
  bool iterations_are_stated = false;  // by the user, who is then obeyed: one way, and no continuation
  double tolerance = 1e-8;
  bool pursues_misfit = true;  // residuals that the stated noise does not explain: others are looked for
  bool pursues_doubt = true;   // an answer that is proved may still leave doubt: then others are looked for

  friend bool operator==(const Plan&, const Plan&) = default;
};

Plan make_plan(const Workspace& workspace, const Strategy& strategy);
Discretisation discretisation_for(const Way& way, const Workspace& workspace);

// A line for every way.
std::string to_string(const Plan& plan);

}  // namespace salvo::estimate
