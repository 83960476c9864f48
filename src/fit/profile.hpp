#pragma once

#include "base/issue.hpp"
#include "fit/fit.hpp"
#include "uncertainty/profiles/options.hpp"

namespace salvo::fit {

using uncertainty::PredictionWanted;
using uncertainty::ProfileOptions;

// A fit whose result holds the profile likelihoods of its answer too, if it converged. Where following them leads to a
// better answer, that one is told, with its own.
FitResult profile(const model::Problem& problem, const Options& options, const uncertainty::ProfileOptions& profiles,
                  const RunContext& context);

// Issues for names and times that the problem does not have.
Issues check_profiles(const model::Problem& problem, const ProfileOptions& options);

}  // namespace salvo::fit
