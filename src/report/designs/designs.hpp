#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "design/result.hpp"
#include "model/design.hpp"
#include "model/problem.hpp"

// Designs as text.
namespace salvo::report::designs {

std::string json(const model::Problem& problem, const design::Result& result);

// For a person at a terminal.
std::string summary(const model::Problem& problem, const design::Result& result, bool colour, std::size_t width = 80);

// The samples as a table of data whose values are to be filled in.
std::string csv(const design::Result& result);

// A page for the browser, with the sensitivity function over time.
std::string page(const model::Problem& problem, const design::Result& result);

// design.json, design.csv, summary.txt and report.html in `folder`, which is made if it does not exist: all at once.
void write(const model::Problem& problem, const design::Result& result, const std::string& folder);

// Points that an earlier fit has found besides its answer: what its starts reached and fits as well, or what its
// profiles went through within their intervals. Issues where the folder is not that of a fit.
std::vector<std::map<std::string, double>> draws_in(std::string_view fit_json, model::DesignOver over);
Result<std::vector<std::map<std::string, double>>> read_draws(const std::string& folder, model::DesignOver over);

}  // namespace salvo::report::designs
