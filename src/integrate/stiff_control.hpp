#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/rough_power.hpp"

namespace salvo::integrate {

// Steps of a linearly implicit method with an error estimate of order 4: the predictive controller of Gustafsson
// ([HW96] IV.8), which remembers how the error followed the last change of the step.
struct StiffControl {
  static constexpr double order = 5;  // the estimate falls like h^5

  struct Memory {
    double h = 0;     // what the controller wants
    double used = 0;  // what the last attempt took, to land on a stop
    double accepted_h = 0;
    double accepted_log_error = 0;
    bool at_stop = false;
    bool just_rejected = false;
  };

  static double next_step(Memory& memory, double t, double stop) {
    const double left = stop - t;
    memory.at_stop = memory.h >= left * (1 - 1e-10);
    memory.used = memory.at_stop ? left : memory.h > 0.5 * left ? 0.5 * left : memory.h;  // two halves, no sliver
    return memory.used;
  }

  static void accept(Memory& memory, double error) {
    const double h = memory.used;
    const double log_error = rough_log2(std::max(error, 1e-10));
    double factor = 0.9 * rough_exp2(-log_error / order);
    if (memory.accepted_h > 0) {
      const double predicted =
          0.9 * h / memory.accepted_h * rough_exp2((memory.accepted_log_error - 2 * log_error) / order);
      factor = std::min(factor, predicted);
    }
    factor = std::clamp(factor, 0.2, memory.just_rejected ? 1.0 : 8.0);
    // A step cut short for a stop says nothing against the longer one that was wanted.
    memory.h = std::max(h * factor, memory.used < memory.h ? memory.h : 0.0);
    memory.accepted_h = h;
    memory.accepted_log_error = rough_log2(std::max(error, 1e-2));
    memory.just_rejected = false;
  }

  // True if a shorter step can be tried.
  static bool reject(Memory& memory, double t, double error) {
    memory.just_rejected = true;
    memory.h =
        memory.used * (std::isfinite(error) ? std::clamp(0.9 * rough_exp2(-rough_log2(error) / order), 0.1, 0.9) : 0.1);
    const double smallest = std::max(10 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-280);
    return memory.h >= smallest;
  }
};

}  // namespace salvo::integrate
