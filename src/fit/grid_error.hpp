#pragma once

#include <optional>

#include "base/run_context.hpp"
#include "estimate/options.hpp"
#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::fit {

// What dividing space into cells does to the estimates of a result, from a second solution on half as many cells
// (docs/mathematics.md, section 26). None where there are no fields, or so few cells that half of them say nothing.
std::optional<GridError> grid_error(const model::Problem& problem, const estimate::Options& options,
                                    const FitResult& result, const RunContext& context = {});

// The same of the predictions alone, at the guess.
std::optional<GridError> grid_error_at_guess(const model::Problem& problem, const estimate::Options& options,
                                             const RunContext& context = {});

}  // namespace salvo::fit
