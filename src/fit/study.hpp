#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "estimate/options.hpp"
#include "model/problem.hpp"

namespace salvo::fit {

struct StudyOptions {
  estimate::Options fit{};
  int replicates = 100;
  std::map<std::string, double> truth{};                      // default: the guesses
  estimate::Intervals intervals = estimate::Intervals::wald;  // whose coverage is counted
};
struct StudyQuantity {
  std::string id{};
  double truth = 0;
  double mean = 0;
  double sd = 0;
  double expected_sd = 0;  // Cramer-Rao bound at the truth
  double coverage95 = 0;
};
struct StudyResult {
  bool ok = true;  // false: no data could be drawn at the truth
  std::string message{};
  int replicates = 0;
  int converged = 0;
  bool interrupted = false;  // or out of time: only the replicates that were done count
  std::vector<StudyQuantity> quantities{};
  double mean_iterations = 0;
};
StudyResult study(const model::Problem& problem, const StudyOptions& options, const RunContext& context);

}  // namespace salvo::fit
