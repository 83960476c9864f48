#pragma once

#include "base/random.hpp"
#include "model/noise.hpp"
#include "model/noise/loss.hpp"

// Laws of y = g + sigma U with a symmetric U. Each says what it knows of U; censoring, logarithms, rows, residuals and
// draws follow (location_scale.cpp).
namespace salvo::model {

// -log density of U, u = (g - y) / sigma:
struct Normal {  // u^2/2 + log(2 pi)/2
  Loss loss(double u, double smoothing) const;
  double constant() const;              // of -log density
  double scale_information() const;     // of log sigma
  double log_cdf(double z) const;       // log P(U < z)
  Loss below(double z) const;           // -log P(U < z) as a function of -z
  double normal_score(double z) const;  // the normal number with the probability of z
  double quantile(double probability) const;
  double draw(Random& random) const;
};
struct Laplace {  // |u| + log 2, rounded to sqrt(u^2 + smoothing^2)
  Loss loss(double u, double smoothing) const;
  double constant() const;
  double scale_information() const;
  double log_cdf(double z) const;
  Loss below(double z) const;
  double normal_score(double z) const;
  double quantile(double probability) const;
  double draw(Random& random) const;
};
struct Student {  // (nu + 1)/2 log(1 + u^2/nu) + ...
  double nu = 4;
  Loss loss(double u, double smoothing) const;
  double constant() const;
  double scale_information() const;
  double log_cdf(double z) const;
  Loss below(double z) const;
  double normal_score(double z) const;
  double quantile(double probability) const;
  double draw(Random& random) const;
};

// Calls use(U) with the U of y, or of log y for the logarithmic laws. A law is asked for every datum: a variant that is
// made and visited would take as long as its answer.
template <class Use>
auto with_standard(const Law& law, const Use& use) {
  switch (law.distribution) {
    case Distribution::laplace:
    case Distribution::log_laplace: return use(Laplace{});
    case Distribution::student_t: return use(Student{law.shape});
    case Distribution::normal:
    case Distribution::log_normal:
    case Distribution::poisson:
    case Distribution::negative_binomial: break;
  }
  return use(Normal{});
}

// The four of noise.hpp, for these laws.
NoiseRow location_scale_row(const Law& law, const Datum& datum, double g, double sigma, double smoothing,
                            RowsFor purpose);
// share: of what lies beyond the limit of a censored datum, from 0 to 1.
double location_scale_residual(const Law& law, const Datum& datum, double g, double sigma, double share);
double location_scale_draw(const Law& law, double g, double sigma, Random& random);
double location_scale_quantile(const Law& law, double probability, double g, double sigma);

}  // namespace salvo::model
