#pragma once

#include "integrate/integrator.hpp"

// The verbs of each method, defined in the file that bears its name.
namespace salvo::integrate {

#define SALVO_DECLARE_METHOD(Choice)                                                                                   \
  template <int W>                                                                                                     \
  void integrate_with(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&, Scratch&);    \
  template <int W>                                                                                                     \
  void tangent_with(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,                 \
                    const Seeds<W>&, const TangentSink&, Scratch&);                                                    \
  template <int W>                                                                                                     \
  void tangent_along_with(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,           \
                          const Directions&, const TangentSink&, Scratch&);                                            \
  template <int W>                                                                                                     \
  void adjoint_with(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&, const Scalars&, \
                    Scratch&)

const compile::Tableau* tableau_of(const model::Dopri5&);
const compile::Tableau* tableau_of(const model::Rk4&);

SALVO_DECLARE_METHOD(Dopri5);
template <int W>
void integrate_with(const model::AutoIntegrator&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,
                    Scratch&);
SALVO_DECLARE_METHOD(Rk4);
SALVO_DECLARE_METHOD(Rodas5p);
SALVO_DECLARE_METHOD(Cvodes);

}  // namespace salvo::integrate
