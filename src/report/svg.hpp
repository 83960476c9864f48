#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// A picture of the shooting: one panel per observable with the data, their error bars, and the trajectory of every
// interval from its node on. It is a whole SVG file that needs nothing else.
std::string shooting_svg(const model::Problem& problem, const FitResult& result, const std::vector<Arc>& arcs,
                         std::string_view heading);

}  // namespace salvo::report
