#pragma once

namespace salvo::statistics {

// P(X > chi2) for a chi-squared distribution.
double chi_squared_survival(double chi2, int degrees_of_freedom);

inline constexpr double normal_quantile_975 = 1.959963984540054;

}  // namespace salvo::statistics
