#pragma once

#include <Eigen/Core>
#include <vector>

namespace salvo::solve {

// min |z - target|^2 / 2   s.t.   a_i'z + b_i = 0 where `equality`, a_i'z + b_i <= 0 elsewhere      (rows a_i' of A)
struct NearestPointProblem {
  Eigen::VectorXd target;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  std::vector<bool> equality;
};

struct NearestPoint {
  Eigen::VectorXd z;
  Eigen::VectorXd multipliers;  // target - z = A' multipliers; zero where a row is not active
  std::vector<int> active{};
  std::vector<int> conflict{};  // rows that cannot hold together; then z is where this was found out
};

// The dual active-set method of [GI83], for the unit matrix: it starts at the target and takes in one violated row
// after the other, letting go of those that are not wanted any more. A row that depends on the active ones is either in
// conflict with them or replaces one of them.
NearestPoint nearest_point(const NearestPointProblem& problem);

}  // namespace salvo::solve
