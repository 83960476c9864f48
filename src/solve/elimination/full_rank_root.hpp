#pragma once

#include <optional>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// A root of the covariance of the quantities (θ, v_0 of each chain), scaled by their sizes: covariance = root root'.
// Where all is plain, (18a) tells how unit errors z of the rows move them,
//   θ = R^-1 z_θ,      v_0 = R_00^-1 z_0 - R_00^-1 R_0θ R^-1 z_θ.
// Nothing where it is not, or where the rows might not see some motion: a singular value, with all θ stretched to the
// same length, might be below `unseen` of the largest. Bounds and constraints are not looked at.
std::optional<Matrix> full_rank_root(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                     const std::vector<double>& sizes, double unseen);

}  // namespace salvo::solve
