#pragma once

#include <chrono>

#include "estimate/estimate.hpp"
#include "results/fit_result.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::fit {

// Time for errors, curves and bands once a run had to stop: a second in all, with reading the clock and writing files.
inline constexpr std::chrono::milliseconds for_description{500};

// Everything that is told of what an estimate has come to. The run that found it began at `begin`.
FitResult describe(estimate::Estimation estimation, std::chrono::steady_clock::time_point begin,
                   const uncertainty::IntervalsOutcome& intervals = {});

}  // namespace salvo::fit
