#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// Multipliers of all gaps, laid out as nlp::GapWeights has them.
using GapMultipliers = std::vector<std::vector<double>>;

// What a recursion over the nodes works with, kept from one to the next.
struct RecursionRoom {
  std::vector<double> y{}, next{}, rows_after{};
};

// Those of the linearised problem at the end of a step, by the transposed recursion
//   y_{j-1} = J_j'(r_j + J_j Δ) + G_s,j' y_j
void write_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta,
                       RecursionRoom& room, GapMultipliers& y);
// How they change along a step by the same matrices from a point where the Lagrange function has another gradient g,
//   δy_{j-1} = g_j + J_j' J_j Δ + G_s,j' δy_j
void add_change_of_multipliers(const nlp::Layout& layout, const nlp::Blocks& blocks,
                               const std::vector<double>& gradient, const std::vector<double>& delta,
                               RecursionRoom& room, GapMultipliers& y);

double largest(const GapMultipliers& y);

}  // namespace salvo::solve
