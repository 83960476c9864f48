#pragma once

#include "formats/petab/draft.hpp"

namespace salvo::formats::petab {

// Reads the parameter table into the parameters of the problem, in its order.
void read_parameters(Draft& draft);

// PEtab 2 leaves the scale to us: what spans two decades or more is searched by its logarithm.
model::Scale scale_between(double lower, double upper);

}  // namespace salvo::formats::petab
