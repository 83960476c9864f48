#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// normal(0, 1), laplace(0, 1), or {normal: [0, 1], on: scale}; `what`: "the prior of p1".
std::optional<model::Prior> read_prior(Draft& draft, const yaml::Node& node, const std::string& what);

}  // namespace salvo::formats
