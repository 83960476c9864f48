#pragma once

#include <string>
#include <vector>

#include "design/result.hpp"

namespace salvo::report::designs {

// The sensitivity function over time as SVG, in the colours of the page: one panel for each entry of `measure` and each
// experiment in which something is chosen. It touches its level where samples are.
std::string sensitivity_svg(const design::Result& result, const std::string& time_name);

}  // namespace salvo::report::designs
