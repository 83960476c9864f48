#pragma once

#include <span>
#include <string>
#include <vector>

// Numbers as text that a browser turns into an array at once: their bytes, little end first, in base 64 (RFC 4648).
namespace salvo::report {

std::string base64(std::string_view bytes);
std::string base64_of_doubles(std::span<const double> values);
std::string base64_of_floats(std::span<const double> values);  // seven digits: enough to draw, half the room
std::string base64_of_integers(std::span<const int> values);

}  // namespace salvo::report
