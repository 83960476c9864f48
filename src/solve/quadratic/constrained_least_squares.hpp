#pragma once

#include <vector>

#include "solve/quadratic/bounded_least_squares.hpp"

namespace salvo::solve {

// C x + c = 0 where `equality`, C x + c <= 0 elsewhere. Rows are best of length one or less.
struct LinearConstraints {
  Matrix C{};
  std::vector<double> c{};
  std::vector<bool> equality{};
};

struct ConstrainedSolution {
  std::vector<double> x{};
  std::vector<bool> active{};         // rows that hold with equality
  std::vector<double> multipliers{};  // F'(F x + f) + C' multipliers = 0
  std::vector<int> conflict{};        // rows that cannot hold together
};

// min |F x + f|  s.t.  the constraints (docs/mathematics.md, section 13). Where F cannot see a direction, x moves along
// it only if a constraint asks for it. If the constraints contradict each other, those that x = 0 violates are relaxed,
// all by the same share of their violation and by no more than is needed.
ConstrainedSolution constrained_least_squares(const Matrix& F, const std::vector<double>& f,
                                              const LinearConstraints& constraints, const RankTest& rule);

}  // namespace salvo::solve
