#pragma once

#include "model/problem.hpp"

namespace salvo::model {

// A time after which nothing happens, and whose products are still numbers.
inline constexpr double for_ever = 1e100;

// Does any experiment come to rest before its start?
bool has_rest(const Problem& problem);

// This is the problem as it is before the start of each experiment that comes to rest: under the overrides of its
// equilibration, without events and observables, with the time standing still at its start. Of a PEtab problem, those
// events that wait for a condition act, while the time passes from 0 on. Before that, states had their initial values.
Problem resting_problem(const Problem& problem);

}  // namespace salvo::model
