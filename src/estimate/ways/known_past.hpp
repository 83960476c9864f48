#pragma once

#include <optional>
#include <vector>

#include "estimate/workspace.hpp"

namespace salvo::estimate {

// What formulas see of the past, read from the data: smoothed curves of every state that they look at. Nothing where
// the data do not show one of them in an experiment that is measured.
std::optional<std::vector<compile::KnownPast>> past_from_data(const Workspace& workspace);

}  // namespace salvo::estimate
