#include "integrate/jump_sweep.hpp"

namespace salvo::integrate {

LaneJumps::LaneJumps(const compile::CompiledModel& model, const std::vector<Jump>& jumps, const double* p, int stride)
    : of_(*model.discontinuities), jumps_(jumps), d_(model.states), lane_(model), consistency_(model) {
  lane_.take_parameters(p, stride);
}

void LaneJumps::begin_forward(std::span<const double> frozen, int columns, std::vector<AlongParameter> along) {
  next_ = 0;
  moved_.assign(columns, 0.0);
  along_ = std::move(along);
  set_frozen(frozen);
}

void LaneJumps::begin_backward(std::span<const double> frozen, int scalars) {
  next_ = jumps_.size();
  moved_.assign(scalars, 0.0);
  set_frozen(jumps_.empty() ? frozen : std::span<const double>(*jumps_.back().frozen));
}

// Everything about a jump that no direction changes. What stands still is then as before it.
const LaneJumps::Slopes& LaneJumps::linearize(const Jump& jump, const StepByTime& by_time) {
  slopes_.phi_h.resize(d_);
  slopes_.f_after.resize(d_);
  const double* x = jump.before.data();
  if (jump.step < 0 && !is_fixed(jump)) {
    set_frozen(*jump.frozen_before);
    std::copy_n(consistency_.velocity(lane_, jump.time, x).data(), d_, slopes_.phi_h.data());
  }
  set_frozen(*jump.frozen);
  if (jump.next < 0 && !is_fixed(jump))
    std::copy_n(consistency_.velocity(lane_, jump.time, jump.after.data()).data(), d_, slopes_.f_after.data());
  if (consistency_.any()) consistency_.linearize(lane_, jump.time, jump.after.data());
  set_frozen(*jump.frozen_before);
  if (jump.event >= 0) {
    const compile::EventKernel& event = of_.events[jump.event];
    slopes_.event.resize(event.derivative.output_count());
    lane_.run(event.derivative, jump.time, x, slopes_.event.data());
  }
  if (jump.function < 0 || is_fixed(jump)) return slopes_;
  const compile::SwitchingFunction& function = of_.functions[jump.function];
  slopes_.z.resize(function.derivative.output_count());
  lane_.run(function.derivative, jump.time, x, slopes_.z.data());
  if (jump.step >= 0) by_time(0, 1, slopes_.phi_h.data());
  slopes_.speed = slopes_.z.back();
  for (std::size_t k = 0; k < function.by_state.size(); ++k)
    slopes_.speed += slopes_.z[k] * slopes_.phi_h[function.by_state[k]];
  return slopes_;
}

}  // namespace salvo::integrate
