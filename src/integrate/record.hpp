#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"
#include "integrate/delayed/path.hpp"

namespace salvo::integrate {

// How an integration ended. Numbers that do not work out are a status, never an exception.
enum class Outcome {
  reached_end,
  step_too_small,
  not_finite,
  equation_not_finite,
  too_many_steps,
  stiff,
  no_jacobian,
  not_built_in,
  sliding,          // a condition that would flip back at once
  grazing,          // a condition that is touched and not crossed
  endless_events,   // within no time
  too_many_jumps,   // than memory holds truth values of
  unsolvable,       // what an algebraic equation is divided by vanishes
  inconsistent,     // no root of the algebraic equations is found
  fold,             // two roots meet, and none follows
  algebraic,        // equations that this method does not know
  delayed,          // likewise
  no_delay,         // a delay that is not positive
  past_unknown,     // a trajectory that begins on the way and looks at what was before
  too_many_images,  // of what was not smooth, each a delay later
  stopped           // the run was told to stop
};

struct Ending {
  Outcome outcome = Outcome::reached_end;
  double time = 0;          // where it failed
  int state = 0;            // the state that failed first or worst
  std::string condition{};  // that could not be followed
  bool ok() const { return outcome == Outcome::reached_end; }
};

// "x1 reaches a singularity or discontinuity at t = 3.306"
std::string describe(const Ending& ending, std::span<const std::string> state_names);

// What W trajectories start from. Arrays are lane-last; lanes from `lanes` on are padding whose numbers exist but do
// not count.
inline constexpr int default_max_steps = 100'000;  // attempted, on one interval

template <int W>
struct Launch {
  int lanes = W;
  int max_steps = default_max_steps;
  std::array<double, W> begin{};
  // Increasing; the last one is the end and lies after `begin`. A stop at `begin` sees what events there have done.
  std::array<std::span<const double>, W> stops{};
  const double* x0 = nullptr;  // states packs
  const double* p = nullptr;   // parameters packs
  // For what happens at discontinuities alone.
  std::array<int, W> experiment{};
  std::array<bool, W> is_start = [] {  // of the experiment: events at `begin` act
    std::array<bool, W> all{};
    all.fill(true);
    return all;
  }();
  const StopFlag* stop = nullptr;  // null: nobody stops the run

