#pragma once

#include <string>

#include "base/result.hpp"
#include "fit/compare.hpp"

namespace salvo::report {

// What fit.json in the folder of a fit says; an Issue where there is none, or one of a program that did not yet write
// digests of the data.
Result<fit::ComparedFit> read_compared_fit(const std::string& folder);

std::string comparison_json(const fit::Comparison& comparison);
std::string comparison_summary(const fit::Comparison& comparison, bool colour, std::size_t width);
std::string comparison_page(const fit::Comparison& comparison);

}  // namespace salvo::report
