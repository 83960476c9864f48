#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "integrate/consistency.hpp"
#include "integrate/strided.hpp"
#include "integrate/switchboards.hpp"

namespace salvo::integrate {

// d Phi = Phi_t dt + Phi_h dh of a recorded step, whose beginning t and length h move.
using StepByTime = std::function<void(double dt, double dh, double* out)>;

// The derivatives of one trajectory through its jumps (docs/mathematics.md, section 19). Steps keep their ends, but one
// that ends in a jump ends when that happens, and the next one takes up the change:
//   dh = -(z_x dx + z_p dp) / (z_x Phi_h + z_t),   dx- = dx + Phi_h dh,   dx+ = E_x dx- + E_p dp + E_t dh,
//   and at the end of the next step   dx += (Phi_t - Phi_h) dh
// Algebraic variables follow from dx+ and dh (consistency.hpp); where a trajectory begins they do so before anything.
class LaneJumps {
 public:
  LaneJumps(const compile::CompiledModel& model, const std::vector<Jump>& jumps, const double* p, int stride);

  LaneModel& model() { return lane_; }
  // Does anything happen after so many slots?
  bool concerns_forward(int slot) const {
    return (next_ < jumps_.size() && jumps_[next_].slot == slot) || is_taken_up(slot - 1);
  }
  bool concerns_backward(int slot) const {
    for (std::size_t n = next_; n > 0 && jumps_[n - 1].slot >= slot - 1; --n)
      if (jumps_[n - 1].slot == slot || jumps_[n - 1].next == slot - 1) return true;
    return is_taken_up(slot - 1);
  }

  // --- forward ---
  // Directions of the active parameters, as Seeds have them.
  struct AlongParameter {
    int column = 0;
    int parameter = 0;
    double value = 0;
  };
  void begin_forward(std::span<const double> frozen, int columns, std::vector<AlongParameter> along);
  // Jumps that follow so many slots; column(c) gives the derivative there. With by_time of slot - 1, if it is a step.
  template <class Column>
  void forward(int slot, const StepByTime& by_time, const Column& column) {
    take_up_forward(slot - 1, by_time, column);
    for (; next_ < jumps_.size() && jumps_[next_].slot == slot; ++next_) pass_forward(jumps_[next_], by_time, column);
  }

  // --- backward ---
  void begin_backward(std::span<const double> frozen, int scalars);
  // Jumps that follow so many slots, the last one first, and what the step in slot - 1 takes up.
  template <class Scalar>
  void backward(int slot, const StepByTime& by_time, const Scalar& scalar) {
    for (; next_ > 0 && jumps_[next_ - 1].slot == slot; --next_) pass_backward(jumps_[next_ - 1], by_time, scalar);
    take_up_backward(slot - 1, by_time, scalar);
  }

 private:
  struct Slopes {
    std::vector<double> z{};  // non-zeros of z_x, of z_p, then z_t
    std::vector<double> phi_h{};
    double speed = 1;  // z_x Phi_h + z_t
    std::vector<double> event{};
    std::vector<double> f_after{};
  };
  const Slopes& linearize(const Jump& jump, const StepByTime& by_time);
  void set_frozen(std::span<const double> frozen) { std::copy(frozen.begin(), frozen.end(), lane_.frozen().begin()); }
  // A jump that nothing moves leaves nothing to take up.
  bool is_fixed(const Jump& jump) const {
    return jump.is_begin || (jump.function >= 0 && of_.functions[jump.function].is_fixed());
  }
  bool is_taken_up(int step) const {
    return step >= 0 && next_ > 0 && jumps_[next_ - 1].next == step && !is_fixed(jumps_[next_ - 1]);
  }
  bool follows_at_once(std::size_t index) const { return index < jumps_.size() && jumps_[index].function < 0; }
  const double* change_of_next(const StepByTime& by_time) {
    change_.resize(d_);
    by_time(1, -1, change_.data());
    return change_.data();
  }

  template <class Column>
  void take_up_forward(int step, const StepByTime& by_time, const Column& column) {
    if (!is_taken_up(step)) return;
    const double* change = change_of_next(by_time);
    for (int c = 0; c < static_cast<int>(moved_.size()); ++c) add(column(c), moved_[c], change);
  }
  void add(const Strided& to, double factor, const double* vector) const {
    for (int n = 0; n < d_ && factor != 0; ++n) to[n] += factor * vector[n];
  }

