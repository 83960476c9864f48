#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/pivoted_lu.hpp"
#include "integrate/places.hpp"
#include "integrate/reached_equations.hpp"
#include "integrate/unrolled.hpp"

namespace salvo::integrate {

// The matrices of one recorded step. Its stages stand side by side, eight places for each non-zero.
struct LinearizedStep {
  static constexpr int side_by_side = 8;
  double by_h = 0;                   // 1/h
  const double* nonzeros = nullptr;  // of [f_x f_p] at X_i, then of [C_i D_i]
  const double* factors = nullptr;   // of s M - J, as EliminationPlan lists them, as far apart; null: `pivoted` solves
  const double* up = nullptr;        // -u_jk/u_jj row by row, as far apart
  PivotedLu* pivoted = nullptr;
};

// At most `wide` directions (dx, dp) that pass steps side by side (rosenbrock_tangents.hpp), among the states that they
// reach.
template <class Tableau, int wide>
class RosenbrockDirections {
 public:
  static constexpr int s = Tableau::stages;
  using PerStage = std::array<double*, s>;

  RosenbrockDirections(const compile::CompiledModel& model, const compile::StiffKernels& kernels,
                       const ColumnGroup& group, std::span<const Seed> seeds);

  std::size_t size() const { return equations_.states.size() * wide; }
  void lay_out(Places& places) {
    stage_ = places.give(2 * size());
    T_ = stage_ + size();
    by_p_ = places.give(s * size_by_p_);
    by_p_of_stages_ = places.give(targets_.size() * side_by_side);
    aside_ = places.give(states_);
  }
  void begin() {
    std::fill_n(T_, size(), 0.0);
    std::fill_n(by_p_, s * size_by_p_, 0.0);
    for (const auto& [at, value] : along_x_) T_[at] += value;
  }

  // use(column of the sweep, state, number) for all of them.
  template <class Use>
  void each_number(const Use& use) {
    for (std::size_t n = 0; n < equations_.states.size(); ++n)
      for (std::size_t c = 0; c < columns_.size(); ++c) use(columns_[c], equations_.states[n], T_[n * wide + c]);
  }

  // Over one step; du is room for size() numbers of each stage.
  void push_forward(const LinearizedStep& step, const PerStage& du) {
    with_widest_registers<wide>([&] {
      weigh_parameters(step.nonzeros);
      unrolled<0, s>([&](auto i) {
        form_stage<i()>(step.by_h, du);
        form_side<i()>(step, du[i()]);
        solve(step, du[i()]);
      });
      for (std::size_t n = 0; n < size(); n += wide)
        (Numbers::load(stage_ + n) + Numbers::load(du[s - 1] + n)).store(T_ + n);
    });
  }

 private:
  static constexpr int side_by_side = LinearizedStep::side_by_side;
  static_assert(s <= side_by_side);
  using Numbers = compile::Pack<wide>;
  struct AlongState {
    std::size_t at = 0;
    double value = 0;
  };
  // value times a non-zero of [f_p; D], in the equation and the direction that `target` says.
  struct AlongParameter {
    int target = 0;
    int place = 0;
    double value = 0;
  };

  void list_seeds(const compile::CompiledModel& model, const compile::StiffKernels& kernels,
                  std::span<const Seed> seeds);
  void weigh_parameters(const double* nonzeros);
  static void add_products(const SumsOfProducts::Term*& term, const SumsOfProducts::Term* end,
                           const double* coefficients, const double* numbers, Numbers& sum);
  template <int i>
  void form_stage(double by_h, const PerStage& du);
  template <int i>
  void form_side(const LinearizedStep& step, double* side);
  void solve(const LinearizedStep& step, double* side) const;
  void solve_by_pivots(PivotedLu& lu, double* side) const;

