#pragma once

#include "model/noise.hpp"

// Laws of whole numbers with mean g: Poisson, variance g; negative binomial with dispersion k, variance g + g^2/k,
// where k stands in the place of sigma.
namespace salvo::model {

NoiseRow count_row(const Law& law, const Datum& datum, double g, double k, RowsFor purpose);
// share: of what lies between the ends of a datum that leaves room, from 0 to 1.
double count_residual(const Law& law, const Datum& datum, double g, double k, double share);
double count_quantile(const Law& law, double probability, double g, double k);
double count_deviation(const Law& law, double g, double k);

}  // namespace salvo::model
