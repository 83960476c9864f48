#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "rate_chain.hpp"

namespace salvo::test {

inline const std::vector<double> noisy{2.1, 1.4, 0.7, 0.55, 0.2, 0.25};  // the best theta is near 0.5

// A problem with a solution that can be found by hand: v_{j+1} = v_j e^-theta, each v_j measured with noise one. Where
// theta leaves (-limit, limit) it cannot be evaluated.
class DecayChain final : public RateChain {
 public:
  explicit DecayChain(std::vector<double> data, double limit = 1e9) : RateChain(1, std::move(data)) {
    without_values_where([limit](const nlp::Point& q) { return !(std::abs(q[0]) < limit); }, "theta is out of reach");
  }
  void bound(double lower, double upper) {
    layout().lower[0] = lower;
    layout().upper[0] = upper;
  }
  nlp::Point start(double theta) const { return on_data({theta}); }

  // The best v_0 for a given theta, and the sum of squares it leaves: a linear problem.
  double best_first(double theta) const {
    double above = 0;
    double below = 0;
    for (std::size_t j = 0; j < data().size(); ++j) {
      const double decay = std::exp(-theta * static_cast<double>(j));
      above += decay * data()[j];
      below += decay * decay;
    }
    return above / below;
  }
  double sum_of_squares(double theta) const {
    double sum = 0;
    for (std::size_t j = 0; j < data().size(); ++j)
      sum += std::pow(best_first(theta) * std::exp(-theta * static_cast<double>(j)) - data()[j], 2);
    return sum;
  }
  // The best theta, by golden section: a second method.
  double best_theta(double low, double high) const {
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    while (high - low > 1e-9) {
      const double a = high - golden * (high - low);
      const double b = low + golden * (high - low);
      (sum_of_squares(a) < sum_of_squares(b) ? high : low) = sum_of_squares(a) < sum_of_squares(b) ? b : a;
    }
    return 0.5 * (low + high);
  }
};

}  // namespace salvo::test
