#pragma once

#include "integrate/point_model.hpp"

namespace salvo::integrate {

// Linear combinations of states that no trajectory changes: the rows of L, with L f(x) = 0 for all x. They are found
// where f and f_x at several points agree that they are conserved.
struct ConservedQuantities {
  Eigen::MatrixXd L{};
  std::vector<Eigen::VectorXd> points{};  // states near x0 at which f was looked at

  int count() const { return static_cast<int>(L.rows()); }
};
ConservedQuantities conserved_quantities(PointModel& model, const Eigen::VectorXd& x0, const Eigen::VectorXd& sizes);

// d/dp (L(p) (x - x0)) by L alone, for x on the trajectory from x0: volumes may be parameters.
Eigen::MatrixXd change_of_conserved(PointModel& model, const ConservedQuantities& conserved,
                                    const Eigen::VectorXd& difference);

}  // namespace salvo::integrate
