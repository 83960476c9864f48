#include "start/driven_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"

namespace salvo::start {
template <int W>
DrivenSweep<W>::DrivenSweep(const compile::CompiledModel& model, const DrivenStates::Mesh& mesh,
                            const shooting::ExperimentValues& values, const TangentPattern& pattern, int thetas,
                            DrivenRecord& out)
    : model_(model),
      mesh_(mesh),
      values_(values),
      pattern_(pattern),
      thetas_(thetas),
      out_(out),
      states_(model.states),
      parameter_(values.p.size() * W),
      f_(static_cast<std::size_t>(model.rhs.output_count()) * W),
      work_(static_cast<std::size_t>(model.largest_work()) * W),
      jacobian_(static_cast<std::size_t>(model.jacobian.output_count()) * W) {
  for (std::size_t k = 0; k < values.p.size(); ++k) std::fill_n(parameter_.data() + k * W, W, values.p[k]);
  for (auto* numbers : {&x_, &stage_, &sum_, &increments_}) numbers->resize(static_cast<std::size_t>(states_) * W);
  for (auto* numbers : {&tangent_, &stage_tangent_, &k_, &sum_tangent_, &increment_tangent_})
    numbers->resize(static_cast<std::size_t>(pattern.entries()) * W);
}

template <int W>
bool DrivenSweep<W>::run(std::span<const Part> parts) {
  used_ = static_cast<int>(parts.size());
  for (auto* numbers : {&sum_, &increments_, &tangent_, &sum_tangent_, &increment_tangent_})
    std::fill(numbers->begin(), numbers->end(), 0.0);
  int steps = 0;
  for (int l = 0; l < W; ++l) {
    begin(l, parts[std::min(l, used_ - 1)]);
    steps = std::max(steps, lanes_[l].last_step - lanes_[l].step);
  }
  for (int k = 0; k < steps; ++k) {
    step();
    for (int l = 0; l < used_; ++l) {
      Lane& lane = lanes_[l];
      if (lane.step == lane.last_step) continue;
      ++lane.step;
      if (lane.step == mesh_.steps_until[lane.stop] && !record(l)) return false;
    }
  }
  return true;
}

template <int W>
void DrivenSweep<W>::begin(int l, const Part& part) {
  lanes_[l] = {.step = mesh_.steps_until[part.from], .last_step = mesh_.steps_until[part.to], .stop = part.from};
  const double* curves = mesh_.driver.data() + static_cast<std::ptrdiff_t>(2 * lanes_[l].step) * states_;
  for (int i = 0; i < states_; ++i) x_[i * W + l] = mesh_.simulated[i] ? values_.s0[i] : curves[i];
  const auto set_slope = [&](int state, int unknown, double value) {
    if (out_.entries == 0 || !mesh_.simulated[state] || mesh_.restarted[state]) return;
    tangent_[static_cast<std::size_t>(pattern_.place(state, unknown)) * W + l] += value;
  };
  for (const shooting::Slope& slope : values_.s0_by_theta) set_slope(slope.row, slope.column, slope.value);
  for (const shooting::Slope& slope : values_.s0_by_block) set_slope(slope.row, thetas_ + slope.column, slope.value);
  restart(l, part.from);
  if (part.from == 0 && l < used_) record(l);
  lanes_[l].stop = part.from + 1;
}

template <int W>
void DrivenSweep<W>::restart(int l, int stop) {
  const double* curves = mesh_.driver.data() + static_cast<std::ptrdiff_t>(2 * mesh_.steps_until[stop]) * states_;
  for (int i = 0; i < states_; ++i) {
    if (!mesh_.restarted[i]) continue;
    x_[i * W + l] = curves[i];
    for (int e = pattern_.start[i]; e < pattern_.start[i + 1]; ++e) tangent_[e * W + l] = 0;
  }
}

// A lane that has arrived stays where it is.
template <int W>
void DrivenSweep<W>::step() {
  for (int l = 0; l < W; ++l) {
    Lane& lane = lanes_[l];
    const bool goes_on = l < used_ && lane.step < lane.last_step;
    if (l >= used_) lane = lanes_[used_ - 1];
    h_[l] = goes_on ? mesh_.time[2 * lane.step + 2] - mesh_.time[2 * lane.step] : 0;
  }
  stage(0, 0, 1.0 / 6);
  stage(1, 0.5, 1.0 / 3);
  stage(1, 0.5, 1.0 / 3);
  stage(2, 1, 1.0 / 6);
  finish_step();
}

// f where the stage stands, and what it adds to the step.
template <int W>
void DrivenSweep<W>::stage(int half, double reach, double weight) {
  using Numbers = compile::Pack<W>;
  for (int l = 0; l < W; ++l) {
    at_[l] = 2 * lanes_[l].step + (h_[l] > 0 ? half : 0);
    t_[l] = mesh_.time[at_[l]];
  }
  const Numbers h = Numbers::load(h_);
  for (int i = 0; i < states_; ++i) {
    if (!mesh_.simulated[i])
      follow_curve(i, stage_);
    else if (reach == 0)
      std::copy_n(x_.data() + i * W, W, stage_.data() + i * W);
    else
      (Numbers::load(x_.data() + i * W) + reach * (h * Numbers::load(f_.data() + i * W))).store(stage_.data() + i * W);
  }
  const compile::Arguments at{.time = t_, .state = stage_.data(), .parameter = parameter_.data()};
  model_.template set_frozen<W>(mesh_.experiment, at, work_.data(), parameter_.data());
  model_.rhs.template run<W>(at, work_.data(), f_.data());
  const Numbers weights = weight * h;
  for (int n = 0; n < states_ * W; n += W)
    (Numbers::load(sum_.data() + n) + weights * Numbers::load(f_.data() + n)).store(sum_.data() + n);
  if (out_.entries == 0) return;
  model_.jacobian.template run<W>(at, work_.data(), jacobian_.data());
  with_wide_registers<W>([&] { differentiate(reach, weight); });
}

template <int W>
void DrivenSweep<W>::follow_curve(int i, std::vector<double>& x) const {
  for (int l = 0; l < W; ++l) x[i * W + l] = mesh_.driver[static_cast<std::size_t>(at_[l]) * states_ + i];
}

// The derivatives of the stage, K = f_x T + f_p dp/dtheta, and what they add to those of the step.
template <int W>
void DrivenSweep<W>::differentiate(double reach, double weight) {
  using Numbers = compile::Pack<W>;
  const double* const jacobian = jacobian_.data();
  double* const from = stage_tangent_.data();
  double* const k = k_.data();
  const Numbers ahead = reach * Numbers::load(h_);
  const Numbers weights = weight * Numbers::load(h_);
  const std::size_t end = out_.entries * W;
  for (std::size_t n = 0; n < end; n += W) {
    const Numbers t = Numbers::load(tangent_.data() + n);
    (reach == 0 ? t : t + ahead * Numbers::load(k + n)).store(from + n);
    Numbers::all(0).store(k + n);
  }
  for (const TangentPattern::Formula& term : pattern_.formulas)
    (Numbers::load(k + term.to * W) + term.slope * Numbers::load(jacobian + term.nonzero * W)).store(k + term.to * W);
  for (const TangentPattern::Product& term : pattern_.products)
    (Numbers::load(k + term.to * W) + Numbers::load(jacobian + term.nonzero * W) * Numbers::load(from + term.from * W))
        .store(k + term.to * W);
  for (std::size_t n = 0; n < end; n += W)
    (Numbers::load(sum_tangent_.data() + n) + weights * Numbers::load(k + n)).store(sum_tangent_.data() + n);
}

// The last stage stood at the end of the step: observed states are there already.
template <int W>
void DrivenSweep<W>::finish_step() {
  for (int i = 0; i < states_; ++i) {
    if (!mesh_.simulated[i]) follow_curve(i, x_);
    for (int n = i * W; n < (i + 1) * W; ++n) {
      increments_[n] += sum_[n];
      if (mesh_.simulated[i]) x_[n] += sum_[n];
      sum_[n] = 0;
    }
    for (int n = pattern_.start[i] * W; n < pattern_.start[i + 1] * W; ++n) {
      increment_tangent_[n] += sum_tangent_[n];
      if (mesh_.simulated[i]) tangent_[n] += sum_tangent_[n];
      sum_tangent_[n] = 0;
    }
  }
}

// Writes down what holds at the stop that a lane has come to, and prepares it for the next.
template <int W>
bool DrivenSweep<W>::record(int l) {
  const int stop = lanes_[l].stop++;
  for (int i = 0; i < states_; ++i) {
    if (mesh_.simulated[i] && !std::isfinite(x_[i * W + l])) return false;
    out_.x[stop * out_.states + i] = x_[i * W + l];
    out_.increments[stop * out_.states + i] = std::exchange(increments_[i * W + l], 0.0);
  }
  for (std::size_t e = 0; e < out_.entries; ++e) {
    out_.tangent[stop * out_.entries + e] = tangent_[e * W + l];
    out_.increment_tangent[stop * out_.entries + e] = std::exchange(increment_tangent_[e * W + l], 0.0);
  }
  out_.is_there[stop] = 1;
  if (mesh_.restart_at[stop]) restart(l, stop);
  return true;
}

template class DrivenSweep<1>;
template class DrivenSweep<4>;
template class DrivenSweep<8>;

}  // namespace salvo::start
