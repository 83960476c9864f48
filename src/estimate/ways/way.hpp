#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/run_context.hpp"
#include "estimate/answer/answer.hpp"
#include "estimate/plan/plan.hpp"
#include "estimate/workspace.hpp"

namespace salvo::estimate {

// An answer, and the problem on the nodes on which it stands.
struct Found {
  Answer answer{};
  std::unique_ptr<shooting::ShootingProblem> shooting{};
};

// Whoever keeps a way on its way, so that it can be gone on with.
struct WayKeeper {
  std::function<void()> at_step{};  // what is kept after this is how things are now
  std::function<bool()> is_due{};
  std::function<void(const Answer&)> keep{};  // an answer that was stopped here (Answer::stopped)
  std::function<void()> restored{};           // what a way goes on from has been evaluated again
};

// What a way is given.
struct WayTask {
  const Workspace& workspace;
  const PlannedWay& planned;
  Random& random;
  const RunContext& context;     // whose share is what may have been spent when the way ends
  Share look{};                  // while this lasts, it may begin with something new
  const Answer* best = nullptr;  // so far, if there is any
  // This is what an earlier run of the way came to that was told to stop (Answer::stopped). A way that cannot begins
  // again, which leads to the same answer.
  const Answer* stopped = nullptr;
  const WayKeeper* keeper = nullptr;  // null: nobody keeps it
};

// One way to an answer. Whoever adds one writes a file with its `run`, and a row of the strategy (plan/strategy.hpp)
// that names it.
struct Way {
  std::string_view name{};
  std::string_view says{};   // what it does, in a few words: "multiple shooting"
  bool is_unbroken = false;  // it follows one trajectory for each experiment
  std::vector<Found> (*run)(const WayTask& task) = nullptr;
};

extern const Way nodes;          // several nodes, laid on the data
extern const Way trajectory;     // one unbroken trajectory from the guess, whose objective only falls
extern const Way known_past;     // nodes with earlier values from smoothed data, then one unbroken trajectory
extern const Way search;         // further points are drawn, and the best of them followed
extern const Way population;     // points evolve while the data are let in from early to late
extern const Way other_weights;  // of a network
extern const Way way_back;       // from a flat place far out towards the guess
extern const Way mirror;         // of the answer: quantities exchanged, signs turned

}  // namespace salvo::estimate
