#pragma once

#include <optional>
#include <vector>

#include "estimate/quantities.hpp"
#include "results/fit_result.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::uncertainty {

// Puts ends that the likelihood has shown in the place of those of standard errors. A quantity with two ends is
// identifiable, whatever the linearisation says of it.
void take_intervals(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found, FitResult& result);

// The same for one estimate; `observed` is its standard error by the inverse Hessian, if there is one.
void take_interval(const QuantityInterval& found, const std::optional<double>& observed, Estimate& estimate);

// Which ends only the bound of another quantity makes: a sentence each, or nothing.
std::string about_limits(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found);

}  // namespace salvo::uncertainty
