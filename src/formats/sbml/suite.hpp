#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/sbml/model.hpp"
#include "model/problem.hpp"

namespace salvo::formats::sbml {

// How the SBML test suite wants a model simulated.
struct SuiteSettings {
  double start = 0;
  double duration = 0;
  int steps = 0;
  std::vector<std::string> variables{};
  std::vector<std::string> amounts{};         // species that are wanted as amounts ...
  std::vector<std::string> concentrations{};  // ... and as concentrations

  std::vector<double> times() const;
};

Result<SuiteSettings> read_suite_settings(const std::string& path);

// Where nobody says how: 100 units of time from 0 on in as many steps, and every species that may change; of a model
// without any, whatever may change.
Result<SuiteSettings> usual_settings(const std::string& model_path);

// A problem without data and unknowns, whose observables are the variables in their order.
Result<model::Problem> suite_problem(const std::string& model_path, const SuiteSettings& settings);

}  // namespace salvo::formats::sbml
