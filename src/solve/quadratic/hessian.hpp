#pragma once

#include <optional>
#include <vector>

#include "base/matrix.hpp"
#include "nlp/problem.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/rules.hpp"

namespace salvo::solve {

// What the expected information leaves out of the Hessian of the objective, in units: S = H - R'R, by differences of
// exact gradients, one adjoint for each unknown (docs/mathematics.md, eq. 52). Nothing where one of them fails.
std::optional<Matrix> beyond_information(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                                         const std::vector<double>& units, const JoinedProblem& model,
                                         const HessianRules& rules);

}  // namespace salvo::solve
