#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "statistics/rules.hpp"

namespace salvo::statistics {

// Everything here is about the estimated quantities only: theta, then v_0 of each chain, on their scales.
struct Uncertainty {
  Matrix covariance{};  // inverse information; meaningless where `seen` is false
  Matrix root{};        // covariance = root root'; a column for each direction that the data determine
  // At a bound, or determined by active constraints: no error of its own, the others' are conditional on it.
  std::vector<bool> held{};
  std::vector<int> active{};  // rows of constraints (nlp::each_constraints) that hold with equality
  int equalities = 0;         // how many directions the equalities among the constraints take
  std::vector<bool> seen{};   // takes no part in a null direction
  std::vector<std::vector<double>> null_directions{};  // a basis of what the data cannot see, readable by people
  int free_and_seen = 0;                               // how many independent directions the data determine
};

// From the expected information at q (docs/mathematics.md, eq. 27): the rows' Jacobian on the null space of the
// linearised gaps, in the stable basis of the elimination. Directions count as unseen where the singular value of the
// Jacobian with columns of unit length falls below `unseen` of the largest: where probes have shown that there is no
// such direction, that is rounding alone. Whoever has asked for a plain root of these blocks before hands it on.
inline constexpr double usually_unseen = UncertaintyRules{}.unseen;
inline constexpr double unseen_by_rounding = UncertaintyRules{}.unseen_by_rounding;
Uncertainty uncertainty(const nlp::Layout& layout, const nlp::Blocks& blocks, const nlp::Point& q,
                        const std::vector<double>& sizes, double unseen = usually_unseen,
                        const Matrix* known_root = nullptr, const UncertaintyRules& rules = {});

}  // namespace salvo::statistics
