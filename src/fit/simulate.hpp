#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "results/arcs.hpp"

namespace salvo::fit {

struct SimulateOptions {
  std::vector<double> at{};                     // times; empty: 201 points from start to `until`
  std::optional<double> until{};                // default: last measurement
  std::vector<std::array<double, 2>> places{};  // of fields; none: the centres of the cells, and no observables there
  std::optional<model::Integrator> integrator{};
  std::map<std::string, double> values{};
};
struct SimulateResult {
  bool ok = true;
  std::string message{};
  std::vector<Arc> experiments{};  // one per experiment; where a trajectory failed, what was reached
};
SimulateResult simulate(const model::Problem& problem, const SimulateOptions& options);

}  // namespace salvo::fit
