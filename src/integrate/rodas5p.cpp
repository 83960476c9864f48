#include "integrate/instantiate.hpp"
#include "integrate/methods.hpp"
#include "integrate/rodas5p_tableau.hpp"
#include "integrate/rosenbrock.hpp"
#include "integrate/rosenbrock_adjoint.hpp"
#include "integrate/rosenbrock_flight.hpp"
#include "integrate/rosenbrock_sweeps.hpp"

namespace salvo::integrate {

template <int W>
using Steps = Rosenbrock<Rodas5pTableau, W>;

template <int W>
void integrate_with(const model::Rodas5p& choice, const compile::CompiledModel& model, const Launch<W>& launch,
                    Record<W>& record, Scratch& scratch) {
  if (!model.stiff) return refuse(record, Outcome::no_jacobian);
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::flight)
      .integrate({.rtol = choice.rtol, .atol = choice.atol});
}

template <int W>
void tangent_with(const model::Rodas5p&, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, const TangentSink& sink, Scratch& scratch) {
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::tangents).tangent(sink);
}

template <int W>
void tangent_along_with(const model::Rodas5p&, const compile::CompiledModel& model, const Launch<W>& launch,
                        Record<W>& record, int directions, double* dx, const double* dp, const TangentSink& sink,
                        Scratch& scratch) {
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::directions).tangent_along(directions, dx, dp, sink);
}

template <int W>
void adjoint_with(const model::Rodas5p&, const compile::CompiledModel& model, const Launch<W>& launch,
                  Record<W>& record, int scalars, const Injection& inject, double* by_x0, double* by_p,
                  Scratch& scratch) {
  Steps<W>(model, launch, record, scratch, Steps<W>::Purpose::adjoints).adjoint(scalars, inject, by_x0, by_p);
}

SALVO_INSTANTIATE_METHOD(Rodas5p);

}  // namespace salvo::integrate
