#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// The triangle R of the rows along unbroken trajectories, R'R = D J'J D. A row speaks of θ and of the v_0 of its own
// chain alone:
//   [R_0,1              R_0θ,1]   v_0 of the first chain
//   [       R_0,2       R_0θ,2]   v_0 of the second
//   [              ...   ...  ]
//   [                   R_θ   ]   θ
// What it is asked for takes time in proportion to the number of chains, that of a dense triangle to its cube. Vectors
// are in the order of all unknowns, on either side.
class ArrowTriangle {
 public:
  // Nothing where a chain has links, or where a diagonal vanishes.
  static std::optional<ArrowTriangle> of(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                         const std::vector<double>& units);

  Eigen::VectorXd times(const Eigen::VectorXd& v) const;             // R v
  Eigen::VectorXd transposed_times(const Eigen::VectorXd& v) const;  // R'v
  Eigen::VectorXd solve(const Eigen::VectorXd& v) const;             // R^-1 v
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& v) const;  // R'^-1 v

  // R^-1: R_θ^-1, and the rows of every chain, [R_0^-1  -R_0^-1 R_0θ R_θ^-1].
  struct Inverse {
    Eigen::MatrixXd theta{};
    struct Chain {
      Eigen::MatrixXd first{}, by_theta{};
    };
    std::vector<Chain> chains{};

    double norm_bound() const;
  };
  Inverse inverse() const;

  // No singular value is larger. The blocks of the chains stand beside and below each other, so that the largest of
  // them counts, however many there are.
  double norm_bound() const;

 private:
  struct Chain {
    Eigen::Index offset = 0;  // of v_0 among the unknowns
    Eigen::MatrixXd R, by_theta;
  };
  std::vector<Chain> chains_;
  Eigen::MatrixXd R_theta_;
};

}  // namespace salvo::solve
