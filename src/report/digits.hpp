#pragma once

#include <optional>
#include <string>

namespace salvo::report {

// A number for people: as many digits as its standard error leaves sense in (two of the error's own), or six
// significant ones where there is no error. Never longer than twelve characters.
std::string rounded(double value, const std::optional<double>& standard_error = std::nullopt);

}  // namespace salvo::report
