#pragma once

#include <string_view>

namespace salvo::report {

// The version of the program that every result carries.
std::string_view version();

}  // namespace salvo::report
