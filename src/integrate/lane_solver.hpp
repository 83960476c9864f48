#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/pivoted_lu.hpp"

namespace salvo::integrate {

// (s M - J) u = b in W lanes at once, by elimination in an order that is the same for all numbers. A lane in which this
// would lose digits pivots on its own; that depends on its own numbers alone.
template <int W>
class LaneSolver {
 public:
  using Lanes = std::array<double, W>;
  using Numbers = compile::Pack<W>;

  LaneSolver(const compile::CompiledModel& model, const compile::StiffKernels& kernels, int lanes)
      : model_(model), kernels_(kernels), lanes_(lanes) {}

  std::size_t scratch_size() const {
    const int list = kernels_.plan ? kernels_.plan->size : 0;
    return static_cast<std::size_t>(list + 4 * model_.states + kernels_.largest_work()) * W;
  }
  void place(double* scratch) {
    list_ = scratch;
    of_row_ = at(list_, kernels_.plan ? kernels_.plan->size : 0);
    of_upper_ = at(of_row_, model_.states);
    added_ = at(of_upper_, model_.states);
    aside_ = at(added_, model_.states);
    work_ = at(aside_, model_.states);
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
  const double* list() const { return list_; }  // of all lanes; numbers of those that pivot mean nothing
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

  // What is found of each row goes through memory: in registers the compiler would take lane after lane.
  void judge_growth(const double* nonzeros, const Lanes& shift) {
    const compile::EliminationPlan& plan = *kernels_.plan;
    with_wide_registers<W>([&] {
      const auto raise = [](double* to, const Numbers& value) { larger(Numbers::load(to), value).store(to); };
      for (const auto& [i, j, place] : plan.given) {
        const Numbers given = place < 0 ? Numbers::all(0) : Numbers::load(at(nonzeros, place));
        if (i == j)
          size(plan.is_shifted[i] ? given - Numbers::load(shift.data()) : given).store(at(of_row_, i));
        else
          raise(at(of_row_, i), size(given));
      }
      for (int i = 0; i < model_.states; ++i) {
        (Numbers::all(1) / size(Numbers::load(at(list_, plan.pivot[i])))).store(at(of_upper_, i));
        Numbers::all(0).store(at(added_, i));
      }
      for (const auto& [i, j, place] : plan.upper) raise(at(of_upper_, i), size(Numbers::load(at(list_, place))));
      for (const auto& [i, k, place] : plan.lower)
        raise(at(added_, i), size(Numbers::load(at(list_, place))) * Numbers::load(at(of_upper_, k)));
      // A pivot of zero makes everything after it not a number, which no comparison would notice.
      for (int i = 0; i < model_.states; ++i)
        (larger(Numbers::all(0), Numbers::load(at(added_, i)) / Numbers::load(at(of_row_, i))) +
         0 * Numbers::load(at(list_, plan.pivot[i])))
            .store(at(added_, i));
    });
    for (int l = 0; l < W; ++l) {
      pivots_[l] = false;
      for (int i = 0; i < model_.states; ++i) pivots_[l] = pivots_[l] || !(added_[i * W + l] <= most_growth);
    }
  }
  template <class Number>
  static Number* at(Number* packs, int place) {
    return packs + static_cast<std::size_t>(place) * W;
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
  double* list_ = nullptr;
  double *of_row_ = nullptr, *of_upper_ = nullptr, *added_ = nullptr;  // the largest of every row
  double *aside_ = nullptr, *work_ = nullptr;
  std::array<bool, W> pivots_{};
  std::array<std::optional<PivotedLu>, W> pivoted_{};
};

}  // namespace salvo::integrate
