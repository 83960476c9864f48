#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fit/check.hpp"
#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/profile.hpp"
#include "fit/simulate.hpp"
#include "fit/study.hpp"
#include "helpers/problems.hpp"

// Tests of whole fits look into the rooms that a fit is made of.
namespace salvo::fit {
using namespace estimate;
using namespace uncertainty;
}  // namespace salvo::fit

namespace salvo::test {

inline FitResult fit_of(const model::Problem& problem, const fit::Options& options = {}) {
  return fit::fit(problem, options, {});
}

inline std::vector<double> estimates(const FitResult& result) {
  std::vector<double> out;
  for (const Estimate& estimate : result.parameters) out.push_back(estimate.estimate);
  return out;
}
inline const Estimate& estimate_of(const FitResult& result, const std::string& id) {
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& estimate : *list)
      if (estimate.id == id) return estimate;
  ADD_FAILURE() << "nothing is called " << id;
  return result.parameters.at(0);
}
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, std::abs(a.at(i) - b[i]));
  return most;
}

// The same problem with the data that the model predicts at these values.
inline model::Problem without_noise(model::Problem problem, const std::map<std::string, double>& truth) {
  const fit::EvaluateResult exact =
      fit::evaluate(problem, {.integrator = model::Dopri5{1e-12, 1e-14}, .values = truth});
  EXPECT_TRUE(exact.ok) << exact.message;
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    problem.measurements[i].value = exact.simulations[i].simulation;
  return problem;
}

inline const std::map<std::string, double> predator_prey_truth{{"p1", 1}, {"p2", 1},   {"p3", 1},
                                                               {"p4", 1}, {"x1", 0.4}, {"x2", 1}};

}  // namespace salvo::test
