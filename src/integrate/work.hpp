#pragma once

#include "compile/compiled_model.hpp"

// What derivatives cost, counted and not timed: multiply-adds of one stage of an explicit method and one lane.
namespace salvo::integrate {

// Sweep forward: so many columns, each multiplied with f_x; d + a of them where nothing is known of who acts.
long tangent_work(const compile::CompiledModel& model, long columns);
long tangent_work(const compile::CompiledModel& model);

// Sweep backward of many scalars: each is multiplied with [f_x f_p]', either through the non-zeros, which all of them
// share, or through formulas of the product.
long adjoint_work(const compile::CompiledModel& model, long scalars);

// Derivatives by states forward, and products with those by states and parameters, each forward and back again.
long products_work(const compile::CompiledModel& model, long products);

// How adjoint_work multiplies. Gradients have one or two scalars and take the formulas, Jacobian blocks have at least
// as many as there are states. Packs of one evaluation differ in how many; they must not in the answer, or bits would
// depend on lanes: with two states or one, all take the formulas.
bool adjoints_share_jacobian(const compile::CompiledModel& model, long scalars);

}  // namespace salvo::integrate
