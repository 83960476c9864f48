#pragma once

#include <algorithm>

#include "solve/rules.hpp"

namespace salvo::solve {

// Levenberg and Marquardt's damping, learnt from what steps gained.
class Damping {
 public:
  Damping(const DampingRules& rules, double first) : rules_(rules), mu_(first) {}

  double mu() const { return mu_; }
  // Whether a step with this gain is taken.
  bool accepts(double gain) const { return gain > rules_.acceptable; }
  void learn(double gain) {
    if (gain > rules_.good) mu_ = std::max(rules_.less * mu_, rules_.least);
    if (!(gain > rules_.poor)) mu_ *= rules_.more;
  }

 private:
  const DampingRules& rules_;
  double mu_;
};

}  // namespace salvo::solve
