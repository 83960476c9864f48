#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "nlp/problem.hpp"
#include "solve/quadratic/quasi_newton.hpp"

namespace salvo::solve {

// One row of the linearised constraints, a'Δ = -c, with its 2d + m entries that can be non-zero.
struct SparseRow {
  std::vector<std::pair<int, double>> entries{};
  double c = 0;

  double dot(const Eigen::VectorXd& v) const {
    double sum = 0;
    for (const auto& [i, value] : entries) sum += value * v[i];
    return sum;
  }
  void add_to(Eigen::VectorXd& v, double factor) const {
    for (const auto& [i, value] : entries) v[i] += factor * value;
  }
  Eigen::VectorXd dense(int n) const {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
    add_to(v, 1);
    return v;
  }
};

// h_j = |G_j|^2 linearised and divided by 2|G_j|, so that rows keep their size while G goes to zero
// (docs/mathematics.md, eq. 23):
//   a_j = (G_j/|G_j|)' dG_j/dq,   c_j = |G_j|/2.   A gap that is closed has no row: dh/dq vanishes there.
struct SquaredGap {
  SparseRow row{};
  double size = 0;  // |G_j|
};

std::vector<SquaredGap> squared_gap_rows(const nlp::Layout& layout, const nlp::Gradients& gradients);
bool is_open(const std::vector<double>& gap);
double length(const std::vector<double>& v);

struct ScalarStep {
  Eigen::VectorXd delta;
  std::vector<double> multipliers;  // of the given rows
};

// min g'Δ + Δ'BΔ/2 s.t. a_j'Δ = -c_j, within the bounds of q.
ScalarStep solve_subproblem(const Bfgs& B, const Eigen::VectorXd& g, const std::vector<SquaredGap>& constraints,
                            const nlp::Layout& layout, const nlp::Point& q);

}  // namespace salvo::solve
