#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// How small changes of a steady state x move: e^(lambda t) with
//   det(lambda I - f_x - sum_k f_zk e^(-lambda tau_k)) = 0.
// The rightmost lambda are eigenvalues of the equation as a matrix of the values at Chebyshev points over the longest
// delay ([BMV05]). None where that matrix would be too large, or has no eigenvalues.
std::optional<Eigen::VectorXcd> delayed_modes(const compile::CompiledModel& model, std::span<const double> tau,
                                              std::span<const double> p, const Eigen::VectorXd& x);

}  // namespace salvo::integrate
