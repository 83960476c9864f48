#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/rough_power.hpp"
#include "integrate/error_scale.hpp"
#include "integrate/record.hpp"

// How long the next step of one lane is, and whether a step may stand. Each lane decides from its own numbers.
namespace salvo::integrate {

struct Verdict {
  bool accepted = false;
  bool failed = false;
  Outcome outcome = Outcome::reached_end;
  int state = 0;  // the worst one, of a failure
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

  template <int W>
  void measure_by(const double*, std::size_t, double*) {}
  template <int W>
  void passed(const double*, std::size_t) const {}
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

  // No number where a state is not finite.
  template <std::size_t Stages, std::size_t W>
  std::array<double, W> errors(int d, const std::array<double, W>&, const double*, const double* x_new,
                               const std::array<double*, Stages>&) const {
    std::array<double, W> error{};
    for (int n = 0; n < d; ++n)
      for (std::size_t l = 0; l < W; ++l) error[l] += x_new[n * W + l] - x_new[n * W + l];
    return error;
  }

  template <int W, std::size_t Stages>
  Verdict judge(Memory& memory, int l, int d, double, double, double error, const double*, const double* x_new,
                const std::array<double*, Stages>& k) const {
    --memory.left;
    if (error == 0) return {.accepted = true};
    const NotFinite first = first_not_finite<W>(k, d, l);
    int state = first.state;
    for (int n = 0; n < d && state < 0; ++n)
      if (!std::isfinite(x_new[n * W + l])) state = n;
    return {.failed = true, .outcome = Outcome::not_finite, .state = std::max(state, 0)};
  }
  template <int W, std::size_t Stages>
  int worst_state(int, int, double, const double*, const double*, const std::array<double*, Stages>&) const {
    return 0;
  }
};

// Steps whose estimated local error stays within atol + rtol |x|, by a PI controller ([HNW93] II.4).
struct ErrorControl {
  ErrorScale scale{};
  std::span<const double> error_weights{};  // b minus the embedded b
  double order = 5;
  std::span<const double>
      last_stage{};  // of the one before x+, which stands at the same time; none: stiffness is not watched for
  double* absolute = nullptr;  // tolerances of every state and lane

  static constexpr double first_log_error = -13.287712379549449;  // log2(1e-4)

  struct Memory {
    double h = 0;     // what the controller wants
    double used = 0;  // what the last attempt took, to land on a stop
    double log_error_before = first_log_error;
    bool at_stop = false;
    bool just_rejected = false;
    int accepted = 0;
    int at_limit = 0;  // of them, those as long as stability allows
  };

  template <int W>
  void measure_by(const double* x, std::size_t count, double* to) {
    absolute = to;
    scale.begin<W>(x, count, to);
  }
  template <int W>
  void passed(const double* x, std::size_t count) const {
    scale.grow<W>(x, count, absolute);
  }

