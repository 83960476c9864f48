#pragma once

#include "shooting/experiment_values.hpp"

namespace salvo::shooting {

// Puts the steady state that the experiment begins in, with its derivatives, in the place of the initial values in
// `out`, except of states that the experiment sets itself. With none, `out.trouble` says which state still moves.
void begin_at_rest(const ExperimentPoint& point, bool with_derivatives, ExperimentRoom& room, ExperimentValues& out);

}  // namespace salvo::shooting
