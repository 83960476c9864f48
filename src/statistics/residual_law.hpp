#pragma once

#include <vector>

namespace salvo::statistics {

// The law of the sum of squared residuals of n data where priors take part (docs/mathematics.md, section 9). Drawn with
// the quantities from their priors and the data from their noise, residuals at the best fit are normal with covariance
// I - H, H the hat matrix: their squares add up to
//   Q = sum_i w_i chi2_1,   w_i the eigenvalues of I - H,
// which is chi-squared with n - k degrees of freedom only where there are no priors: then n - k of the w_i are 1 and
// the others 0. A chi-squared law of a fractional number of degrees is not that of a residual that has shrunk.
struct ResidualLaw {
  double ones = 0;                // how many of the w_i are 1
  std::vector<double> weights{};  // the others, of k quantities, each between 0 and 1
  double degrees() const;         // the sum of all of them: the mean of Q
};

// Of n data and k quantities, where the priors say `by_priors` of all that is known: the eigenvalues of their part of
// the information, in coordinates in which all of it is I.
ResidualLaw residual_law(int data, int quantities, std::vector<double> by_priors);

// P(Q > squares), by the chi-squared law with the same first three moments ([Imhof61], p. 425), which is exact where
// all w_i are equal or 0. Not a number where no residual is left.
double survival(const ResidualLaw& law, double squares);

}  // namespace salvo::statistics
