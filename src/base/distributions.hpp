#pragma once

// Probabilities, quantiles and the special functions behind them. Nothing here throws; what has no value is NaN.
namespace salvo {

inline constexpr double normal_quantile_975 = 1.959963984540054;

double normal_cdf(double z);
double log_normal_cdf(double z);  // also where the probability itself is too small for a number
double normal_quantile(double probability);

// P(X > chi2) for a chi-squared distribution.
double chi_squared_survival(double chi2, double degrees_of_freedom);
double chi_squared_quantile(double probability, double degrees_of_freedom);

double student_cdf(double t, double degrees_of_freedom);
double student_quantile(double probability, double degrees_of_freedom);  // infinitely many degrees: the normal one

// P(Y <= count), for negative-binomial counts a smooth function between whole numbers; `dispersion` k: variance = mean
// + mean^2 / k. A quantile is the least count that reaches it.
double poisson_cdf(double count, double mean);
double poisson_quantile(double probability, double mean);
double negative_binomial_cdf(double count, double mean, double dispersion);
double negative_binomial_quantile(double probability, double mean, double dispersion);

double log_gamma(double x);
double digamma(double x);
double trigamma(double x);

}  // namespace salvo