  template <class Column>
  void pass_forward(const Jump& jump, const StepByTime& by_time, const Column& column) {
    const Slopes& slopes = linearize(jump, by_time);
    if (is_fixed(jump)) std::fill(moved_.begin(), moved_.end(), 0.0);
    if (jump.function >= 0 && !is_fixed(jump)) {
      const compile::SwitchingFunction& z = of_.functions[jump.function];
      const double* by_p = slopes.z.data() + z.by_state.size();
      for (int c = 0; c < static_cast<int>(moved_.size()); ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < z.by_state.size(); ++k) sum += slopes.z[k] * column(c)[z.by_state[k]];
        moved_[c] = sum;
      }
      for (const AlongParameter& along : along_)
        for (std::size_t k = 0; k < z.by_parameter.size(); ++k)
          if (z.by_parameter[k] == along.parameter) moved_[along.column] += by_p[k] * along.value;
      for (int c = 0; c < static_cast<int>(moved_.size()); ++c) {
        moved_[c] /= -slopes.speed;
        add(column(c), moved_[c], slopes.phi_h.data());
      }
    }
    if (jump.event >= 0) event_forward(of_.events[jump.event], slopes.event, column);
    for (int c = 0; c < static_cast<int>(moved_.size()) && consistency_.any(); ++c)
      consistency_.forward(column(c), parameters_along(c), moved_[c]);
    set_frozen(*jump.frozen);
    if (jump.next < 0 && !follows_at_once(next_ + 1) && !is_fixed(jump))
      for (int c = 0; c < static_cast<int>(moved_.size()); ++c) add(column(c), -moved_[c], slopes.f_after.data());
  }
  // What column c does to parameters.
  std::span<const Consistency::AlongParameter> parameters_along(int c) {
    of_column_.clear();
    for (const AlongParameter& along : along_)
      if (along.column == c) of_column_.push_back({along.parameter, along.value});
    return of_column_;
  }
  template <class Column>
  void event_forward(const compile::EventKernel& event, const std::vector<double>& slopes, const Column& column) {
    const std::size_t rows = event.states.size();
    const double* by_p = slopes.data() + event.by_state.size();
    const double* by_t = by_p + event.by_parameter.size();
    std::vector<double> fresh(rows * moved_.size(), 0.0);
    for (std::size_t c = 0; c < moved_.size(); ++c) {
      double* to = fresh.data() + c * rows;
      const Strided from = column(static_cast<int>(c));
      for (int k = 0; k < event.by_state.size(); ++k)
        to[event.by_state.row[k]] += slopes[k] * from[event.by_state.column[k]];
      for (std::size_t k = 0; k < event.by_time.size(); ++k) to[event.by_time[k]] += by_t[k] * moved_[c];
    }
    for (const AlongParameter& along : along_)
      for (int k = 0; k < event.by_parameter.size(); ++k)
        if (event.by_parameter.column[k] == along.parameter)
          fresh[along.column * rows + event.by_parameter.row[k]] += by_p[k] * along.value;
    for (std::size_t c = 0; c < moved_.size(); ++c)
      for (std::size_t r = 0; r < rows; ++r) column(static_cast<int>(c))[event.states[r]] = fresh[c * rows + r];
  }

  template <class Scalar>
  void take_up_backward(int step, const StepByTime& by_time, const Scalar& scalar) {
    if (!is_taken_up(step)) return;
    const double* change = change_of_next(by_time);
    for (int c = 0; c < static_cast<int>(moved_.size()); ++c) moved_[c] = dot(scalar(c).by_x, change);
  }
  double dot(const Strided& a, const double* b) const {
    double sum = 0;
    for (int n = 0; n < d_; ++n) sum += a[n] * b[n];
    return sum;
  }

