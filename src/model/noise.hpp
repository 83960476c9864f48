#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "model/choices.hpp"

// What the program asks of a noise law. The laws themselves are in model/noise/.
namespace salvo::model {

// A law with the number that belongs to its name: student-t(4) has the shape 4.
struct Law {
  Distribution distribution = Distribution::normal;
  double shape = 0;
};

// What was measured: a number, or that it is below or above a limit.
struct Datum {
  double value = 0;
  Censored censored = Censored::no;
};

// How a law turns one datum, its prediction g and its sigma (the dispersion k of a negative binomial law) into rows of
// a least-squares problem. With the rows
//   weight_g dg/dq + weight_cross dsigma/dq   (value r_g)   and   weight_sigma dsigma/dq   (value r_sigma)
// J'r is the exact gradient of -llh. J'J is the expected (Fisher) information, or what stands for it, for
// `RowsFor::information`; for `RowsFor::step` it is that of the majorising square where the law is not a square
// (docs/mathematics.md, eq. 20 and 21).
struct NoiseRow {
  double llh = 0;        // log-likelihood, constants included
  double objective = 0;  // -llh, smoothed where the law has a corner
  double residual = 0;   // (value - g) / sigma, of logarithms for the log laws; of counts in their standard deviation
  double r_g = 0;
  double weight_g = 0;
  double weight_cross = 0;  // of a censored datum, whose two derivatives are one
  double r_sigma = 0;
  double weight_sigma = 0;
  bool ok = true;  // false: sigma is not positive, or a positive prediction is wanted
};

enum class RowsFor { step, information };

// `smoothing` rounds the corner of the Laplace law: |u| becomes sqrt(u^2 + smoothing^2).
NoiseRow noise_row(const Law& law, const Datum& datum, double g, double sigma, double smoothing, RowsFor purpose);

// One measurement as a ratio: u = (asinh(g / 2 small) - asinh(eta / 2 small)) / rho, a difference of logarithms where
// both exceed `small` and finite everywhere. rho is the noise relative to the datum, kept between a tenth and one: a
// prediction that is wrong by a factor of ten counts the same whatever the stated noise makes of it. A limit says
// nothing to a prediction on its side.
NoiseRow ratio_row(const Law& law, const Datum& datum, double g, double sigma, double small);

// The normal number that is as improbable as the datum ([DunnSmyth96]): (value - g) / sigma under a normal law. Counts
// and limits are drawn from the probability that belongs to them; `row` names the draw, so that it is always the same.
double quantile_residual(const Law& law, const Datum& datum, double g, double sigma, std::uint64_t row);

// A value drawn from the law, and the value that is not exceeded with this probability.
double draw(const Law& law, double g, double sigma, Random& random);
double quantile(const Law& law, double probability, double g, double sigma);

// How far values scatter, on the law's own scale: sigma, or the standard deviation of a count.
double spread(const Law& law, double g, double sigma);

// What one datum tells of log sigma; 0 for counts, which have none.
double scale_information(const Law& law);

constexpr bool has_corner(Distribution law) { return law == Distribution::laplace || law == Distribution::log_laplace; }
constexpr bool is_logarithmic(Distribution law) {
  return law == Distribution::log_normal || law == Distribution::log_laplace;
}
constexpr bool is_count(Distribution law) {
  return law == Distribution::poisson || law == Distribution::negative_binomial;
}
// Whether rows for steps are those of the information as well.
constexpr bool is_square(Distribution law) {
  return law == Distribution::normal || law == Distribution::log_normal || law == Distribution::poisson;
}
// Whether predictions of a negative value have no likelihood.
constexpr bool needs_positive(Distribution law) { return is_logarithmic(law) || is_count(law); }

}  // namespace salvo::model
