#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "integrate/record.hpp"
#include "model/choices.hpp"

namespace salvo::integrate {

// `auto` takes explicit steps until equations turn out to be stiff, and then says so (Outcome::stiff). The method for
// the rest of the way; any other choice is itself.
model::Integrator for_stiff(const model::Integrator& choice);
// So does an interval that is out of steps, if it had all there are: at tolerances near rounding the signs of stiffness
// drown in it.
bool turned_out_stiff(const model::Integrator& choice, const Ending& ending, int max_steps);

// What computes: "dopri5" for `auto`, any other choice by its name.
std::string_view name_in_use(const model::Integrator& choice);

// The method whose steps machine code can take whole; null for methods of other kinds.
const compile::Tableau* whole_steps_of(const model::Integrator& choice);

// This integrator has an rtol not smaller than `least`. What was said of absolute errors stands, for it knows how small
// the states are; and fixed steps stay what they are.
model::Integrator no_finer(const model::Integrator& choice, double least);
// How many times as many steps `choice` takes as no_finer(choice, least), for methods of order 5.
double steps_saved(const model::Integrator& choice, double least);

// This is the tolerance of trajectories, and 0 where steps are fixed.
double relative_tolerance(const model::Integrator& choice);
// A state smaller than this is computed to an absolute accuracy only: a number, or a share of the size it has had.
struct SmallestSize {
  std::optional<double> given{};
  double share = 1e-2;
};
SmallestSize smallest_size(const model::Integrator& choice);

// Scratch memory that one thread uses again and again; it begins at a cache line.
struct Scratch {
  std::vector<double> numbers{};
  double* take(std::size_t count) {
    constexpr std::size_t line = 64;
    std::size_t space = count * sizeof(double) + line;
    if (numbers.size() * sizeof(double) < space) numbers.resize(space / sizeof(double));
    void* begin = numbers.data();
    return static_cast<double*>(std::align(line, count * sizeof(double), begin, space));
  }
};

// Integrates all lanes to their last stop, or to where they fail.
template <int W>
void integrate(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
               Record<W>& record, Scratch& scratch);

// A direction of (x0, active p), entry by entry: derivative `column` is taken along all entries that bear its number.
struct Seed {
  int column = 0;
  int row = 0;  // a state, or behind the states a parameter
  double value = 0;
};

// The directions of every lane.
template <int W>
struct Seeds {
  std::array<int, W> columns{};
  std::array<std::span<const Seed>, W> of_lane{};
  int most_columns() const { return *std::max_element(columns.begin(), columns.end()); }
};

// One column for each state and parameter.
std::vector<Seed> unit_seeds(const compile::CompiledModel& model);

// Called when lane `l`, if it has columns, has reached stop `k`: T is the derivative of the state there,
// T[(i + column * observed) * W + l] = d x_i / d column; delayed values, where equations look into the past, stand
// behind the states (CompiledModel::observed).
using TangentSink = std::function<void(int l, int k, const double* T)>;

// Forward sweep over the recorded steps.
template <int W>
void tangent(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
             Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink, Scratch& scratch);

// Directions of x0, T[(i + c * observed) * W + l], which a sweep uses up. With `dp` (active packs) there is one, in
// which the parameters change too.
struct Directions {
  int count = 1;
  double* T = nullptr;
  const double* dp = nullptr;
};

// Forward sweep by products with f_x and f_p, which are never written down.
template <int W>
void tangent_along(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
                   Record<W>& record, const Directions& directions, const TangentSink& sink, Scratch& scratch);

// Called when the backward sweep stands at stop `k` of lane `l`, before it passes it: adds to lambda[c][i], which is
// lambda[(i + c * observed) * W + l], the derivative of the c-th scalar by the state there, or by a delayed value.
using Injection = std::function<void(int l, int k, double* lambda)>;

// Functions of the states at the stops, and where their derivatives by x0 and by p go:
// by_x0[(i + c * observed) * W + l], by_p[(k + c * active) * W + l].
struct Scalars {
  int count = 1;
  const Injection& inject;
  double* by_x0 = nullptr;
  double* by_p = nullptr;
};

// Backward sweep over the recorded steps.
template <int W>
void adjoint(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
             Record<W>& record, const Scalars& scalars, Scratch& scratch);

}  // namespace salvo::integrate