  std::vector<int> columns_;
  ReachedEquations equations_;
  int states_;
  std::vector<AlongState> along_x_;
  std::vector<AlongParameter> along_p_;     // by targets
  std::vector<int> targets_;                // each once
  std::vector<std::size_t> algebraic_;      // rows
  std::vector<std::size_t> rows_by_p_;      // of equations with parameters, as they stand in by_p
  std::size_t size_by_p_ = 0;               // of a stage
  double *stage_ = nullptr, *T_ = nullptr;  // dX_i and dx, one behind the other
  double* by_p_ = nullptr;                  // [f_p(X_i) + D_i] dp, stage by stage
  double* by_p_of_stages_ = nullptr;        // the same of each target, stages side by side
  double* aside_ = nullptr;                 // one column of all states
};

template <class Tableau, int wide>
RosenbrockDirections<Tableau, wide>::RosenbrockDirections(const compile::CompiledModel& model,
                                                          const compile::StiffKernels& kernels,
                                                          const ColumnGroup& group, std::span<const Seed> seeds)
    : columns_(group.columns), equations_(reached_equations(model, kernels, group.reached)), states_(model.states) {
  list_seeds(model, kernels, seeds);
  for (SumsOfProducts* sums : {&equations_.products, &equations_.down, &equations_.up})
    sums->spread(side_by_side, wide);
  for (std::uint32_t& place : equations_.pivot) place *= side_by_side;
}

template <class Tableau, int wide>
void RosenbrockDirections<Tableau, wide>::list_seeds(const compile::CompiledModel& model,
                                                     const compile::StiffKernels& kernels,
                                                     std::span<const Seed> seeds) {
  std::vector<int> row_of(states_, -1);
  for (std::size_t n = 0; n < equations_.states.size(); ++n) row_of[equations_.states[n]] = static_cast<int>(n);
  for (const int state : model.algebraic)
    if (row_of[state] >= 0) algebraic_.push_back(static_cast<std::size_t>(row_of[state]) * wide);
  for (const auto& [column, row, value] : seeds) {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) continue;
    const int c = static_cast<int>(found - columns_.begin());
    if (row < states_) {
      along_x_.push_back({static_cast<std::size_t>(row_of[row] * wide + c), value});
      continue;
    }
    const auto add_line = [&](const compile::Lines& lines, int first_place) {
      for (int k = lines.start[row]; k < lines.start[row + 1]; ++k)
        along_p_.push_back({row_of[lines.across[k]] * wide + c, (first_place + lines.place[k]) * side_by_side, value});
    };
    add_line(model.columns, 0);
    add_line(kernels.curvature_columns, model.columns.size());
  }
  std::stable_sort(along_p_.begin(), along_p_.end(),
                   [](const AlongParameter& a, const AlongParameter& b) { return a.target < b.target; });
  for (AlongParameter& along : along_p_) {
    const std::size_t row = along.target / wide * wide;
    if (rows_by_p_.empty() || rows_by_p_.back() != row) rows_by_p_.push_back(row);
    along.target = static_cast<int>((rows_by_p_.size() - 1) * wide) + along.target % wide;
    if (targets_.empty() || targets_.back() != along.target) targets_.push_back(along.target);
  }
  size_by_p_ = rows_by_p_.size() * wide;
}

// [f_p(X_i) + D_i] dp of all stages side by side, and then stage by stage. Through memory: of numbers that are parted
// in registers, compilers compute one after the other.
template <class Tableau, int wide>
void RosenbrockDirections<Tableau, wide>::weigh_parameters(const double* nonzeros) {
  using Stages = compile::Pack<side_by_side>;
  double* sums = by_p_of_stages_;
  for (auto along = along_p_.begin(); along != along_p_.end(); sums += side_by_side) {
    const int target = along->target;
    Stages sum = Stages::all(0);
    for (; along != along_p_.end() && along->target == target; ++along)
      sum = sum + Stages::all(along->value) * Stages::load(nonzeros + along->place);
    sum.store(sums);
  }
  sums = by_p_of_stages_;
  for (const int target : targets_) {
    for (int i = 0; i < s; ++i) by_p_[i * size_by_p_ + target] = sums[i];
    sums += side_by_side;
  }
}

// Is X_i = X_(i-1) + u_(i-1)?
template <class Tableau>
constexpr bool follows(int i) {
  for (int j = 0; j < i; ++j)
    if (Tableau::a[i][j] != (j == i - 1 ? 1 : Tableau::a[i - 1][j])) return false;
  return i > 0;
}

