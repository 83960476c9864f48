#pragma once

#include "compile/listing.hpp"

namespace salvo::shooting {

// Whether the first `outputs` of a kernel are affine functions of its first `parameters`, as its formulas are written:
// sums, and products with at most one factor that knows them.
bool is_affine(const compile::Listing& listing, int outputs, int parameters);

}  // namespace salvo::shooting
