#include "statistics/distributions.hpp"

#include <boost/math/special_functions/gamma.hpp>

namespace salvo::statistics {

double chi_squared_survival(double chi2, int degrees_of_freedom) {
  return boost::math::gamma_q(0.5 * degrees_of_freedom, 0.5 * chi2);
}

}  // namespace salvo::statistics
