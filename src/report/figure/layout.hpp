#pragma once

#include <string>

#include "report/figure/fit_folder.hpp"
#include "report/figure/options.hpp"

namespace salvo::report::figure {

// The height, in mm, below which the panels would have no room for their axes.
double least_height(const Fit& fit, const Options& options);

// The figure as one SVG file of the size that the options state, with the fitted curves, their bands and the data.
std::string svg_of(const Fit& fit, const Options& options);

}  // namespace salvo::report::figure
