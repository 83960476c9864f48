#include "integrate/delayed/delayed.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"
#include "integrate/delayed/flight.hpp"
#include "integrate/delayed/sweep.hpp"
#include "integrate/methods.hpp"

namespace salvo::integrate {
namespace {

// With the part of fourth order of dopri5's interpolant ([HNW93] II.6).
const DenseMethod& dense_dopri5() {
  static const DenseMethod method =
      dense_explicit(*tableau_of(model::Dopri5{}),
                     {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
                      701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423},
                     5);
  return method;
}

const DenseMethod& dense_rk4() {
  static const DenseMethod method = dense_explicit(*tableau_of(model::Rk4{}), {}, 4);
  return method;
}

// Null for methods without dense output.
const DenseMethod* dense_method(const model::Integrator& choice) {
  if (std::holds_alternative<model::Rk4>(choice)) return &dense_rk4();
  if (std::holds_alternative<model::Rodas5p>(choice)) return &dense_rodas5p();
  const bool is_dopri5 =
      std::holds_alternative<model::Dopri5>(choice) || std::holds_alternative<model::AutoIntegrator>(choice);
  return is_dopri5 ? &dense_dopri5() : nullptr;
}

// Algebraic equations need linearly implicit steps.
model::Integrator in_use(const compile::CompiledModel& model, const model::Integrator& choice) {
  return model.algebraic.empty() ? choice : for_stiff(choice);
}

// One lane of a launch, its numbers side by side.
struct LaneLaunch {
  std::vector<double> x0, p;
  Launch<1> launch;

