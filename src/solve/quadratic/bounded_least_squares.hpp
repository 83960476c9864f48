#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace salvo::solve {

// min |F x + f|  s.t.  lower <= x <= upper, with lower <= 0 <= upper, by an active-set method ([StarkParker95]) that
// starts at x = 0. Where F cannot see a direction, x does not move along it.
struct BoundedSolution {
  std::vector<double> x{};
  std::vector<bool> held{};  // at a bound that the solution would like to cross
  int rank = 0;              // of the free columns
};

// When a direction counts as unseen: its singular value, with columns divided by `lengths`, is below `tolerance` of the
// largest. Lengths from before an elimination tell what the elimination left of a column; without them, each column is
// measured by itself.
struct RankTest {
  double tolerance;
  std::vector<double> lengths{};
};

BoundedSolution bounded_least_squares(const Matrix& F, const std::vector<double>& f, const std::vector<double>& lower,
                                      const std::vector<double>& upper, const RankTest& rule);

// Its minimum where a fixed set of unknowns is held at 0: what the simplified correction of the natural level needs.
std::vector<double> least_squares(const Matrix& F, const std::vector<double>& f, const std::vector<bool>& held,
                                  const RankTest& rule);

}  // namespace salvo::solve
