#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// normal(0, 1), gamma(2, 0.5), exponential(3), ..., or {normal: [0, 1], on: scale, within: bounds}; `what`: "the prior
// of p1". Bounds and scale of `estimated` are known; its bounds end where a law does.
std::optional<model::Prior> read_prior(Draft& draft, const yaml::Node& node, const std::string& what,
                                       model::Estimated& estimated);

// Where starts are drawn from, written in the same way.
std::optional<model::StartLaw> read_start_law(Draft& draft, const yaml::Node& node, const std::string& what);

}  // namespace salvo::formats
