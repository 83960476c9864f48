#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "statistics/profile.hpp"

namespace salvo::statistics {

// Where the unknowns of a profile are expected at `value`, from points of its path, the nearest first: on the parabola
// through at most three of them, in the values or in their logarithms. Where only a product of two quantities is seen,
// one is the other's reciprocal along the path, which is a straight line in logarithms and far from a parabola in
// values. Each unknown that is a value takes the form that would have predicted the nearest point better.
nlp::Point extrapolated(const ProfileTask& task, const std::vector<const ProfilePoint*>& nodes, double value);

// Where they are expected by the tangent of the path at the optimum.
nlp::Point along_tangent(const ProfileTask& task, double value);

}  // namespace salvo::statistics
