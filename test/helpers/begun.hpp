#pragma once

#include <string>
#include <variant>
#include <vector>

#include "helpers/problems.hpp"

namespace salvo::test {

// All parameters and initial values are estimated, and the first state is seen: what a trajectory and its derivatives
// are tested with, but for what happens on the way.
inline Builder begun(const Equations& equations, const std::vector<std::string>& parameters) {
  Builder builder(equations);
  for (const std::string& id : parameters) builder.parameter(id, estimated(1));
  std::vector<std::variant<std::string, model::Estimated>> initial;
  for (std::size_t i = 0; i < equations.size(); ++i) initial.emplace_back(estimated(0));
  builder.observable("first", equations[0].first, "1").experiment(model::default_experiment, initial);
  return builder;
}

}  // namespace salvo::test
