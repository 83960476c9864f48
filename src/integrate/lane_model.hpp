#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// The model at single points of one trajectory, for what happens at discontinuities. Truth values and pieces of inputs
// stand among the parameters.
class LaneModel {
 public:
  explicit LaneModel(const compile::CompiledModel& model)
      : model_(model), p_(model.parameters), work_(model.largest_work()), f_(model.states + model.kept) {}

  // Parameters of one lane, which stand `stride` apart.
  void take_parameters(const double* p, int stride) {
    for (int k = 0; k < model_.parameters; ++k) p_[k] = p[static_cast<std::size_t>(k) * stride];
  }
  std::span<double> frozen() {
    return std::span(p_).subspan(model_.discontinuities->first, model_.discontinuities->frozen);
  }
  void set_piece(const compile::InputKernel& input, int experiment, int piece) {
    input.set_piece(experiment, piece, p_.data(), 1);
  }
  // Values from the past, of a model that sees them.
  std::span<double> delayed() { return std::span(p_).subspan(model_.delays->first, model_.delays->looks.size()); }
  const double* parameters() const { return p_.data(); }

  // f, and behind it what f keeps for its products.
  const std::vector<double>& f(double t, const double* x) {
    model_.rhs.run<1>(at(t, x), work_.data(), f_.data());
    return f_;
  }
  // f_x dx, after f at the same point.
  void f_x_times(double t, const double* x, const double* dx, double* out) {
    compile::Arguments arguments = at(t, x);
    arguments.seed = dx;
    arguments.kept = f_.data() + model_.states;
    model_.jvp_x.run<1>(arguments, work_.data(), out);
  }
  void f_t(double t, const double* x, double* out) { run(model_.discontinuities->f_t, t, x, out); }

  void run(const compile::Kernel& kernel, double t, const double* x, double* out) {
    kernel.run<1>(at(t, x), work_.data(), out);
  }
  void run(const compile::Kernel& kernel, double t, const double* x, const double* seed, double* out) {
    compile::Arguments arguments = at(t, x);
    arguments.seed = seed;
    kernel.run<1>(arguments, work_.data(), out);
  }

 private:
  // The time is read before the call that got it returns.
  compile::Arguments at(const double& t, const double* x) const {
    return {.time = &t, .state = x, .parameter = p_.data()};
  }

  const compile::CompiledModel& model_;
  std::vector<double> p_, work_, f_;
};

}  // namespace salvo::integrate
