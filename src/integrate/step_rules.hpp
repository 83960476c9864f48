#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/rough_power.hpp"
#include "integrate/error_scale.hpp"
#include "integrate/record.hpp"

// How long the next steps of W lanes are, and whether they may stand. Each lane decides from its own numbers; what all
// of them do is written as loops without branches, which become vector instructions.
namespace salvo::integrate {

// The two stages of a step that stand at its end, and where it began.
struct StepEnds {
  const double* x = nullptr;
  const double* x_new = nullptr;
  const double* last_stage = nullptr;
  const double* f_new = nullptr;
  const double* f_last = nullptr;
};

// Each piece between two stops is divided evenly into steps of at most `step`.
struct FixedStep {
  double step = 0.05;

  template <int W>
  struct Memory {
    std::array<double, W> h{};
    std::array<int, W> left{};  // steps to the next stop
    // A discontinuity cuts a step in two; the end of the second part stays where the whole step would have ended.
    std::array<double, W> cut{};   // what is missing of the step that is tried
    std::array<double, W> rest{};  // what the next step has to make good

    void restore(int l, const Memory& before) { left[l] = before.left[l]; }
  };

  template <int W>
  void measure_by(const double*, std::size_t, double*) {}
  template <int W>
  void passed(const double*, std::size_t) const {}
  static constexpr bool measures_errors = false;
  template <int W, class Method, class Launch>
  void begin(Method&, const Launch&, int, const double*, const double*, Memory<W>&) const {}

  template <int W>
  void choose(Memory<W>& memory, const std::array<double, W>& t, const std::array<double, W>& stop,
              std::array<double, W>& h) const {
    for (int l = 0; l < W; ++l) {
      if (memory.left[l] == 0) {
        const double count = std::ceil((stop[l] - t[l]) / step * (1 - 1e-12));
        // Beyond the limit on steps the count does not matter: the integration ends there with that status.
        memory.left[l] = static_cast<int>(std::clamp(count, 1.0, 1e9));
        memory.h[l] = (stop[l] - t[l]) / memory.left[l];
      }
      h[l] = memory.h[l];
    }
  }
  template <int W>
  bool reaches_stop(const Memory<W>& memory, int l, double) const {
    return memory.left[l] == 0;
  }

  // Steps are cut at `stop` if that comes first, or tried with the length that a search asks for.
  static constexpr bool keeps_mesh = true;
  template <int W>
  double cut_step(Memory<W>& memory, int l, double h, double stop, double trial) const {
    const double whole = memory.rest[l] > 0 ? memory.rest[l] : h;
    const double wanted = trial > 0 ? trial : stop;
    const double used = wanted < whole * (1 - 1e-12) ? wanted : whole;
    memory.cut[l] = whole - used;
    return used;
  }
  template <int W>
  void stands(Memory<W>& memory, int l) const {
    memory.rest[l] = memory.cut[l];
    if (memory.cut[l] > 0) ++memory.left[l];
  }

  // No number where a state is not finite.
  template <int W>
  void judge(int d, const double*, const double* x_new, const double*, std::array<double, W>& error) const {
    error.fill(0);
    for (int n = 0; n < d; ++n)
      for (int l = 0; l < W; ++l) error[l] += x_new[n * W + l] - x_new[n * W + l];
  }
  template <int W>
  void adapt(Memory<W>& memory, const std::array<double, W>&, const std::array<double, W>&) const {
    for (int& left : memory.left) --left;
  }
  static constexpr bool has_shorter_steps = false;
  template <int W>
  bool shorten(Memory<W>&, int, double, double, double) const {
    return false;
  }
  static constexpr Outcome when_too_short = Outcome::not_finite;
  static constexpr double many_steps = 0;
  bool foresees(int) const { return false; }
  template <int W>
  double visible_rate(int, int, const double*, const double*) const {
    return 0;
  }
  bool looks_into(int) const { return false; }
  template <int W>
  bool is_stiff(Memory<W>&, int, int, double, int, const StepEnds&) const {
    return false;
  }
  template <int W>
  int worst_state(int, int, const double*, const double*, const double*) const {
    return 0;
  }
};

// Steps whose estimated local error stays within atol + rtol |x|, by a PI controller ([HNW93] II.4).
struct ErrorControl {
  ErrorScale scale{};
  bool watches_stiffness = false;
  static constexpr double order = 5;
  double* absolute = nullptr;  // tolerances of every state and lane

