#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Numbers as text that a browser turns into an array at once: their bytes, little end first, in base 64 (RFC 4648).
namespace salvo::report {

std::string base64(std::string_view bytes);
std::string base64_of_doubles(std::span<const double> values);
std::string base64_of_floats(std::span<const double> values);  // seven digits: enough to draw, half the room
std::string base64_of_integers(std::span<const int> values);
std::string base64_of_shorts(std::span<const int> values);  // from 0 to 65,535

// The numbers again; nothing where the text is not in base 64, or not a whole number of them.
std::optional<std::vector<double>> doubles_of_base64(std::string_view text);
std::optional<std::vector<double>> floats_of_base64(std::string_view text);
std::optional<std::vector<int>> integers_of_base64(std::string_view text);
std::optional<std::vector<int>> shorts_of_base64(std::string_view text);

}  // namespace salvo::report
