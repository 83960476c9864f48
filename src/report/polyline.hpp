#pragma once

#include <string>
#include <utility>
#include <vector>

namespace salvo::report {

// The path data of a line through pixels (x, y). It breaks where a point cannot be drawn and where it leaves the band
// between `top` and `bottom`, on whose edges it is cut exactly: viewers choke on coordinates like 1e30.
std::string polyline_path(const std::vector<std::pair<double, double>>& points, double top, double bottom);

}  // namespace salvo::report
