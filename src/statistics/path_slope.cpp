#include "statistics/path_slope.hpp"

#include "dense/pivoted_qr.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "statistics/matrix_view.hpp"

namespace salvo::statistics {

double path_slope(const nlp::Layout& layout, const nlp::Blocks& linearized, const nlp::Point& q,
                  const std::vector<double>& units, int unknown) {
  solve::JoinedProblem model;
  solve::take(layout, linearized, units, model);
  std::vector<int> free;
  for (int k = 0; k < layout.unknowns; ++k)
    if (k != unknown && q[k] > layout.lower[k] && q[k] < layout.upper[k]) free.push_back(k);
  double slope = model.g[unknown];
  if (!free.empty()) {
    const auto R = view(model.R);
    const Eigen::VectorXd t = dense::pivoted_least_squares(R(Eigen::all, free), -R.col(unknown));
    for (std::size_t k = 0; k < free.size() && t.allFinite(); ++k)
      slope += model.g[free[k]] * t[static_cast<Eigen::Index>(k)];
  }
  return slope / units[unknown];
}

}  // namespace salvo::statistics
