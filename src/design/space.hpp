#pragma once

#include <Eigen/Core>
#include <vector>

namespace salvo::design {

// Coordinates z of the quantities in which all candidates and the data together have the information I, so that neither
// units nor near-singular matrices are in the way:  S theta = (S to_z) z  for every row S, and what nobody sees is left
// out.
struct Space {
  Eigen::MatrixXd to_z{};    // quantities x seen directions
  Eigen::VectorXd scale{};   // of the quantities: the length of their columns is then one
  Eigen::MatrixXd unseen{};  // directions that neither data nor candidates see, of scaled quantities, orthonormal
};
Space space_of(const Eigen::MatrixXd& known, const std::vector<Eigen::MatrixXd>& rows);

// How much of k' theta lies in directions that nobody sees, from 0 to 1.
double unseen_part(const Space& space, const Eigen::VectorXd& k);

// What the rows say of the quantities: their covariance where `seen`, and what they do not see.
struct Told {
  Eigen::MatrixXd covariance{};
  std::vector<bool> seen{};
  std::vector<std::vector<double>> null_directions{};
};
Told told_by(const Eigen::MatrixXd& rows, const Eigen::VectorXd& sizes);

}  // namespace salvo::design
