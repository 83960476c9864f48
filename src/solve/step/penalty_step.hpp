#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "solve/rules.hpp"

namespace salvo::solve {

// A Levenberg-Marquardt step of the problem whose gaps are only asked to be small (docs/mathematics.md, eq. 25):
//
//   min |r + J Δ|^2 + rho |D^-1 (G + G_q Δ)|^2 + mu |D^-1 Δ|^2   s.t.  bounds and reach of theta,   D = diag(sizes)
//
// Constraints are charged like gaps, inequalities as far as they are violated after the step. Such a problem has no
// poles to climb. It is solved chain by chain by orthogonal elimination of one node after the other (a square-root
// information filter), linear in the number of links.
struct PenaltyStep {
  std::vector<double> delta{};
  double predicted = 0;  // decrease of the quadratic model, half squares, without the mu term
};

PenaltyStep penalty_step(const nlp::Layout& layout, const nlp::Point& q, const nlp::Blocks& blocks,
                         const std::vector<double>& sizes, double rho, double mu, const Rules& rules);

// objective + rho/2 |D^-1 G|^2 + rho/2 |c+|^2, each constraint divided by its size (nlp::constraint_sizes).
double penalty_objective(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                         const std::vector<double>& constraint_sizes, double rho);

// |r|^2/2 + rho/2 |D^-1 G|^2: the squares alone, whatever constants the objective holds.
double sum_of_squares(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                      double rho);

}  // namespace salvo::solve
