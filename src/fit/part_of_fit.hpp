#pragma once

#include "base/helpers.hpp"
#include "base/run_context.hpp"
#include "fit/fit.hpp"

namespace salvo::fit {

// Computes parts of the long evaluations of a fit that runs in another process, which has this problem and these
// options. Problem and context must outlive what is returned.
AnswerForPart part_of_fit(const model::Problem& problem, const Options& options, const RunContext& context);

}  // namespace salvo::fit
