#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fit/profile.hpp"

// The record of profiles that are under way, from which a run that was stopped goes on: a line for each finished side,
// with the digest of what follows it, the digest of the run it belongs to, and the optimum it begins at.
namespace salvo::report {

struct KeptSides {
  std::vector<double> optimum{};
  std::vector<fit::FinishedSide> sides{};
  std::string lines{};    // theirs, as they stand in the record
  int of_other_runs = 0;  // another problem, other options
  int damaged = 0;
};

std::string side_line(const std::string& run, const fit::FinishedSide& side, const std::vector<double>& optimum);

// The sides of this run, from the optimum that the last of them began at. What anybody may have written there is looked
// at before it is believed.
KeptSides read_sides(std::string_view text, const std::string& run);

}  // namespace salvo::report
