#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "compile/compiled_model.hpp"
#include "integrate/record.hpp"
#include "model/choices.hpp"

namespace salvo::shooting {

// One trajectory, as far as it goes.
struct Trajectory {
  std::vector<double> time{};  // of those asked for, the ones that were reached
  Matrix states{};             // state x time
  integrate::Ending ending{};
};

// From x at `begin` through the given times (increasing, not before `begin`), or until it is stopped.
Trajectory trajectory(const compile::CompiledModel& model, const model::Integrator& integrator, double begin,
                      std::span<const double> x, std::span<const double> p, std::span<const double> times,
                      const StopFlag* stop = nullptr);

// Every observable at the points of a trajectory: observable x time.
Matrix observables_along(const compile::CompiledModel& model, const Trajectory& trajectory, std::span<const double> p);

}  // namespace salvo::shooting