  // [HNW93] II.4, "starting step size": balance |x|, |x'| and an estimate of |x''|.
  template <class Method, class Launch, std::size_t W>
  void begin(Method& method, const Launch& launch, int d, const double* x, const double* f,
             std::array<Memory, W>& memory) const {
    std::array<double, W> h{};
    std::array<double, W> size{};
    std::array<double, W> slope{};
    for (std::size_t l = 0; l < W; ++l) {
      for (int n = 0; n < d; ++n) {
        const double weight = scale.weight(x[n * W + l], 0, absolute[n * W + l]);
        if (weight == 0) continue;
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
        const double weight = scale.weight(x[n * W + l], 0, absolute[n * W + l]);
        if (weight == 0) continue;
        const double change = (ahead[n * W + l] - f[n * W + l]) / weight;
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

  // Of every lane, the root mean square over the states of error / (atol + rtol |x|).
  template <std::size_t Stages, std::size_t W>
  std::array<double, W> errors(int d, const std::array<double, W>& h, const double* x, const double* x_new,
                               const std::array<double*, Stages>& k) const {
    std::array<double, W> sum{};
    for (int n = 0; n < d; ++n) {
      for (std::size_t l = 0; l < W; ++l) {
        const double ratio = ratio_of<Stages>(n * W + l, h[l], x, x_new, k);
        sum[l] += ratio * ratio;
      }
    }
    for (double& s : sum) s = std::sqrt(s / d);
    return sum;
  }

  template <int W, std::size_t Stages>
  Verdict judge(Memory& memory, int l, int d, double t, double h, double error, const double* x, const double* x_new,
                const std::array<double*, Stages>& k) const {
    if (error <= 1) {
      const double log_error = rough_log2(std::max(error, 1e-10));
      const double factor = 0.9 * rough_exp2((0.4 * memory.log_error_before - 0.7 * log_error) / order);
      // A step cut short for a stop says nothing against the longer one that was wanted.
      memory.h = std::max(h * std::clamp(factor, 0.2, memory.just_rejected ? 1.0 : 10.0),
                          memory.used < memory.h ? memory.h : 0.0);
      memory.log_error_before = std::max(log_error, first_log_error);
      memory.just_rejected = false;
      if (is_stiff<W>(memory, l, d, h, x, x_new, k))
        return {.failed = true, .outcome = Outcome::stiff, .state = worst_state<W>(l, d, h, x, x_new, k)};
      return {.accepted = true};
    }
    int blamed = -1;
    if (!std::isfinite(error)) {
      const NotFinite first = first_not_finite<W>(k, d, l);
      // The first stage is where the step begins: no shorter step can help.
      if (first.stage == 0) return {.failed = true, .outcome = Outcome::equation_not_finite, .state = first.state};
      blamed = first.state;
    }
    memory.just_rejected = true;
    memory.h = h * (std::isfinite(error) ? std::clamp(0.9 * rough_exp2(-rough_log2(error) / order), 0.1, 0.9) : 0.1);
    const double smallest = std::max(10 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-280);
    if (memory.h >= smallest) return {};
    if (blamed < 0) blamed = worst_state<W>(l, d, h, x, x_new, k);
    return {.failed = true, .outcome = Outcome::step_too_small, .state = blamed};
  }

  template <int W, std::size_t Stages>
  int worst_state(int l, int d, double h, const double* x, const double* x_new,
                  const std::array<double*, Stages>& k) const {
    double worst = -1;
    int state = 0;
    for (int n = 0; n < d; ++n) {
      const double ratio = ratio_of<Stages>(n * W + l, h, x, x_new, k);
      if (!(ratio <= worst)) worst = ratio, state = n;
    }
    return state;
  }

 private:
  // Two stages stand at the end of the step, and tell how fast f changes between them: h |k_7 - k_6| / |x+ - X_6|.
  // Where that is about 3, steps are as long as stability allows ([HW96] IV.2). A few hundred such steps are no
  // trouble.
  template <int W, std::size_t Stages>
  bool is_stiff(Memory& memory, int l, int d, double h, const double* x, const double* x_new,
                const std::array<double*, Stages>& k) const {
    constexpr int few_steps = 200;
    constexpr double nearly_unstable = 2.8;
    if (last_stage.empty() || ++memory.accepted <= few_steps) return false;
    double change = 0;
    double distance = 0;
    for (int n = 0; n < d; ++n) {
      const std::size_t at = static_cast<std::size_t>(n) * W + l;
      double sum = 0;
      for (std::size_t i = 0; i + 2 < Stages; ++i) sum += last_stage[i] * k[i][at];
      const double weight = scale.weight(x[at], x_new[at], absolute[at]);
      if (weight == 0) continue;
      const double apart = (x_new[at] - x[at] - h * sum) / weight;
      const double difference = h * (k[Stages - 1][at] - k[Stages - 2][at]) / weight;
      change += difference * difference;
      distance += apart * apart;
    }
    if (change > nearly_unstable * nearly_unstable * distance) ++memory.at_limit;
    return 2 * memory.at_limit > few_steps && 2 * memory.at_limit > memory.accepted - few_steps;
  }

  template <std::size_t Stages>
  double ratio_of(std::size_t at, double h, const double* x, const double* x_new,
                  const std::array<double*, Stages>& k) const {
    double error = 0;
    for (std::size_t i = 0; i < Stages; ++i) error += error_weights[i] * k[i][at];
    // A state that was always zero and has no error needs no measure.
    return error == 0 ? 0 : std::abs(h * error) / scale.weight(x[at], x_new[at], absolute[at]);
  }
};

}  // namespace salvo::integrate
