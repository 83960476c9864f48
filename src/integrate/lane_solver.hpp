#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "base/wide_registers.hpp"
#include "integrate/pivoted_lu.hpp"

namespace salvo::integrate {

// (s I - J) u = b in W lanes at once, by elimination in an order that is the same for all numbers. A lane in which this
// would lose digits pivots on its own; that depends on its own numbers alone.
template <int W>
class LaneSolver {
 public:
  using Lanes = std::array<double, W>;

  LaneSolver(const compile::CompiledModel& model, const compile::StiffKernels& kernels, int lanes)
      : model_(model), kernels_(kernels), lanes_(lanes) {}

  std::size_t scratch_size() const {
    const int list = kernels_.plan ? kernels_.plan->size : 0;
    return static_cast<std::size_t>(list + 3 * model_.states + kernels_.largest_work()) * W;
  }
  void place(double* scratch) {
    list_ = scratch;
    of_row_ = list_ + static_cast<std::size_t>(kernels_.plan ? kernels_.plan->size : 0) * W;
    of_upper_ = of_row_ + static_cast<std::size_t>(model_.states) * W;
    aside_ = of_upper_ + static_cast<std::size_t>(model_.states) * W;
    work_ = aside_ + static_cast<std::size_t>(model_.states) * W;
  }

  void factorize(const double* nonzeros, const Lanes& shift) {
    pivots_.fill(!kernels_.plan);
    if (kernels_.plan) {
      kernels_.elimination.factorize.template run<W>({.time = shift.data(), .seed = nonzeros}, work_, list_);
      judge_growth(nonzeros, shift);
    }
    for (int l = 0; l < lanes_; ++l) {
      if (!pivots_[l]) continue;
      if (!pivoted_[l]) pivoted_[l].emplace(model_);
      pivoted_[l]->factorize(nonzeros + l, shift[l], W);
    }
  }

  // What is left of s I - J, as EliminationPlan lists it; null in a lane that pivots on its own, by `pivoted`.
  const double* factors(int l) const { return pivots_[l] ? nullptr : list_ + l; }
  PivotedLu& pivoted(int l) { return *pivoted_[l]; }

  void solve(const double* b, double* x) {
    by_pivots([&](PivotedLu& lu, int l) { lu.solve(b + l, aside_ + l, W); });
    if (kernels_.plan) kernels_.elimination.solve.template run<W>({.seed = b, .kept = list_}, work_, x);
    take_aside(x);
  }
  void solve_transposed(const double* b, double* x) {
    by_pivots([&](PivotedLu& lu, int l) { lu.solve_transposed(b + l, aside_ + l, W); });
    if (kernels_.plan) kernels_.elimination.solve_transposed.template run<W>({.seed = b, .kept = list_}, work_, x);
    take_aside(x);
  }

 private:
  // How much larger than its row of s I - J something that was added to the row has been. Rounding grows with it.
  static constexpr double most_growth = 1e5;

  void judge_growth(const double* nonzeros, const Lanes& shift) {
    const compile::EliminationPlan& plan = *kernels_.plan;
    const std::size_t dw = static_cast<std::size_t>(model_.states) * W;
    Lanes growth{};
    with_wide_registers<W>([&] {
      std::fill_n(of_row_, dw, 0.0);
      const auto raise = [](double& to, double value) { to = to < value ? value : to; };
      for (const auto& [i, j, place] : plan.given) {
        for (int l = 0; l < W; ++l) {
          const double given = place < 0 ? 0.0 : nonzeros[static_cast<std::size_t>(place) * W + l];
          raise(of_row_[i * W + l], std::abs(i == j ? given - shift[l] : given));
        }
      }
      for (int i = 0; i < model_.states; ++i)
        for (int l = 0; l < W; ++l) of_upper_[i * W + l] = 1 / std::abs(list_[plan.pivot[i] * W + l]);
      for (const auto& [i, j, place] : plan.upper)
        for (int l = 0; l < W; ++l) raise(of_upper_[i * W + l], std::abs(list_[place * W + l]));
      for (const auto& [i, k, place] : plan.lower)
        for (int l = 0; l < W; ++l)
          raise(growth[l], std::abs(list_[place * W + l]) * of_upper_[k * W + l] / of_row_[i * W + l]);
      // A pivot of zero makes everything after it not a number, which no comparison would notice.
      for (int i = 0; i < model_.states; ++i)
        for (int l = 0; l < W; ++l) growth[l] += 0 * list_[plan.pivot[i] * W + l];
    });
    for (int l = 0; l < W; ++l) pivots_[l] = !(growth[l] <= most_growth);
  }

  template <class Solve>
  void by_pivots(const Solve& solve) {
    for (int l = 0; l < lanes_; ++l)
      if (pivots_[l]) solve(*pivoted_[l], l);
  }
  void take_aside(double* x) const {
    for (int l = 0; l < W; ++l) {
      if (!pivots_[l]) continue;
      for (int i = 0; i < model_.states; ++i) x[i * W + l] = l < lanes_ ? aside_[i * W + l] : 0.0;
    }
  }

  const compile::CompiledModel& model_;
  const compile::StiffKernels& kernels_;
  const int lanes_;
  double *list_ = nullptr, *of_row_ = nullptr, *of_upper_ = nullptr, *aside_ = nullptr, *work_ = nullptr;
  std::array<bool, W> pivots_{};
  std::array<std::optional<PivotedLu>, W> pivoted_{};
};

}  // namespace salvo::integrate
