#pragma once

#include <optional>

#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// A result as pictures of profiles over space see it: the coordinate stands where time does, and every time of an
// experiment at which something was measured is an experiment.
struct ProfileView {
  model::Problem problem{};
  FitResult result{};
};

// None of a problem whose observables have no places.
std::optional<ProfileView> profile_view(const model::Problem& problem, const FitResult& result);

}  // namespace salvo::report
