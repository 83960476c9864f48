#include "integrate/built_in.hpp"
#include "integrate/cvodes_legs.hpp"
#include "integrate/instantiate.hpp"
#include "integrate/methods.hpp"

// The verbs of the integrator `cvodes`: lane by lane, and every sweep integrates anew.
namespace salvo::integrate {
namespace {

template <int W>
CvodesLane::Start start_of(const compile::CompiledModel& model, const Launch<W>& launch, int l) {
  const auto lane = [&](const double* packs, int count) {
    std::vector<double> out(count);
    for (int i = 0; i < count; ++i) out[i] = packs[static_cast<std::size_t>(i) * W + l];
    return out;
  };
  return {.begin = launch.begin[l],
          .stops = {launch.stops[l].begin(), launch.stops[l].end()},
          .x0 = lane(launch.x0, model.states),
          .p = lane(launch.p, model.parameters),
          .max_steps = launch.max_steps,
          .stop = launch.stop};
}

template <int W>
Switchboard::Start switchboard_start(const Launch<W>& launch, const Record<W>& record, int l) {
  return {.p = launch.p + l,
          .stride = W,
          .time = launch.begin[l],
          .stops = launch.stops[l],
          .experiment = launch.experiment[l],
          .is_start = launch.is_start[l],
          .stop = launch.stop,
          .frozen_budget = record.frozen_budget};
}

}  // namespace

bool has_cvodes() { return true; }

template <int W>
void integrate_with(const model::Cvodes& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch&) {
  if (!model.stiff) return refuse(record, Outcome::no_jacobian);
  record.begin(model.states, 0);
  for (int l = 0; l < launch.lanes; ++l) {
    CvodesLane::Flown flown = model.discontinuities
                                  ? CvodesLegs(choice, model, start_of(model, launch, l))
                                        .fly(switchboard_start(launch, record, l), record.frozen[l], record.jumps[l])
                                  : CvodesLane(choice, model, start_of(model, launch, l)).fly();
    record.ending[l] = flown.ending;
    record.steps[l] = flown.steps_at_stop.empty() ? 0 : flown.steps_at_stop.back();
    record.stop_slot[l] = std::move(flown.steps_at_stop);
    record.x_stop[l] = std::move(flown.x_stop);
    record.rhs += flown.rhs;
  }
}

namespace {

template <int W>
void sweep_forward(const model::Cvodes& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                   const Record<W>& record, const auto& directions_of, const TangentSink& sink) {
  for (int l = 0; l < launch.lanes; ++l) {
    const std::vector<std::vector<double>> directions = directions_of(l);
    std::vector<double> T(directions.size() * model.states * W);
    const auto at_stop = [&](int k, const double* there) {
      for (std::size_t n = 0; n < T.size() / W; ++n) T[n * W + l] = there[n];
      sink(l, k, T.data());
    };
    if (model.discontinuities)
      CvodesLegs(choice, model, start_of(model, launch, l))
          .tangents(record.frozen[l], record.jumps[l], directions, at_stop);
    else
      CvodesLane(choice, model, start_of(model, launch, l)).tangents(directions, at_stop);
  }
}

}  // namespace

template <int W>
void tangent_with(const model::Cvodes& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink, Scratch&) {
  const auto of_lane = [&](int l) {
    std::vector<std::vector<double>> out(seeds.columns[l], std::vector<double>(model.states + model.active, 0.0));
    for (const auto& [column, row, value] : seeds.of_lane[l]) out[column][row] += value;
    return out;
  };
  sweep_forward(choice, model, launch, record, of_lane, sink);
}

template <int W>
void tangent_along_with(const model::Cvodes& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                        Record<W>& record, const Directions& along, const TangentSink& sink, Scratch&) {
  const auto of_lane = [&](int l) {
    std::vector<std::vector<double>> out(along.count, std::vector<double>(model.states + model.active, 0.0));
    for (int c = 0; c < along.count; ++c) {
      for (int i = 0; i < model.states; ++i)
        out[c][i] = along.T[(i + static_cast<std::size_t>(c) * model.states) * W + l];
      for (int k = 0; k < model.active && along.dp != nullptr; ++k)
        out[c][model.states + k] = along.dp[static_cast<std::size_t>(k) * W + l];
    }
    return out;
  };
  sweep_forward(choice, model, launch, record, of_lane, sink);
}

template <int W>
void adjoint_with(const model::Cvodes& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, const Scalars& scalars, Scratch&) {
  const auto& [count, inject, by_x0, by_p] = scalars;
  const int d = model.states;
  const int a = model.active;
  std::vector<double> lambda(static_cast<std::size_t>(d) * count * W);
  for (int l = 0; l < launch.lanes; ++l) {
    std::vector<std::vector<double>> injected;
    for (int k = 0; k < static_cast<int>(launch.stops[l].size()); ++k) {
      std::fill(lambda.begin(), lambda.end(), 0.0);
      inject(l, k, lambda.data());
      injected.push_back(std::vector<double>(lambda.size() / W));
      for (std::size_t n = 0; n < injected.back().size(); ++n) injected.back()[n] = lambda[n * W + l];
    }
    CvodesLane::Start start = start_of(model, launch, l);
    start.x_stop = record.x_stop[l];
    const std::vector<double> found =
        model.discontinuities
            ? CvodesLegs(choice, model, start).adjoints(record.frozen[l], record.jumps[l], injected, count)
            : CvodesLane(choice, model, start).adjoints(injected, count);
    for (int c = 0; c < count; ++c) {
      const double* of_scalar = found.data() + static_cast<std::size_t>(c) * (d + a);
      for (int i = 0; i < d; ++i) by_x0[(i + static_cast<std::size_t>(c) * d) * W + l] = of_scalar[i];
      for (int k = 0; k < a; ++k) by_p[(k + static_cast<std::size_t>(c) * a) * W + l] = of_scalar[d + k];
    }
  }
}

SALVO_INSTANTIATE_METHOD(Cvodes);

}  // namespace salvo::integrate
