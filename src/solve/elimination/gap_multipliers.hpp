#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// Of all gaps, laid out as nlp::GapWeights has them.
using GapMultipliers = std::vector<std::vector<double>>;

// Those of the linearised problem at the end of a step, by the transposed recursion
//   y_{j-1} = J_j'(r_j + J_j Δ) + G_s,j' y_j
void write_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta,
                       GapMultipliers& y);
// How they change along a step by the same matrices from a point where the Lagrange function has another gradient g,
//   δy_{j-1} = g_j + J_j' J_j Δ + G_s,j' δy_j
void add_change_of_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks,
                               const std::vector<double>& gradient, const std::vector<double>& delta,
                               GapMultipliers& y);

double largest(const GapMultipliers& y);

}  // namespace salvo::solve
