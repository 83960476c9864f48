#pragma once

#include "compile/compiled_model.hpp"

namespace salvo::start {

// Whether the first `outputs` of a kernel are affine functions of its first `parameters`, as its formulas are written:
// sums, and products with at most one factor that knows them.
bool is_affine(const compile::Listing& listing, int outputs, int parameters);

// Whether a right-hand side is affine in all active parameters, none of which may decide where it switches.
bool has_affine_rhs(const compile::CompiledModel& model);

}  // namespace salvo::start
