#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "compile/compiled_model.hpp"
#include "integrate/record.hpp"
#include "model/choices.hpp"

namespace salvo::shooting {

// How many steps a trajectory may take that stops so often on its way, knots of inputs included: every stop takes one,
// which tells nothing of how hard it is.
int most_steps(std::size_t stops);

// One trajectory, as far as it goes.
struct Trajectory {
  std::vector<double> time{};  // of those asked for, the ones that were reached
  Matrix states{};             // state x time
  Matrix delayed{};            // delayed value x time
  std::vector<int> steps{};    // of the integrator, from the time before to each
  int experiment = 0;
  integrate::Ending ending{};
  std::vector<integrate::Jump> jumps{};  // discontinuities that it met

  // What observables read at time k: states, then delayed values.
  std::vector<double> observed(int k) const;
};

// Where a trajectory begins: events at the start of an experiment act, those at a later node have acted already.
struct Departure {
  double time = 0;
  int experiment = 0;
  bool is_start = true;
};

// From x through the given times (increasing, none before the departure), or until it is stopped.
Trajectory trajectory(const compile::CompiledModel& model, const model::Integrator& integrator, const Departure& from,
                      std::span<const double> x, std::span<const double> p, std::span<const double> times,
                      const StopFlag* stop = nullptr);

// Every observable at the points of a trajectory: observable x time.
Matrix observables_along(const compile::CompiledModel& model, const Trajectory& trajectory, std::span<const double> p);

}  // namespace salvo::shooting
