#include "integrate/built_in.hpp"
#include "integrate/instantiate.hpp"
#include "integrate/methods.hpp"

// What stands for `cvodes` in a program that was built without SUNDIALS.
namespace salvo::integrate {

bool has_cvodes() { return false; }

template <int W>
void integrate_with(const model::Cvodes&, const compile::CompiledModel&, const Launch<W>&, Record<W>& record,
                    Scratch&) {
  refuse(record, Outcome::not_built_in);
}
template <int W>
void tangent_with(const model::Cvodes&, const compile::CompiledModel&, const Launch<W>&, Record<W>&, const Seeds<W>&,
                  const TangentSink&, Scratch&) {}
template <int W>
void tangent_along_with(const model::Cvodes&, const compile::CompiledModel&, const Launch<W>&, Record<W>&,
                        const Directions&, const TangentSink&, Scratch&) {}
template <int W>
void adjoint_with(const model::Cvodes&, const compile::CompiledModel&, const Launch<W>&, Record<W>&, const Scalars&,
                  Scratch&) {}

SALVO_INSTANTIATE_METHOD(Cvodes);

}  // namespace salvo::integrate
