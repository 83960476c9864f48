#pragma once

#include "base/run_context.hpp"
#include "estimate/options.hpp"
#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::fit {

using estimate::GuessFrom;
using estimate::Options;

// Estimates everything that the problem leaves open, and says how sure that is.
FitResult fit(const model::Problem& problem, const Options& options, const RunContext& context);

}  // namespace salvo::fit
