#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"

namespace salvo::solve {

// The linearised problem with a price on gaps, at one point (docs/mathematics.md, eq. 39 and 40). `blocks` holds the
// matrices by nodes, the rows r, and the gaps G shifted by their multipliers; derivatives by theta come as products.
struct PenalisedGaps {
  const nlp::Layout& layout;
  const nlp::Blocks& blocks;
  const nlp::Products& by_theta;
  const std::vector<double>& sizes;  // D
  double rho = 1;                    // price of gaps
  double mu = 0.1;                   // of steps
};

struct KrylovStep {
  std::vector<double> delta{};
  double predicted = 0;  // decrease of the quadratic model, half squares, without the mu term
};

// Δ = (Δv, Δtheta) of that problem within the bounds of theta; thetas that are `fixed` do not move. The nodes are
// eliminated exactly, and what is left for theta is solved by conjugate gradients, one tangent and one adjoint per
// interval each, until its gradient is down to the part `reduction`. So neither time nor memory knows of more than
// vectors as long as theta. If the caller wants to stop, the step is what it has come to by then.
KrylovStep krylov_step(const PenalisedGaps& problem, const nlp::Point& q, const std::vector<bool>& fixed,
                       double reduction, const RunContext& context = {});

// Δv alone for the rows and gaps of another point, by the same matrices: a step of all unknowns leaves gaps of second
// order, and a high price would forbid it; the nodes can close most of them.
std::vector<double> node_correction(const PenalisedGaps& problem, const nlp::Blocks& rows_and_gaps);

// rho/2 |D^-1 G|^2 + |r|^2/2
double half_squares(const nlp::Layout& layout, const nlp::Blocks& rows_and_gaps, const std::vector<double>& sizes,
                    double rho);

}  // namespace salvo::solve
