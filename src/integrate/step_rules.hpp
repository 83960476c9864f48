#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "integrate/record.hpp"

// How long the next step of one lane is, and whether a step may stand. Each lane decides from its own numbers.
namespace salvo::integrate {

struct Verdict {
  bool accepted = false;
  bool failed = false;
  Outcome outcome = Outcome::reached_end;
  int state = 0;  // the worst one
};

// The first equation of one lane whose value is not finite, by stage and then by state: a later stage hands what is not
// finite on to states that are not to blame. -1: all are finite.
struct NotFinite {
  int stage = -1;
  int state = -1;
};
template <int W, std::size_t Stages>
NotFinite first_not_finite(const std::array<double*, Stages>& k, int d, int l) {
  for (std::size_t i = 0; i < Stages; ++i)
    for (int n = 0; n < d; ++n)
      if (!std::isfinite(k[i][n * W + l])) return {static_cast<int>(i), n};
  return {};
}

// Each piece between two stops is divided evenly into steps of at most `step`.
struct FixedStep {
  double step = 0.05;

  struct Memory {
    double h = 0;
    int left = 0;  // steps to the next stop
  };

  template <class Method, class Launch, std::size_t W>
  void begin(Method&, const Launch&, int, const double*, const double*, std::array<Memory, W>&) const {}

  double next_step(Memory& memory, double t, double stop) const {
    if (memory.left == 0) {
      const double count = std::ceil((stop - t) / step * (1 - 1e-12));
      // Beyond the limit on steps the count does not matter: the integration ends there with that status.
      memory.left = static_cast<int>(std::clamp(count, 1.0, 1e9));
      memory.h = (stop - t) / memory.left;
    }
    return memory.h;
  }
  bool reaches_stop(const Memory& memory) const { return memory.left == 0; }

  template <std::size_t Stages, int W>
  Verdict judge(Memory& memory, int l, int d, double, double, const double*, const double* x_new,
                const std::array<double*, Stages>& k) const {
    for (int n = 0; n < d; ++n) {
      if (std::isfinite(x_new[n * W + l])) continue;
      const NotFinite first = first_not_finite<W>(k, d, l);
      return {.failed = true, .outcome = Outcome::not_finite, .state = first.stage >= 0 ? first.state : n};
    }
    --memory.left;
    return {.accepted = true};
  }
};

// Steps whose estimated local error stays within atol + rtol |x|, by a PI controller ([HNW93] II.4).
struct ErrorControl {
  double rtol = 1e-8;
  double atol = 1e-10;
  std::span<const double> error_weights{};  // b minus the embedded b
  double order = 5;

  struct Memory {
    double h = 0;     // what the controller wants
    double used = 0;  // what the last attempt took, to land on a stop
    double error_before = 1e-4;
    bool at_stop = false;
    bool just_rejected = false;
  };

  // [HNW93] II.4, "starting step size": balance |x|, |x'| and an estimate of |x''|.
  template <class Method, class Launch, std::size_t W>
  void begin(Method& method, const Launch& launch, int d, const double* x, const double* f,
             std::array<Memory, W>& memory) const {
    std::array<double, W> h{};
    std::array<double, W> size{};
    std::array<double, W> slope{};
    for (std::size_t l = 0; l < W; ++l) {
      for (int n = 0; n < d; ++n) {
        const double weight = atol + rtol * std::abs(x[n * W + l]);
        size[l] += x[n * W + l] / weight * (x[n * W + l] / weight);
        slope[l] += f[n * W + l] / weight * (f[n * W + l] / weight);
      }
      size[l] = std::sqrt(size[l] / d);
      slope[l] = std::sqrt(slope[l] / d);
      h[l] = size[l] < 1e-5 || slope[l] < 1e-5 ? 1e-6 : 0.01 * size[l] / slope[l];
      if (!std::isfinite(h[l]) || h[l] <= 0) h[l] = 1e-6;
      if (!launch.stops[l].empty()) h[l] = std::min(h[l], launch.stops[l].back() - launch.begin[l]);
    }
    const double* ahead = method.look_ahead(h);
    for (std::size_t l = 0; l < W; ++l) {
      double bend = 0;
      for (int n = 0; n < d; ++n) {
        const double change = (ahead[n * W + l] - f[n * W + l]) / (atol + rtol * std::abs(x[n * W + l]));
        bend += change * change;
      }
      bend = std::sqrt(bend / d) / h[l];
      const double worst = std::max(slope[l], bend);
      double next = worst <= 1e-15 ? std::max(1e-6, h[l] * 1e-3) : std::pow(0.01 / worst, 1.0 / order);
      next = std::min(100 * h[l], next);
      memory[l].h = std::isfinite(next) && next > 0 ? next : h[l];
    }
  }

  double next_step(Memory& memory, double t, double stop) const {
    const double left = stop - t;
    memory.at_stop = memory.h >= left * (1 - 1e-10);
    memory.used = memory.at_stop ? left : memory.h > 0.5 * left ? 0.5 * left : memory.h;  // two halves, no sliver
    return memory.used;
  }
  bool reaches_stop(const Memory& memory) const { return memory.at_stop; }

  template <std::size_t Stages, int W>
  Verdict judge(Memory& memory, int l, int d, double t, double h, const double* x, const double* x_new,
                const std::array<double*, Stages>& k) const {
    double sum = 0;
    double worst = -1;
    int worst_state = 0;
    for (int n = 0; n < d; ++n) {
      const int at = n * W + l;
      double error = 0;
      for (std::size_t i = 0; i < Stages; ++i) error += error_weights[i] * k[i][at];
      const double ratio = std::abs(h * error) / (atol + rtol * std::max(std::abs(x[at]), std::abs(x_new[at])));
      sum += ratio * ratio;
      if (!(ratio <= worst)) worst = ratio, worst_state = n;
    }
    const double error = std::sqrt(sum / d);
    if (error <= 1) {
      double factor = 0.9 * std::pow(std::max(error, 1e-10), -0.7 / order) * std::pow(memory.error_before, 0.4 / order);
      factor = std::clamp(factor, 0.2, memory.just_rejected ? 1.0 : 10.0);
      // A step cut short for a stop says nothing against the longer one that was wanted.
      memory.h = std::max(h * factor, memory.used < memory.h ? memory.h : 0.0);
      memory.error_before = std::max(error, 1e-4);
      memory.just_rejected = false;
      return {.accepted = true, .state = worst_state};
    }
    if (!std::isfinite(error)) {
      const NotFinite first = first_not_finite<W>(k, d, l);
      // The first stage is where the step begins: no shorter step can help.
      if (first.stage == 0) return {.failed = true, .outcome = Outcome::equation_not_finite, .state = first.state};
      if (first.stage > 0) worst_state = first.state;
    }
    memory.just_rejected = true;
    memory.h = h * (std::isfinite(error) ? std::clamp(0.9 * std::pow(error, -1.0 / order), 0.1, 0.9) : 0.1);
    const double smallest = std::max(10 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-280);
    if (memory.h < smallest) return {.failed = true, .outcome = Outcome::step_too_small, .state = worst_state};
    return {.state = worst_state};
  }
};

}  // namespace salvo::integrate
