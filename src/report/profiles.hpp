#pragma once

#include <string>
#include <vector>

#include "fit/profile.hpp"
#include "results/fit_result.hpp"

// Profiles as text, and the record of a run that can be taken up again.
namespace salvo::report {

// The result of `profile`: level, and for each number its interval, verdict, sentence and points.
std::string profiles_json(const FitResult& result);

// The list of these alone.
std::string profile_list_json(const Profiles& profiles);

// Which further measurement would tell most.
std::string next_measurement_json(const NextMeasurement& next);

// For a person at a terminal.
std::string profiles_summary(const FitResult& result, bool colour);

// One finished side as a line of text, and the sides in such lines; a line that was torn off is left out.
struct KeptSides {
  std::vector<double> optimum{};
  std::vector<fit::FinishedSide> sides{};
};
std::string side_line(const fit::FinishedSide& side, const std::vector<double>& optimum);
KeptSides read_sides(const std::string& text);

}  // namespace salvo::report
