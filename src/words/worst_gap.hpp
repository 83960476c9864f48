#pragma once

#include <string>

#include "shooting/shooting_problem.hpp"

namespace salvo::words {

// Where the largest gap is: "x2 at t = 3.5, between intervals 4 and 5 of 10". Empty if the point cannot be evaluated.
std::string worst_gap_in_words(const shooting::ShootingProblem& shooting, const nlp::Point& q);

}  // namespace salvo::words