  template <class Scalar>
  void pass_backward(const Jump& jump, const StepByTime& by_time, const Scalar& scalar) {
    const Slopes& slopes = linearize(jump, by_time);  // leaves the truth values before the jump
    const bool is_last_here = jump.next < 0 && !follows_at_once(next_) && !is_fixed(jump);
    for (int c = 0; c < static_cast<int>(moved_.size()); ++c) {
      const auto [by_x, by_p] = scalar(c);
      if (is_last_here) moved_[c] = -dot(by_x, slopes.f_after.data());
      if (consistency_.any()) consistency_.backward(by_x, by_p, moved_[c]);
      if (jump.event >= 0) event_backward(of_.events[jump.event], slopes.event, by_x, by_p, moved_[c]);
      if (is_fixed(jump)) moved_[c] = 0;
      if (jump.function < 0 || is_fixed(jump)) continue;
      const compile::SwitchingFunction& z = of_.functions[jump.function];
      const double mu = -(dot(by_x, slopes.phi_h.data()) + moved_[c]) / slopes.speed;
      const double* slope = slopes.z.data();
      for (const int i : z.by_state) by_x[i] += mu * *slope++;
      for (const int k : z.by_parameter) by_p[k] += mu * *slope++;
      moved_[c] = 0;
    }
  }
  void event_backward(const compile::EventKernel& event, const std::vector<double>& slopes, const Strided& by_x,
                      const Strided& by_p, double& by_t) {
    std::vector<double> lambda(event.states.size());
    for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = std::exchange(by_x[event.states[r]], 0.0);
    const double* slope = slopes.data();
    for (int k = 0; k < event.by_state.size(); ++k)
      by_x[event.by_state.column[k]] += lambda[event.by_state.row[k]] * *slope++;
    for (int k = 0; k < event.by_parameter.size(); ++k)
      by_p[event.by_parameter.column[k]] += lambda[event.by_parameter.row[k]] * *slope++;
    for (const int row : event.by_time) by_t += lambda[row] * *slope++;
  }

  const compile::Discontinuities& of_;
  const std::vector<Jump>& jumps_;
  int d_;
  LaneModel lane_;
  Consistency consistency_;  // linearized where the jump at hand leads to
  std::vector<Consistency::AlongParameter> of_column_{};
  std::size_t next_ = 0;         // jump ahead; backward: behind the next one
  std::vector<double> moved_{};  // forward: by how much the last jump moves, of every column; backward: lambda_t
  std::vector<AlongParameter> along_{};
  std::vector<double> change_{};
  Slopes slopes_{};
};

// What one scalar of a backward sweep has found so far.
struct SweptScalar {
  Strided by_x{};
  Strided by_p{};
};

// All lanes of a sweep, and the truth values that their steps went by.
template <int W>
class JumpSweep {
 public:
  JumpSweep(const compile::CompiledModel& model, const Launch<W>& launch, const Record<W>& record,
            FrozenParameters<W>& parameters)
      : record_(record), parameters_(parameters), count_(launch.lanes) {
    for (int l = 0; l < count_; ++l) lanes_[l].emplace(model, record.jumps[l], launch.p + l, W);
    for (int l = 0; l < W; ++l) parameters_.set_frozen(l, record.frozen[l]);
  }
  LaneModel& lane(int l) { return lanes_[l]->model(); }

  using AlongParameter = LaneJumps::AlongParameter;
  void begin_forward(int l, int columns, std::vector<AlongParameter> along) {
    lanes_[l]->begin_forward(record_.frozen[l], columns, std::move(along));
  }
  // Lane l after so many slots. True if something has changed.
  template <class Column>
  bool forward(int l, int slot, const StepByTime& by_time, const Column& column) {
    if (!lanes_[l]->concerns_forward(slot)) return false;
    lanes_[l]->forward(slot, by_time, column);
    take_over(l);
    return true;
  }
  void begin_backward(int scalars) {
    for (int l = 0; l < count_; ++l) {
      lanes_[l]->begin_backward(record_.frozen[l], scalars);
      take_over(l);
    }
  }
  template <class Scalar>
  bool backward(int l, int slot, const StepByTime& by_time, const Scalar& scalar) {
    if (!lanes_[l]->concerns_backward(slot)) return false;
    lanes_[l]->backward(slot, by_time, scalar);
    take_over(l);
    return true;
  }

 private:
  // The kernels go by what the lane's own model goes by.
  void take_over(int l) { parameters_.set_frozen(l, lanes_[l]->model().frozen()); }

  const Record<W>& record_;
  FrozenParameters<W>& parameters_;
  int count_;
  std::array<std::optional<LaneJumps>, W> lanes_{};
};

}  // namespace salvo::integrate
