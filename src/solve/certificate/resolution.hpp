#pragma once

#include <string>
#include <vector>

#include "nlp/problem.hpp"
#include "solve/certificate/certificate.hpp"

namespace salvo::solve {

// Changes of an objective below it are errors of its computation (docs/mathematics.md, eq. 55).
struct Resolution {
  double value = 0;
  std::string missing{};  // why the objective is not known at all, if it is not
};

// A point, and what was found there.
struct ResolvedPoint {
  const nlp::Problem& problem;
  const nlp::Point& q;
  const nlp::Request& request;
  double accuracy;  // relative, of its trajectories
  const std::vector<double>& units;
  double objective;
  const std::vector<double>& g;  // the gradient by units
};

// What rounding may take from the sum that an objective is.
double rounding_of_sum(double objective);

// The error of integration at the tolerance in use, from the change that a coarser one makes; and what rounding has
// grown to along the trajectory, from what the least changes of the unknowns do.
Resolution resolution_of(const ResolvedPoint& at, const CertificateRules& rules);

}  // namespace salvo::solve
