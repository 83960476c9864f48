#include "integrate/instantiate.hpp"
#include "integrate/methods.hpp"
#include "integrate/rodas5p_tableau.hpp"
#include "integrate/rosenbrock.hpp"
#include "integrate/rosenbrock_adjoint.hpp"
#include "integrate/rosenbrock_flight.hpp"
#include "integrate/rosenbrock_recall.hpp"
#include "integrate/rosenbrock_tangents.hpp"

namespace salvo::integrate {

template <int W>
using Steps = Rosenbrock<Rodas5pTableau, W>;

template <int W>
void integrate_with(const model::Rodas5p& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch& scratch) {
  if (!model.stiff) return refuse(record, Outcome::no_jacobian);
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::flight)
      .integrate({.rtol = choice.rtol, .atol = choice.atol, .fields = model.fields});
}

// One trajectory after the other.
template <int W>
void tangent_with(const model::Rodas5p&, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink, Scratch& scratch) {
  for (int l = 0; l < launch.lanes; ++l) {
    if (seeds.columns[l] == 0) continue;
    RosenbrockTangents<Rodas5pTableau> tangents(model, recorded_lane(record, l), launch.p + l, seeds.of_lane[l],
                                                seeds.columns[l], scratch);
    tangents.sweep(
        seeds.of_lane[l], [&](int k) { sink(l, k, tangents.handed_out(l)); }, launch.stop);
  }
}

template <int W>
void tangent_along_with(const model::Rodas5p& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                        Record<W>& record, const Directions& along, const TangentSink& sink, Scratch& scratch) {
  std::array<std::vector<Seed>, W> entries;
  Seeds<W> seeds;
  for (int l = 0; l < launch.lanes; ++l) {
    for (int c = 0; c < along.count; ++c) {
      const auto add = [&](const double* from, int count, int first) {
        for (int i = 0; i < count; ++i)
          if (const double value = from[static_cast<std::size_t>(i) * W + l]; value != 0)
            entries[l].push_back({.column = c, .row = first + i, .value = value});
      };
      add(along.T + static_cast<std::size_t>(c) * model.states * W, model.states, 0);
      if (along.dp != nullptr) add(along.dp, model.active, model.states);
    }
    seeds.columns[l] = along.count;
    seeds.of_lane[l] = entries[l];
  }
  tangent_with<W>(choice, model, launch, record, seeds, sink, scratch);
}

template <int W>
void adjoint_with(const model::Rodas5p&, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, const Scalars& scalars, Scratch& scratch) {
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::adjoints)
      .adjoint(scalars.count, scalars.inject, scalars.by_x0, scalars.by_p);
}

SALVO_INSTANTIATE_METHOD(Rodas5p);

}  // namespace salvo::integrate
