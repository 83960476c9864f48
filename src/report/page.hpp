#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace salvo::report {

// report.html: one file that needs nothing else. Names from the user's files stay data: both texts are JSON inside a
// script element that is never run, with every '<' written \u003c.
std::string page_html(std::string_view fit_json, std::string_view pictures_json);

// The page of a folder that a fit has written, made anew from its fit.json and pictures.json.
Result<std::string> page_of_folder(const std::string& folder);

}  // namespace salvo::report
