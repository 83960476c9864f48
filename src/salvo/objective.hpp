#pragma once

// A problem compiled once, as a function that any optimiser or sampler can call: salvo::Objective.
#include "fit/objective.hpp"

namespace salvo {
using fit::Objective;
using fit::ObjectiveOptions;
}  // namespace salvo
