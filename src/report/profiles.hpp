#pragma once

#include <string>

#include "results/fit_result.hpp"

// Profiles as text.
namespace salvo::report {

// The result of `profile`: level, and for each number its interval, verdict, sentence and points.
std::string profiles_json(const FitResult& result);

// The list of these alone.
std::string profile_list_json(const Profiles& profiles);

// Which further measurement would tell most.
std::string next_measurement_json(const NextMeasurement& next);

// For a person at a terminal.
std::string profiles_summary(const FitResult& result, bool colour);

}  // namespace salvo::report
