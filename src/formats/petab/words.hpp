#pragma once

#include <string>
#include <vector>

namespace salvo::formats::petab {

// The words of "a; b;c".
std::vector<std::string> split(const std::string& text);

// Empty or NaN.
bool is_missing(const std::string& cell);

}  // namespace salvo::formats::petab
