#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "design/result.hpp"
#include "model/problem.hpp"

namespace salvo::design {

struct Options {
  std::map<std::string, double> values{};  // where information is computed: user units; others stand at their guesses
  std::vector<std::map<std::string, double>> draws{};  // of `over: starts` and `over: profile`
  std::optional<model::Integrator> integrator{};
  std::uint64_t seed = 1;  // of draws from priors
};

// The measurements that tell most, of those that the design of the problem lists, besides the data that it has. The
// problem must have a design.
Result design(const model::Problem& problem, const Options& options, const RunContext& context = {});

}  // namespace salvo::design
