#include "integrate/explicit_runge_kutta.hpp"
#include "integrate/explicit_runge_kutta_adjoint.hpp"
#include "integrate/explicit_runge_kutta_directions.hpp"
#include "integrate/explicit_runge_kutta_flight.hpp"
#include "integrate/explicit_runge_kutta_sweeps.hpp"
#include "integrate/explicit_runge_kutta_switches.hpp"
#include "integrate/instantiate.hpp"
#include "integrate/methods.hpp"

namespace salvo::integrate {
namespace {

// The classical method of Kutta, order 4 ([HNW93] II.1, table 1.2).
struct Rk4Tableau {
  static constexpr int stages = 4;
  static constexpr bool is_adaptive = false;
  static constexpr double c[stages] = {0, 0.5, 0.5, 1};
  static constexpr double a[stages][stages] = {{}, {0.5}, {0, 0.5}, {0, 0, 1}};
  static constexpr double b[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

}  // namespace

const compile::Tableau* tableau_of(const model::Rk4&) { return &as_formulas<Rk4Tableau>(); }

template <int W>
void integrate_with(const model::Rk4& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch& scratch) {
  const auto rule = FixedStep{.step = choice.step};
  ExplicitRungeKutta<Rk4Tableau, W>(model, launch, record, scratch).integrate(rule);
}

template <int W>
void tangent_with(const model::Rk4&, const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record,
                  const Seeds<W>& seeds, const TangentSink& sink, Scratch& scratch) {
  ExplicitRungeKutta<Rk4Tableau, W>(model, launch, record, scratch, 0, seeds.most_columns()).tangent(seeds, sink);
}

template <int W>
void tangent_along_with(const model::Rk4&, const compile::CompiledModel& model, const Launch<W>& launch,
                        Record<W>& record, const Directions& along, const TangentSink& sink, Scratch& scratch) {
  ExplicitRungeKutta<Rk4Tableau, W>(model, launch, record, scratch).tangent_along(along.count, along.T, along.dp, sink);
}

template <int W>
void adjoint_with(const model::Rk4&, const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record,
                  const Scalars& scalars, Scratch& scratch) {
  const auto& [count, inject, by_x0, by_p] = scalars;
  ExplicitRungeKutta<Rk4Tableau, W>(model, launch, record, scratch, count).adjoint(count, inject, by_x0, by_p);
}

SALVO_INSTANTIATE_METHOD(Rk4);

}  // namespace salvo::integrate
