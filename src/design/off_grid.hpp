#pragma once

#include <functional>

#include "design/exact.hpp"
#include "design/survey.hpp"

namespace salvo::design {

// Fills in where the samples of an exact design go if times need not be candidates, and levels of factors with a range
// not those of the grid; nothing where that cannot be computed.
void add_refined(const Survey& survey, const Exact& exact, const std::function<bool()>& should_stop, Result& result);

}  // namespace salvo::design