  static constexpr int few_steps = 200;
  static constexpr double first_log_error = -13.287712379549449;  // log2(1e-4)
  static constexpr bool has_shorter_steps = true;
  static constexpr Outcome when_too_short = Outcome::step_too_small;

  template <int W>
  struct Memory {
    std::array<double, W> h{};     // what the controller wants
    std::array<double, W> used{};  // what the last attempt took, to land on a stop
    std::array<double, W> log_error_before{};
    std::array<double, W> most{};   // by how much a step may grow: not at all after one that was rejected
    std::array<int, W> at_limit{};  // accepted steps as long as stability allows
    Memory() {
      log_error_before.fill(first_log_error);
      most.fill(10);
    }
    void restore(int l, const Memory& before) {
      h[l] = before.h[l];
      log_error_before[l] = before.log_error_before[l];
      most[l] = before.most[l];
      at_limit[l] = before.at_limit[l];
    }
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
  static constexpr bool measures_errors = true;

  // [HNW93] II.4, "starting step size": balance |x|, |x'| and an estimate of |x''|.
  template <int W, class Method, class Launch>
  void begin(Method& method, const Launch& launch, int d, const double* x, const double* f, Memory<W>& memory) const {
    std::array<double, W> h{};
    std::array<double, W> size{};
    std::array<double, W> slope{};
    for (int l = 0; l < W; ++l) {
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
    for (int l = 0; l < W; ++l) {
      double bend = 0;
      for (int n = 0; n < d; ++n) {
        const double weight = scale.weight(x[n * W + l], 0, absolute[n * W + l]);
        if (weight == 0) continue;
        const double change = (ahead[n * W + l] - f[n * W + l]) / weight;
        bend += change * change;
      }
      bend = std::sqrt(bend / d) / h[l];
      const double worst = std::max(slope[l], bend);
      double next = worst <= 1e-15 ? std::max(1e-6, h[l] * 1e-3) : rough_exp2(rough_log2(0.01 / worst) / order);
      next = std::min(100 * h[l], next);
      memory.h[l] = std::isfinite(next) && next > 0 ? next : h[l];
    }
  }

  template <int W>
  void choose(Memory<W>& memory, const std::array<double, W>& t, const std::array<double, W>& stop,
              std::array<double, W>& h) const {
    for (int l = 0; l < W; ++l) {
      const double left = stop[l] - t[l];
      const double wanted = memory.h[l];
      const double before_stop = wanted > 0.5 * left ? 0.5 * left : wanted;  // two halves, no sliver
      h[l] = memory.used[l] = wanted >= left * (1 - 1e-10) ? left : before_stop;
    }
  }
  template <int W>
  bool reaches_stop(const Memory<W>& memory, int l, double left) const {
    return memory.used[l] == left;
  }

  static constexpr bool keeps_mesh = false;
  template <int W>
  double cut_step(Memory<W>& memory, int l, double h, double, double trial) const {
    return memory.used[l] = trial > 0 ? trial : h;
  }
  template <int W>
  void stands(Memory<W>&, int) const {}

  // This is, for every lane, the mean over the states of the square of error / (atol + rtol |x|).
  template <int W>
  void judge(int d, const double* x, const double* x_new, const double* error, std::array<double, W>& judged) const {
    std::array<double, W> sum{};
    for (int n = 0; n < d * W; n += W) {
      for (int l = 0; l < W; ++l) {
        const double ratio = ratio_at(n + l, x, x_new, error);
        sum[l] += ratio * ratio;
      }
    }
    const double share = 1.0 / d;
    for (int l = 0; l < W; ++l) judged[l] = share * sum[l];
  }

  // The next step of those lanes whose step stands. A step cut short for a stop says nothing against the longer one
  // that was wanted.
  template <int W>
  void adapt(Memory<W>& memory, const std::array<double, W>& h, const std::array<double, W>& error) const {
    // Apart from the memory until all is known: then the compiler knows that nothing overlaps.
    std::array<double, W> next_h, next_log_error, next_most;
    for (int l = 0; l < W; ++l) {
      const double log_error = 0.5 * rough_log2(error[l] > 1e-20 ? error[l] : 1e-20);
      const double factor = 0.9 * rough_exp2(0.04 * memory.log_error_before[l] - 0.17 * log_error);
      const double bounded = factor < 0.2 ? 0.2 : factor > memory.most[l] ? memory.most[l] : factor;
      const double cut_from = memory.used[l] < memory.h[l] ? memory.h[l] : 0.0;
      const double longer = h[l] * bounded > cut_from ? h[l] * bounded : cut_from;
      const bool stands = error[l] <= 1;
      next_h[l] = stands ? longer : memory.h[l];
      const double remembered = log_error > first_log_error ? log_error : first_log_error;
      next_log_error[l] = stands ? remembered : memory.log_error_before[l];
      next_most[l] = stands ? 10.0 : 1.0;
    }
    for (int l = 0; l < W; ++l) memory.h[l] = next_h[l];
    for (int l = 0; l < W; ++l) memory.log_error_before[l] = next_log_error[l];
    for (int l = 0; l < W; ++l) memory.most[l] = next_most[l];
  }

  // After a step that does not stand; false if there is no shorter one.
  template <int W>
  bool shorten(Memory<W>& memory, int l, double t, double h, double error) const {
    const double shorter = 0.9 * rough_exp2(-0.5 / order * rough_log2(error));
    memory.h[l] = h * (std::isfinite(error) ? std::clamp(shorter, 0.1, 0.9) : 0.1);
    return memory.h[l] >= std::max(10 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-280);
  }

  template <int W>
  int worst_state(int l, int d, const double* x, const double* x_new, const double* error) const {
    double worst = -1;
    int state = 0;
    for (int n = 0; n < d; ++n) {
      const double ratio = ratio_at(static_cast<std::size_t>(n) * W + l, x, x_new, error);
      if (!(ratio <= worst)) worst = ratio, state = n;
    }
    return state;
  }

  // Two stages stand at the end of the step, and tell how fast f changes between them: h |f(x+) - f(X_s)| / |x+ - X_s|.
  // Where that is about 3, steps are as long as stability allows ([HW96] IV.2). A few hundred such steps are no
  // trouble.
  template <int W>
  bool is_stiff(Memory<W>& memory, int l, int d, double h, int accepted, const StepEnds& ends) const {
    constexpr double nearly_unstable = 2.8;
    if (!looks_into(accepted)) return false;
    double change = 0;
    double distance = 0;
    for (int n = 0; n < d; ++n) {
      const std::size_t at = static_cast<std::size_t>(n) * W + l;
      const double weight = scale.weight(ends.x[at], ends.x_new[at], absolute[at]);
      if (weight == 0) continue;
      const double apart = (ends.x_new[at] - ends.last_stage[at]) / weight;
      const double difference = h * (ends.f_new[at] - ends.f_last[at]) / weight;
      change += difference * difference;
      distance += apart * apart;
    }
    if (change > nearly_unstable * nearly_unstable * distance) ++memory.at_limit[l];
    return 2 * memory.at_limit[l] > few_steps && 2 * memory.at_limit[l] > accepted - few_steps;
  }
  // Every so many attempts it is worth asking whether explicit steps can be right, if many more lie ahead.
  static constexpr double many_steps = 300;
  bool foresees(int attempts) const {
    constexpr int between = 20;
    return watches_stiffness && attempts > 0 && attempts % between == 0;
  }
  // The largest |f_i| by the size of its state.
  template <int W>
  double visible_rate(int l, int d, const double* x, const double* f) const {
    double largest = 0;
    for (int n = l; n < d * W; n += W) {
      const double weight = scale.weight(x[n], x[n], absolute[n]);
      if (weight > 0) largest = std::max(largest, scale.rtol * std::abs(f[n]) / weight);
    }
    return largest;
  }
  bool looks_into(int accepted) const { return watches_stiffness && accepted > few_steps; }

 private:
  // A state that was always zero and has no error needs no measure.
  double ratio_at(std::size_t at, const double* x, const double* x_new, const double* error) const {
    const double ratio = std::abs(error[at]) / scale.weight(x[at], x_new[at], absolute[at]);
    return error[at] == 0 ? 0 : ratio;
  }
};

}  // namespace salvo::integrate
