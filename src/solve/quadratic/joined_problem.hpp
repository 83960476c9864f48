#pragma once

#include <vector>

#include "base/matrix.hpp"
#include "nlp/problem.hpp"

namespace salvo::solve {

// A linearisation without gaps as one dense problem in all unknowns, each divided by its unit:
//   objective ~ F + g'd + |R d|^2 / 2,      R'R = D J'J D the expected information,  g = D J'r the exact gradient.
struct JoinedProblem {
  Matrix R{};
  std::vector<double> g{};
};

void take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& units, JoinedProblem& out);

// Takes the problem to units that are `by` times as long.
void change_units(const std::vector<double>& by, JoinedProblem& problem);

// D J'r with the matrices of one point and the residuals of another.
std::vector<double> gradient_of(const nlp::Layout& layout, const nlp::Blocks& matrices, const nlp::Blocks& residuals,
                                const std::vector<double>& units);
// R'R d
std::vector<double> times_squares(const Matrix& R, const std::vector<double>& d);

}  // namespace salvo::solve
