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

// Of the size of a state that decays: explicit steps never forget it, and follow it down to this part, times rtol.
constexpr double explicit_share = 1e-4;

// Dormand and Prince 1980, order 5(4), six stages and f at the end of the step ([HNW93] II.5, table 5.2).
struct Dopri5Tableau {
  static constexpr int stages = 6;
  static constexpr bool is_adaptive = true;
  static constexpr double c[stages] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
  static constexpr double a[stages][stages] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
  static constexpr double b[stages] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  static constexpr double error[stages + 1] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                               -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
};

}  // namespace

const compile::Tableau* tableau_of(const model::Dopri5&) { return &as_formulas<Dopri5Tableau>(); }

template <int W>
void integrate_with(const model::Dopri5& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch& scratch) {
  const auto rule = ErrorControl{.scale = {choice.rtol, choice.atol, explicit_share, model.fields}};
  ExplicitRungeKutta<Dopri5Tableau, W>(model, launch, record, scratch).integrate(rule);
}

template <int W>
void tangent_with(const model::Dopri5&, const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record,
                  const Seeds<W>& seeds, const TangentSink& sink, Scratch& scratch) {
  ExplicitRungeKutta<Dopri5Tableau, W>(model, launch, record, scratch, 0, seeds.most_columns()).tangent(seeds, sink);
}

template <int W>
void tangent_along_with(const model::Dopri5&, const compile::CompiledModel& model, const Launch<W>& launch,
                        Record<W>& record, const Directions& along, const TangentSink& sink, Scratch& scratch) {
  ExplicitRungeKutta<Dopri5Tableau, W>(model, launch, record, scratch)
      .tangent_along(along.count, along.T, along.dp, sink);
}

template <int W>
void adjoint_with(const model::Dopri5&, const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record,
                  const Scalars& scalars, Scratch& scratch) {
  const auto& [count, inject, by_x0, by_p] = scalars;
  ExplicitRungeKutta<Dopri5Tableau, W>(model, launch, record, scratch, count).adjoint(count, inject, by_x0, by_p);
}

// `auto`: the same steps, until equations turn out to be stiff.
template <int W>
void integrate_with(const model::AutoIntegrator& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch& scratch) {
  const auto rule =
      ErrorControl{.scale = {choice.rtol, choice.atol, explicit_share, model.fields}, .watches_stiffness = true};
  ExplicitRungeKutta<Dopri5Tableau, W>(model, launch, record, scratch).integrate(rule);
}

SALVO_INSTANTIATE_METHOD(Dopri5);
template void integrate_with<1>(const model::AutoIntegrator&, const compile::CompiledModel&, const Launch<1>&,
                                Record<1>&, Scratch&);
template void integrate_with<4>(const model::AutoIntegrator&, const compile::CompiledModel&, const Launch<4>&,
                                Record<4>&, Scratch&);

}  // namespace salvo::integrate
