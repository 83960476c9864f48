#pragma once

#include <string>
#include <string_view>

#include "base/issue.hpp"
#include "formats/issue_log.hpp"

namespace salvo::formats::yaml {

// What the scanner's terse complaint means for the person who wrote the line.
Issue explain_syntax_error(std::string_view file_text, Place place, const std::string& complaint);

}  // namespace salvo::formats::yaml
