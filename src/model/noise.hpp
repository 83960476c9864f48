#pragma once

#include <string_view>

#include "model/choices.hpp"

namespace salvo::model {

// How a noise law turns one measurement eta, its prediction g and its sigma into rows of a least-squares problem.
// With the rows   weight_g * dg/dq   (value r_g)   and   weight_sigma * dsigma/dq   (value r_sigma)
// J'r is the exact gradient of -llh. J'J is the expected (Fisher) information for `Rows::information`; for
// `Rows::step` it is that of the majorising square where the law is not a square (docs/mathematics.md, eq. 20 and 21).
struct NoiseRow {
  double llh = 0;        // log-likelihood, constants included
  double objective = 0;  // -llh, smoothed where the law has a corner
  double residual = 0;   // (eta - g) / sigma, of logarithms for the log laws
  double r_g = 0;
  double weight_g = 0;
  double r_sigma = 0;
  double weight_sigma = 0;
  bool ok = true;  // false: sigma is not positive, or the logarithm of a prediction that is not positive is wanted
};

enum class RowsFor { step, information };

// One measurement as a ratio: u = (asinh(g / 2 small) - asinh(eta / 2 small)) / rho, a difference of logarithms where
// both exceed `small` and finite everywhere. rho is the noise relative to the datum, kept between a tenth and one: a
// prediction that is wrong by a factor of ten counts the same whatever the stated noise makes of it.
NoiseRow ratio_row(Distribution law, double eta, double g, double sigma, double small);

// `smoothing` rounds the corner of the Laplace law: |u| becomes sqrt(u^2 + smoothing^2).
NoiseRow noise_row(Distribution law, double eta, double g, double sigma, double smoothing, RowsFor purpose);

bool has_corner(Distribution law);

}  // namespace salvo::model