// dX_i, and sum_{j<i} c_ij/h du_j in the place of du_i.
template <class Tableau, int wide>
template <int i>
void RosenbrockDirections<Tableau, wide>::form_stage(double by_h, const PerStage& du) {
  for (std::size_t n = 0; n < size(); n += wide) {
    Numbers sum = Numbers::all(0);
    unrolled<0, i>([&](auto j) { sum = sum + Tableau::c[i][j()] * Numbers::load(du[j()] + n); });
    (by_h * sum).store(du[i] + n);
    if constexpr (follows<Tableau>(i)) {
      (Numbers::load(stage_ + n) + Numbers::load(du[i - 1] + n)).store(stage_ + n);
    } else {
      Numbers at = Numbers::load(T_ + n);
      unrolled<0, i>([&](auto j) { at = at + Tableau::a[i][j()] * Numbers::load(du[j()] + n); });
      at.store(stage_ + n);
    }
  }
}

// The products of the terms up to `end`, where `term` will point then.
template <class Tableau, int wide>
void RosenbrockDirections<Tableau, wide>::add_products(const SumsOfProducts::Term*& term,
                                                       const SumsOfProducts::Term* end, const double* coefficients,
                                                       const double* numbers, Numbers& sum) {
  for (; term != end; ++term)
    sum = sum + Numbers::all(coefficients[term->place]) * Numbers::load(numbers + term->across);
}

// Adds f_x(X_i) dX_i + C_i dx + [f_p(X_i) + D_i] dp, and eliminates downwards on the way.
template <class Tableau, int wide>
template <int i>
void RosenbrockDirections<Tableau, wide>::form_side(const LinearizedStep& step, double* side) {
  const auto& [states, products, down, up, pivot] = equations_;
  for (const std::size_t row : algebraic_) Numbers::all(0).store(side + row);  // no c_ij/h du_j there
  // Before the sums are: a number that is added on a condition takes them out of wide registers.
  const double* by_p = by_p_ + i * size_by_p_;
  for (const std::size_t row : rows_by_p_) {
    (Numbers::load(side + row) + Numbers::load(by_p)).store(side + row);
    by_p += wide;
  }
  const SumsOfProducts::Term* product = products.terms.data();
  const SumsOfProducts::Term* eliminated = down.terms.data();
  const std::size_t count = states.size();
  for (std::size_t row = 0; row < count; ++row) {
    Numbers sum = Numbers::load(side + row * wide);
    add_products(product, products.terms.data() + products.end[row], step.nonzeros + i, stage_, sum);
    if (step.factors != nullptr) add_products(eliminated, down.terms.data() + down.end[row], step.factors, side, sum);
    sum.store(side + row * wide);
  }
}

// (s M - J) du = side in its place: upwards, after the way down.
template <class Tableau, int wide>
void RosenbrockDirections<Tableau, wide>::solve(const LinearizedStep& step, double* side) const {
  if (step.factors == nullptr) return solve_by_pivots(*step.pivoted, side);
  const auto& [states, products, down, up, pivot] = equations_;
  const SumsOfProducts::Term* term = up.terms.data();
  const std::size_t count = states.size();
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t row = count - 1 - n;
    Numbers sum = Numbers::all(step.factors[pivot[row]]) * Numbers::load(side + row * wide);
    add_products(term, up.terms.data() + up.end[n], step.up, side, sum);
    sum.store(side + row * wide);
  }
}

template <class Tableau, int wide>
void RosenbrockDirections<Tableau, wide>::solve_by_pivots(PivotedLu& lu, double* side) const {
  const std::vector<int>& states = equations_.states;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::fill_n(aside_, states_, 0.0);
    for (std::size_t n = 0; n < states.size(); ++n) aside_[states[n]] = side[n * wide + c];
    lu.solve(aside_, aside_, 1);
    for (std::size_t n = 0; n < states.size(); ++n) side[n * wide + c] = aside_[states[n]];
  }
}

}  // namespace salvo::integrate
