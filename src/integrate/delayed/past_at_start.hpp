#pragma once

#include <functional>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// What a trajectory sees of the past where it begins at x0: its histories, and how fast they change; nothing for a
// model that does not look back. Parameters and states stand side by side, and must outlive it.
std::function<void(double t, double* values, double* speeds)> past_at_start(const compile::CompiledModel& model,
                                                                            const double* p, const double* x0,
                                                                            int experiment);

}  // namespace salvo::integrate