  bool is_stopped() const { return is_raised(stop); }
  std::array<double, W> ends() const {
    std::array<double, W> out = begin;
    for (int l = 0; l < W; ++l)
      if (!stops[l].empty()) out[l] = stops[l].back();
    return out;
  }
};

// Truth values and numbers of the pieces of inputs: what stands still within a step. Jumps that leave it as it was
// share it.
using FrozenNumbers = std::shared_ptr<const std::vector<double>>;

// Where a trajectory meets a discontinuity: a switching function z vanishes, what stands still within a step changes
// (truth values, pieces of inputs), an event may act. Algebraic variables follow at once.
struct Jump {
  int slot = 0;       // how many slots lead to it
  int step = -1;      // slot of the step that ends in it; -1: no time has passed since the begin or the jump before
  int next = -1;      // slot of the step that begins in it; -1: no time passes until a stop or the next jump
  int function = -1;  // the switching function; -1: it follows at once from the jump before
  int event = -1;     // that acts; -1: none
  double time = 0;
  std::vector<double> before{};  // the state
  std::vector<double> after{};
  FrozenNumbers frozen_before{};
  FrozenNumbers frozen{};  // after it
  bool is_begin = false;   // nothing jumps: algebraic variables are solved for where the trajectory begins
};

// The last jump before the step in this slot; null if there is none.
inline const Jump* last_jump_before(const std::vector<Jump>& jumps, int slot) {
  const auto after =
      std::upper_bound(jumps.begin(), jumps.end(), slot, [](int of, const Jump& jump) { return of < jump.slot; });
  return after == jumps.begin() ? nullptr : &*(after - 1);
}

// The truth values and pieces of inputs that this step went by.
inline std::span<const double> frozen_in_slot(const std::vector<Jump>& jumps, std::span<const double> at_begin,
                                              int slot) {
  const Jump* jump = last_jump_before(jumps, slot);
  return jump == nullptr ? at_begin : std::span<const double>(*jump->frozen);
}

// The accepted steps of W trajectories, slot by slot: a sweep from slot 0 up (or from the last slot down) visits each
// lane's steps in order. Lanes of explicit methods step together, and where one takes no step, h is zero; slot n of a
// linearly implicit one is each lane's own n-th step.
template <int W>
struct Record {
  int states = 0;
  int stages = 0;
  int slots = 0;
  std::array<int, W> steps{};
  std::array<Ending, W> ending{};
  std::array<std::vector<int>, W> stop_slot{};  // how many slots lead to each stop
  std::array<std::vector<double>, W> x_stop{};  // the state at each stop, state by state, and delayed values
  std::array<std::vector<Jump>, W> jumps{};     // in the order of time
  std::array<std::vector<double>, W> frozen{};  // where the lane begins
  std::array<DelayedPath, W> delayed{};         // of equations that look into the past, in place of what follows
  std::vector<double> t{};                      // [slot][lane]
  std::vector<double> h{};                      // [slot][lane]
  std::vector<double> x{};      // [slot][state][lane], at the begin of the step; explicit methods have it as a stage
  std::vector<double> stage{};  // [slot][stage][state][lane]
  std::vector<double> kept{};   // [slot][stage][number][lane]: what f kept for its pullback
  bool keeps_steps = true;      // false: only the stops are of interest, and no sweep will ask how they were reached
  bool stages_kept = true;      // false: too many to keep, sweeps compute them again
  std::size_t stage_budget = std::size_t{256} << 20U;  // bytes
  // Linearly implicit steps keep x of every so many slots alone where more would exceed the budget; sweeps take the
  // steps between two of them again.
  int x_every = 1;
  std::size_t x_budget = std::size_t{1} << 30U;  // bytes
  // Of what stood still before and after the jumps of one lane. Beyond it the lane fails.
  std::size_t frozen_budget = std::size_t{1} << 30U;  // bytes
  long rhs = 0;                                       // evaluations, counted per lane

  // Nothing has been recorded yet; what was allocated stays.
  void begin(int of_states, int of_stages) {
    states = of_states;
    stages = of_stages;
    stages_kept = true;
    x_every = 1;
    rhs = 0;
    slots = 0;
    steps.fill(0);
    ending.fill({});
    for (int l = 0; l < W; ++l) {
      stop_slot[l].clear();
      x_stop[l].clear();
      jumps[l].clear();
    }
  }
};

// The steps of one lane; the numbers of a state stand `lanes` apart.
struct RecordedLane {
  int lanes = 1;
  int states = 0;
  int stages = 0;
  int steps = 0;
  int x_every = 1;
  bool stages_kept = true;
  std::span<const int> stop_slot{};
  std::span<const double> frozen{};  // where it begins
  const std::vector<Jump>* jumps = nullptr;
  const double *t = nullptr, *h = nullptr, *x = nullptr, *stage = nullptr;

  double time(int slot) const { return t[static_cast<std::size_t>(slot) * lanes]; }
  double length(int slot) const { return h[static_cast<std::size_t>(slot) * lanes]; }
  // x where a step begins, of those slots that have it.
  const double* begin(int slot) const { return x + static_cast<std::size_t>(slot / x_every) * states * lanes; }
  const double* of_stage(int slot, int i) const {
    return stage + (static_cast<std::size_t>(slot) * stages + i) * states * lanes;
  }
};

// This is a step of a linearly implicit method.
template <int W>
RecordedLane recorded_lane(const Record<W>& record, int l) {
  return {.lanes = W,
          .states = record.states,
          .stages = record.stages,
          .steps = record.steps[l],
          .x_every = record.x_every,
          .stages_kept = record.stages_kept,
          .stop_slot = record.stop_slot[l],
          .frozen = record.frozen[l],
          .jumps = &record.jumps[l],
          .t = record.t.data() + l,
          .h = record.h.data() + l,
          .x = record.x.data() + l,
          .stage = record.stage.data() + l};
}

// No lane takes a step.
template <int W>
void refuse(Record<W>& record, Outcome outcome) {
  record.begin(record.states, record.stages);
  record.ending.fill({.outcome = outcome});
}

}  // namespace salvo::integrate
