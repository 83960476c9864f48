#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// Where a trajectory of an autonomous model comes to rest: x* = lim x(t; x0, p), and its derivatives.
struct SteadyState {
  bool is_found = false;
  std::vector<double> x{};  // x*, or where the search ended
  int moving = 0;           // if there is none: the state that still moves most
  Matrix by_x0{};           // d x* / d x0, if it was asked for
  Matrix by_p{};            // d x* / d p, active parameters
  long evaluations = 0;     // of f
};

// The trajectory is followed by stiff steps over growing times. As soon as Newton's method contracts, on
//
//   f(x, p) = 0,   L x = L x0   with the conserved quantities L f = 0,
//
// and the trajectory goes on towards what it found, that is x*, and these equations have its derivatives. Where f_x is
// singular beyond L, and where events act, the trajectory itself is followed until it stands still, and its derivatives
// are those of its steps. A model that looks into its own past rests where its trajectory stands still for the longest
// delay, if what is near that point dies away.
SteadyState steady_state(const compile::CompiledModel& model, std::span<const double> x0, std::span<const double> p,
                         bool with_derivatives);

// "there is no steady state: x1 still moves"
std::string describe(const SteadyState& state, std::span<const std::string> state_names);

}  // namespace salvo::integrate
