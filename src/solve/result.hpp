#pragma once

#include <string>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

enum class Termination { converged, max_iterations, max_time, interrupted, infeasible, stalled, numerical_failure };

struct Iteration {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;        // scaled length of the step that led here
  double multiplier = 0;  // largest multiplier of the gaps
  std::vector<double> theta{};
};

struct SolveResult {
  Termination termination = Termination::numerical_failure;
  std::string trouble{};  // what stood in the way, if anything did
  nlp::Point q{};
  double objective = 0;
  double gap = 0;
  int iterations = 0;
  std::vector<Iteration> trace{};
};

struct SolveOptions {
  int max_iterations = 200;
  double tolerance = 1e-8;  // of the scaled step
  double gap_tolerance = 1e-8;
};

}  // namespace salvo::solve
