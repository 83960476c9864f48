#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "solve/certificate/certificate.hpp"

namespace salvo::solve {

// Looks at the objective beside a point, at finite distances on both sides and inside the bounds, and keeps the lowest
// place that it has met.
class Probing {
 public:
  Probing(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
          const std::vector<double>& units, double objective)
      : problem_(problem), q_(q), request_(request), units_(units), objective_(objective) {}

  // Changes up to `threshold` are none.
  void look_along(Probe& probe, const std::vector<double>& distances, double threshold);
  const nlp::Point& lowest() const { return lowest_; }  // empty: nothing is lower

 private:
  const nlp::Problem& problem_;
  const nlp::Point& q_;
  const nlp::Request& request_;
  const std::vector<double>& units_;
  double objective_;
  nlp::Point lowest_{};
  double change_at_lowest_ = 0;
};

// Sums of directions with signs, of unit length: along p and along q alone an objective may be constant that falls
// along p + q, as that of a product p q does at zero. Beyond the first, directions share so many signs.
std::vector<std::vector<double>> signed_sums(const std::vector<std::vector<double>>& directions, int signs);

}  // namespace salvo::solve
