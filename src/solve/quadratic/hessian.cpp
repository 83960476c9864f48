#include "solve/quadratic/hessian.hpp"

#include <algorithm>
#include <cmath>

#include "solve/views.hpp"

namespace salvo::solve {

std::optional<Matrix> beyond_information(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                                         const std::vector<double>& units, const JoinedProblem& model,
                                         const HessianRules& rules) {
  const auto n = static_cast<int>(q.size());
  Eigen::MatrixXd hessian(n, n);
  nlp::Gradients at;
  for (int k = 0; k < n; ++k) {
    const double column = map(model.R).col(k).norm();
    const double far = column > 0 ? std::min(rules.difference, rules.difference_of_rows / column) : rules.difference;
    const bool ahead = problem.layout().upper[k] - q[k] > far * units[k];
    nlp::Point moved = q;
    moved[k] += (ahead ? far : -far) * units[k];
    if (!problem.adjoint(moved, request, {}, at).ok) return std::nullopt;
    for (int i = 0; i < n; ++i) hessian(i, k) = (at.objective_by_q[i] * units[i] - model.g[i]) / (ahead ? far : -far);
  }
  return to_matrix(0.5 * (hessian + hessian.transpose()) - map(model.R).transpose() * map(model.R));
}

}  // namespace salvo::solve
