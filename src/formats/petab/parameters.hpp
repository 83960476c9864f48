#pragma once

#include "formats/petab/draft.hpp"

namespace salvo::formats::petab {

// Reads the parameter table into the parameters of the problem, in its order.
void read_parameters(Draft& draft);

}  // namespace salvo::formats::petab
