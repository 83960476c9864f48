#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"

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
  stopped  // the run was told to stop
};

struct Ending {
  Outcome outcome = Outcome::reached_end;
  double time = 0;  // where it failed
  int state = 0;    // the state that failed first or worst
  bool ok() const { return outcome == Outcome::reached_end; }
};

// "x1 runs into a pole near t = 3.306"
std::string describe(const Ending& ending, std::span<const std::string> state_names);

// What W trajectories start from. Arrays are lane-last; lanes from `lanes` on are padding whose numbers exist but do
// not count.
inline constexpr int default_max_steps = 100'000;  // attempted, on one interval

template <int W>
struct Launch {
  int lanes = W;
  int max_steps = default_max_steps;
  std::array<double, W> begin{};
  std::array<std::span<const double>, W> stops{};  // increasing, all after `begin`; the last one is the end
  const double* x0 = nullptr;                      // states packs
  const double* p = nullptr;                       // parameters packs
  const StopFlag* stop = nullptr;                  // null: nobody stops the run

  bool is_stopped() const { return is_raised(stop); }
};

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
  std::array<std::vector<double>, W> x_stop{};  // the state at each stop, state by state
  std::vector<double> t{};                      // [slot][lane]
  std::vector<double> h{};                      // [slot][lane]
  std::vector<double> x{};      // [slot][state][lane], at the begin of the step; explicit methods have it as a stage
  std::vector<double> stage{};  // [slot][stage][state][lane]
  std::vector<double> kept{};   // [slot][stage][number][lane]: what f kept for its pullback
  bool stages_kept = true;      // false: too many to keep, sweeps compute them again
  std::size_t stage_budget = std::size_t{256} << 20U;  // bytes
  // Linearly implicit steps keep x of every so many slots alone where more would exceed the budget; sweeps take the
  // steps between two of them again.
  int x_every = 1;
  std::size_t x_budget = std::size_t{1} << 30U;  // bytes
  long rhs = 0;                                  // evaluations, counted per lane

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
  const double *t = nullptr, *h = nullptr, *x = nullptr, *stage = nullptr;

  double time(int slot) const { return t[static_cast<std::size_t>(slot) * lanes]; }
  double length(int slot) const { return h[static_cast<std::size_t>(slot) * lanes]; }
  // x where a step begins, of those slots that have it.
  const double* begin(int slot) const { return x + static_cast<std::size_t>(slot / x_every) * states * lanes; }
  const double* of_stage(int slot, int i) const {
    return stage + (static_cast<std::size_t>(slot) * stages + i) * states * lanes;
  }
};

// Of a linearly implicit method.
template <int W>
RecordedLane recorded_lane(const Record<W>& record, int l) {
  return {.lanes = W,
          .states = record.states,
          .stages = record.stages,
          .steps = record.steps[l],
          .x_every = record.x_every,
          .stages_kept = record.stages_kept,
          .stop_slot = record.stop_slot[l],
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
