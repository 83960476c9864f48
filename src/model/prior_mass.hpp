#pragma once

#include "model/problem.hpp"

namespace salvo::model {

// The probability that a law gives to values between two bounds; the lower one is not negative where the law has no
// negative values.
double probability_between(const Prior& prior, double lower, double upper);

// The regularised incomplete gamma function P(a, x).
double regularised_gamma(double a, double x);

}  // namespace salvo::model
