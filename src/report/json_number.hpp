#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/words.hpp"

namespace salvo::report {

using Json = nlohmann::ordered_json;

// JSON has no numbers that are not finite: they are the strings "inf", "-inf" and "nan". What does not exist is null.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(number_text(value)); }
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

}  // namespace salvo::report
