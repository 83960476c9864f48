#pragma once

#include <Eigen/Core>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// All motions that the gaps allow: the quantities (θ, v_0 of each chain) move by to_quantities w, the objective's rows
// by rows w, both scaled by the sizes; `held` thetas stay, and so do the `active` rows of the constraints.
class NullSpace {
 public:
  NullSpace(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
            const std::vector<bool>& held, const std::vector<int>& active);

  struct Basis {
    Eigen::MatrixXd rows;
    Eigen::MatrixXd to_quantities;
  };
  // With each θ measured in `stretch` times its size.
  Basis basis(const Eigen::VectorXd& stretch) const;

 private:
  void compress();

  Eigen::MatrixXd rows_;    // over y = (θ, ends of every chain)
  Eigen::MatrixXd E_;       // E y = 0: the gaps, and the held thetas
  Eigen::MatrixXd active_;  // the active constraints
  Eigen::MatrixXd select_;  // of the quantities from y
};

}  // namespace salvo::solve
