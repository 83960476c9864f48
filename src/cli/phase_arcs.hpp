#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "report/figure/fit_folder.hpp"

namespace salvo::cli {

// Two columns of the folder's trajectories.csv, states or observables, one against the other. An Issue names what is
// not there.
Result<std::vector<report::figure::Fit::PhaseArc>> read_phase_arcs(const std::string& folder,
                                                                   const std::vector<std::string>& experiments,
                                                                   const std::pair<std::string, std::string>& names);

}  // namespace salvo::cli
