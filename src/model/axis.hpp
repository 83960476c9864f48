#pragma once

#include <string>

namespace salvo::model {

// What is written on an axis, or beside a number; nothing is computed with it.
struct Axis {
  std::string unit{};
  std::string label{};
};

std::string axis_text(const std::string& id, const Axis& axis);  // "Plasma concentration (mg/L)", "conc"

}  // namespace salvo::model
