#pragma once

#include "integrate/integrator.hpp"

// The verbs of integrator.hpp for equations that look into their own past: dopri5, `auto`, and rk4. Lanes fly one by
// one.
namespace salvo::integrate {

template <int W>
void integrate_delayed(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<W>& launch,
                       Record<W>& record);
template <int W>
void tangent_delayed(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<W>& launch,
                     Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink);
template <int W>
void tangent_along_delayed(const compile::CompiledModel& model, const model::Integrator& choice,
                           const Launch<W>& launch, Record<W>& record, const Directions& directions,
                           const TangentSink& sink);
template <int W>
void adjoint_delayed(const compile::CompiledModel& model, const model::Integrator& choice, const Launch<W>& launch,
                     Record<W>& record, const Scalars& scalars);

}  // namespace salvo::integrate
