#pragma once

#include <span>

#include "dense/product.hpp"

namespace salvo::dense {

// x = R^-1 x for an upper triangle R.
void solve_upper(const ConstBlock& R, std::span<double> x);

// x = R'^-1 x
void solve_upper_transposed(const ConstBlock& R, std::span<double> x);

// A bound of |R| |R^-1|: no less than the ratio of its singular values. Infinite where R has no inverse. `room` takes
// three times as many numbers as R has columns.
double condition_bound(const ConstBlock& R, std::span<double> room);

}  // namespace salvo::dense
