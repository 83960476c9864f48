#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "estimate/options.hpp"
#include "model/problem.hpp"

namespace salvo::fit {

// What `salvo check` tells: sizes, derivative check, what can be identified, what will be hard.
struct Finding {
  enum class Level { good, note, trouble };
  Level level = Level::good;
  std::string text{};
  bool cut_short = false;  // the time was over before all was looked at
};
std::string_view to_string(Finding::Level level);

std::vector<Finding> check(const model::Problem& problem, const estimate::Options& options);

}  // namespace salvo::fit
