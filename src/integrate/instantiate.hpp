#pragma once

// At the end of a method's file: its verbs for every number of lanes.
#define SALVO_INSTANTIATE_LANES(Choice, W)                                                                           \
  template void integrate_with<W>(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&, \
                                  Scratch&);                                                                         \
  template void tangent_with<W>(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,   \
                                const Seeds<W>&, const TangentSink&, Scratch&);                                      \
  template void tangent_along_with<W>(const model::Choice&, const compile::CompiledModel&, const Launch<W>&,         \
                                      Record<W>&, const Directions&, const TangentSink&, Scratch&);                  \
  template void adjoint_with<W>(const model::Choice&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,   \
                                const Scalars&, Scratch&)
#define SALVO_INSTANTIATE_METHOD(Choice) \
  SALVO_INSTANTIATE_LANES(Choice, 1);    \
  SALVO_INSTANTIATE_LANES(Choice, 4)