  template <int W>
  LaneLaunch(const compile::CompiledModel& model, const Launch<W>& of, int l) : x0(model.states), p(model.parameters) {
    for (int i = 0; i < model.states; ++i) x0[i] = of.x0[i * W + l];
    for (int k = 0; k < model.parameters; ++k) p[k] = of.p[k * W + l];
    launch = {.lanes = 1,
              .max_steps = of.max_steps,
              .begin = {of.begin[l]},
              .stops = {of.stops[l]},
              .x0 = x0.data(),
              .p = p.data(),
              .experiment = {of.experiment[l]},
              .is_start = {of.is_start[l]},
              .stop = of.stop};
  }
  LaneLaunch(const LaneLaunch&) = delete;
  LaneLaunch& operator=(const LaneLaunch&) = delete;
};

void fly(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<1>& launch,
         const DelayedRecord& record) {
  const DenseMethod& method = *dense_method(choice);
  constexpr double explicit_share = 1e-4;  // as dopri5.cpp has it
  if (const auto* rk4 = std::get_if<model::Rk4>(&choice)) {
    DelayedFlight<FixedStep>(model, method, launch, record).fly({.step = rk4->step});
    return;
  }
  if (const auto* rodas5p = std::get_if<model::Rodas5p>(&choice)) {
    StiffErrorControl rule;
    rule.scale = {rodas5p->rtol, rodas5p->atol};
    DelayedFlight<StiffErrorControl>(model, method, launch, record).fly(rule);
    return;
  }
  model::Dopri5 of;
  if (const auto* dopri5 = std::get_if<model::Dopri5>(&choice)) of = *dopri5;
  if (const auto* open = std::get_if<model::AutoIntegrator>(&choice)) of = {.rtol = open->rtol, .atol = open->atol};
  DelayedFlight<ErrorControl>(model, method, launch, record)
      .fly({.scale = {of.rtol, of.atol, explicit_share},
            .watches_stiffness = std::holds_alternative<model::AutoIntegrator>(choice) && model.stiff});
}

// Columns of one lane as dense directions, swept to its stops.
struct LaneColumns {
  int count = 0;
  std::vector<double> dx0{}, dp{};  // [number][column]
};

template <int W>
void sweep_tangent(const compile::CompiledModel& model, const DenseMethod& method, const Launch<W>& launch,
                   const Record<W>& record, int l, LaneColumns columns, const TangentSink& sink,
                   std::vector<double>& T) {
  const LaneLaunch lane(model, launch, l);
  DelayedSteps steps({model, method, record.delayed[l], record.jumps[l], lane.launch});
  const int observed = model.observed();
  const int count = columns.count;
  T.resize(static_cast<std::size_t>(observed) * count * W);
  DelayedTangent(steps, count, std::move(columns.dx0), std::move(columns.dp))
      .sweep(
          [&](int stop, const double* x, const double* delayed) {
            for (int c = 0; c < count; ++c)
              for (int i = 0; i < observed; ++i)
                T[(i + static_cast<std::size_t>(c) * observed) * W + l] =
                    i < model.states ? x[i * count + c] : delayed[(i - model.states) * count + c];
            sink(l, stop, T.data());
          },
          launch.stop);
}

}  // namespace

template <int W>
void integrate_delayed(const compile::CompiledModel& model, const model::Integrator& chosen, const Launch<W>& launch,
                       Record<W>& record) {
  const model::Integrator choice = in_use(model, chosen);
  record.states = model.states;
  if (dense_method(choice) == nullptr) return refuse(record, Outcome::delayed);
  if (!model.algebraic.empty() && !dense_method(choice)->is_implicit) return refuse(record, Outcome::algebraic);
  if (dense_method(choice)->is_implicit && !model.stiff) return refuse(record, Outcome::no_jacobian);
  record.begin(model.states, 0);
  for (int l = 0; l < launch.lanes; ++l) {
    const LaneLaunch lane(model, launch, l);
    fly(model, choice, lane.launch,
        {.path = record.delayed[l],
         .jumps = record.jumps[l],
         .frozen = record.frozen[l],
         .stop_slot = record.stop_slot[l],
         .seen_at_stop = record.x_stop[l],
         .ending = record.ending[l],
         .steps = record.steps[l],
         .rhs = record.rhs,
         .frozen_budget = record.frozen_budget});
  }
}

template <int W>
void tangent_delayed(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<W>& launch,
                     Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink) {
  std::vector<double> T;
  for (int l = 0; l < launch.lanes; ++l) {
    const int count = seeds.columns[l];
    if (count == 0) continue;
    LaneColumns columns{.count = count,
                        .dx0 = std::vector<double>(static_cast<std::size_t>(model.states) * count),
                        .dp = std::vector<double>(static_cast<std::size_t>(model.active) * count)};
    for (const auto& [column, row, value] : seeds.of_lane[l]) {
      if (row < model.states)
        columns.dx0[row * count + column] += value;
      else
        columns.dp[(row - model.states) * count + column] += value;
    }
    sweep_tangent(model, *dense_method(in_use(model, choice)), launch, record, l, std::move(columns), sink, T);
  }
}

template <int W>
void tangent_along_delayed(const compile::CompiledModel& model, const model::Integrator& choice,
                           const Launch<W>& launch, Record<W>& record, const Directions& directions,
                           const TangentSink& sink) {
  const auto& [count, T, dp] = directions;
  std::vector<double> room;
  for (int l = 0; l < launch.lanes; ++l) {
    LaneColumns columns{.count = count,
                        .dx0 = std::vector<double>(static_cast<std::size_t>(model.states) * count),
                        .dp = std::vector<double>(static_cast<std::size_t>(model.active) * count)};
    for (int c = 0; c < count; ++c)
      for (int i = 0; i < model.states; ++i)
        columns.dx0[i * count + c] = T[(i + static_cast<std::size_t>(c) * model.observed()) * W + l];
    for (int k = 0; k < model.active && dp != nullptr; ++k) columns.dp[k * count] = dp[k * W + l];
    sweep_tangent(model, *dense_method(in_use(model, choice)), launch, record, l, std::move(columns), sink, room);
  }
}

template <int W>
void adjoint_delayed(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<W>& launch,
                     Record<W>& record, const Scalars& scalars) {
  const auto& [count, inject, by_x0, by_p] = scalars;
  const int d = model.states;
  const int observed = model.observed();
  const std::size_t all = static_cast<std::size_t>(observed) * count * W;
  std::fill_n(by_x0, all, 0.0);
  std::fill_n(by_p, static_cast<std::size_t>(model.active) * count * W, 0.0);
  std::vector<double> lambda(all);
  for (int l = 0; l < launch.lanes; ++l) {
    const LaneLaunch lane(model, launch, l);
    DelayedSteps steps({model, *dense_method(in_use(model, choice)), record.delayed[l], record.jumps[l], lane.launch});
    DelayedAdjoint sweep(steps, count);
    const auto add = [&](int stop, double* by_x, double* by_delayed) {
      std::fill(lambda.begin(), lambda.end(), 0.0);
      inject(l, stop, lambda.data());
      for (int c = 0; c < count; ++c)
        for (int i = 0; i < observed; ++i) {
          double& to = i < d ? by_x[i * count + c] : by_delayed[(i - d) * count + c];
          to += lambda[(i + static_cast<std::size_t>(c) * observed) * W + l];
        }
    };
    sweep.sweep(add, launch.stop);
    for (int c = 0; c < count; ++c) {
      for (int i = 0; i < d; ++i)
        by_x0[(i + static_cast<std::size_t>(c) * observed) * W + l] = sweep.by_x0()[i * count + c];
      for (int k = 0; k < model.active; ++k)
        by_p[(k + static_cast<std::size_t>(c) * model.active) * W + l] = sweep.by_p()[k * count + c];
    }
  }
}

#define SALVO_INSTANTIATE_DELAYED(W)                                                                                \
  template void integrate_delayed<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&,     \
                                     Record<W>&);                                                                   \
  template void tangent_delayed<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&,       \
                                   Record<W>&, const Seeds<W>&, const TangentSink&);                                \
  template void tangent_along_delayed<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&, \
                                         Record<W>&, const Directions&, const TangentSink&);                        \
  template void adjoint_delayed<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&,       \
                                   Record<W>&, const Scalars&)
SALVO_INSTANTIATE_DELAYED(1);
SALVO_INSTANTIATE_DELAYED(4);

}  // namespace salvo::integrate
