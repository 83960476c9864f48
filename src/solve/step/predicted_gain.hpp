#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// How much lower the objective lies after the step, as its linearised rows say.
double predicted_gain(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta);

}  // namespace salvo::solve
