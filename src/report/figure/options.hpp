#pragma once

#include <optional>
#include <string>
#include <utility>

namespace salvo::report::figure {

struct Options {
  double width = 175;              // mm; two columns of most journals
  std::optional<double> height{};  // mm; otherwise as the panels need it
  bool log_time = false;
  bool log_values = false;
  bool common = false;                                         // the same axes in every panel
  bool overlay = false;                                        // all experiments in one panel, told apart by colours
  std::optional<std::pair<std::string, std::string>> phase{};  // two states or observables, one against the other
};

}  // namespace salvo::report::figure
