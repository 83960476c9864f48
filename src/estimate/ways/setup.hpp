#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "estimate/answer/answer.hpp"
#include "estimate/plan/plan.hpp"
#include "estimate/workspace.hpp"
#include "shooting/watched_problem.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

struct WayKeeper;

// The problem of one way on its nodes, with its start.
struct Setup {
  const Workspace* workspace = nullptr;
  Discretisation laid{};
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  nlp::Point start{};
  nlp::Blocks at_start{};      // with derivatives, if they are known already
  std::string start_choice{};  // in words; empty for a start that was asked for
  std::string nodes_reason{};
  std::vector<std::string> remarks{};                     // what was found out about the start
  Place beginning{};                                      // the start on its nodes, which a run may leave
  std::vector<std::vector<shooting::Grid>> grids_seen{};  // by runs of the solver; its film counts them
  std::optional<StoppedRun> stopped{};                    // if the run was told to stop and can be gone on with
  solve::SolveOptions solve{};
  shooting::LastValues last_values{};  // that the solver has seen
  const WayKeeper* keeper = nullptr;   // of the way that is run, if it can be kept

  const model::Problem& problem() const { return workspace->problem(); }
  const Rules& rules() const { return workspace->rules(); }
};

// Whether the law of a noise or a prior has one, which the solver rounds off.
bool has_corner(const model::Problem& problem);

// As the caller wants any solver of this fit to run.
solve::SolveOptions solve_options(const Workspace& workspace);

Setup make_setup(const Workspace& workspace, const Discretisation& laid);
// On the nodes that the file or the options ask for.
Setup make_setup(const Workspace& workspace);

// On the nodes of another one and with its start, for a second run.
Setup on_same_nodes(const Setup& setup);

// What was decided, in words.
struct Choices {
  model::Method method = model::Method::automatic;
  model::Derivatives derivatives = model::Derivatives::automatic;
  std::string integrator{};
  int nodes = 0;  // over all experiments, first and last included
};
Choices choices_of(const Setup& setup);

}  // namespace salvo::estimate
