#pragma once

#include <string>
#include <string_view>

#include "base/issue.hpp"

namespace salvo::report::figure {

enum class Format { svg, pdf, png };
std::string_view to_string(Format format);

// Writes the figure into the file, all at once. PDF and PNG (300 pixels per inch) are made by rsvg-convert, which
// embeds the fonts that it draws with; where that is missing, an Issue says what to install. Throws std::runtime_error
// if the disk refuses.
Issues write_figure(const std::string& svg, Format format, const std::string& file);

}  // namespace salvo::report::figure
