#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "design/design.hpp"
#include "design/result.hpp"
#include "formats/problem/read.hpp"

namespace salvo::design {

inline model::Problem problem_of(const std::string& text) {
  auto problem = formats::read_problem_text(text, "design.yaml");
  if (!problem) {
    for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
    return {};
  }
  return *std::move(problem);
}

inline Result designed(const std::string& text, const Options& options = {}) {
  const model::Problem problem = problem_of(text);
  return problem.design ? design(problem, options) : Result{};
}

// The times of the samples, a repeated one twice.
inline std::vector<double> times_of(const std::vector<Taken>& taken) {
  std::vector<double> times;
  for (const Taken& each : taken) times.insert(times.end(), static_cast<std::size_t>(each.count), each.time);
  std::sort(times.begin(), times.end());
  return times;
}

inline void expect_times(const std::vector<Taken>& taken, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> times = times_of(taken);
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], tolerance);
}

inline const Error& error_of(const Result& result, const std::string& id) {
  for (const Error& error : result.errors)
    if (error.id == id) return error;
  ADD_FAILURE() << "no error of " << id;
  static const Error none{};
  return none;
}

// A -> B -> C, B measured; theta = (.7, .2)
inline std::string box_lucas(const std::string& design, const std::string& parameters = {}) {
  return "equations: {A: -k1*A, B: k1*A - k2*B}\ninitial: {A: 1, B: 0}\nparameters:\n" +
         (parameters.empty() ? std::string("  k1: {guess: 0.7}\n  k2: {guess: 0.2}\n") : parameters) +
         "observables: {b: {formula: B, noise: 1}}\ndesign:\n" + design;
}

inline std::string predator_prey(const std::string& design) {
  return "equations: {x1: -p1*x1 + p2*x1*x2, x2: p3*x2 - p4*x1*x2}\ninitial: {x1: 0.4, x2: 1}\nparameters:\n"
         "  p1: {guess: 1}\n  p2: {guess: 1}\n  p3: {guess: 1}\n  p4: {guess: 1}\n"
         "observables:\n  predator: {formula: x1, noise: 0.05}\n  prey: {formula: x2, noise: 0.05}\ndesign:\n" +
         design;
}

}  // namespace salvo::design
