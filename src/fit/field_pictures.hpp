#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "estimate/options.hpp"
#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::fit {

// What pictures show of the fields of a result: profiles with bands, the way to them, and maps of space and time. None
// where nothing was measured at places on a line, and where the trajectories fail.
std::vector<FieldPicture> field_pictures(const model::Problem& problem, const estimate::Options& options,
                                         const FitResult& result, const RunContext& context = {});

}  // namespace salvo::fit
