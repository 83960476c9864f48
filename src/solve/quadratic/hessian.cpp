#include "solve/quadratic/hessian.hpp"

#include <algorithm>
#include <cmath>

#include "solve/elimination/views.hpp"
#include "solve/quadratic/spectrum.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct Directions {
  MatrixXd along{};    // orthonormal columns, in units
  VectorXd lengths{};  // of the difference along each
};

// What lies close to a bound moves alone and away from it, the others together along the singular vectors of R: a
// difference changes the residuals by about as much along each, so that what it gets wrong is a small part of every
// singular value's square, and not of the largest one's alone. Across a corner there is but a secant, of each unknown
// alone.
Directions directions_of(const nlp::Layout& layout, const nlp::Point& q, const std::vector<double>& units,
                         const Matrix& R, bool has_corners, const HessianRules& rules) {
  const auto n = static_cast<int>(q.size());
  Directions out{MatrixXd::Zero(n, n), VectorXd::Zero(n)};
  const auto has_room = [&](int i, double side) {
    const double moved = q[i] + side * rules.difference * units[i];
    return moved >= layout.lower[i] && moved <= layout.upper[i];
  };
  const auto is_free = [&](int i) { return !has_corners && has_room(i, -1) && has_room(i, 1); };
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (is_free(i)) free.push_back(i);
  const Spectrum spectrum = spectrum_of_squares(to_matrix(map(R)(Eigen::all, free)));
  int column = 0;
  for (std::size_t k = 0; k < free.size(); ++k, ++column)
    for (std::size_t i = 0; i < free.size(); ++i) out.along(free[i], column) = spectrum.V(i, k);
  for (int i = 0; i < n; ++i)
    if (!is_free(i)) out.along(i, column++) = has_room(i, 1) ? 1 : -1;
  for (int k = 0; k < n; ++k) {
    const double rows = (map(R) * out.along.col(k)).norm();
    out.lengths[k] = rows > 0 ? std::min(rules.difference, rules.difference_of_rows / rows) : rules.difference;
  }
  return out;
}

}  // namespace

std::optional<Matrix> beyond_information(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                                         const std::vector<double>& units, const JoinedProblem& model,
                                         const HessianRules& rules) {
  const auto n = static_cast<int>(q.size());
  const auto R = map(model.R);
  const Directions directions = directions_of(problem.layout(), q, units, model.R, request.smoothing > 0, rules);
  MatrixXd beyond(n, n);
  nlp::Gradients at;
  for (int k = 0; k < n; ++k) {
    const auto along = directions.along.col(k);
    const double length = directions.lengths[k];
    nlp::Point moved = q;
    for (int i = 0; i < n; ++i) moved[i] += length * along[i] * units[i];
    if (!problem.adjoint(moved, request, {}, at).ok) return std::nullopt;
    for (int i = 0; i < n; ++i) beyond(i, k) = (at.objective_by_q[i] * units[i] - model.g[i]) / length;
    beyond.col(k) -= R.transpose() * (R * along);
  }
  const MatrixXd S = beyond * directions.along.transpose();
  return to_matrix(0.5 * (S + S.transpose()));
}

}  // namespace salvo::solve
