#include "solve/certificate/probing.hpp"

#include <algorithm>
#include <cmath>

namespace salvo::solve {

void Probing::look_along(Probe& probe, const std::vector<double>& distances, double threshold) {
  const nlp::Layout& layout = problem_.layout();
  double lowest = 0;
  double highest = 0;
  for (const double side : {1.0, -1.0})
    for (const double distance : distances) {
      nlp::Point q = q_;
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = std::clamp(q[i] + side * distance * units_[i] * probe.direction[i], layout.lower[i], layout.upper[i]);
      nlp::Blocks blocks;
      if (!problem_.values(q, request_, blocks).ok) continue;
      const double change = blocks.objective - objective_;
      highest = std::max(highest, change);
      lowest = std::min(lowest, change);
      if (change >= -threshold || change >= change_at_lowest_) continue;
      change_at_lowest_ = change;
      lowest_ = std::move(q);
    }
  probe.change = -lowest > threshold ? lowest : highest;
  probe.verdict = -lowest > threshold ? Probed::lower : highest > threshold ? Probed::higher : Probed::constant;
}

std::vector<std::vector<double>> signed_sums(const std::vector<std::vector<double>>& directions, int signs) {
  const int count = static_cast<int>(directions.size());
  std::vector<std::vector<double>> sums;
  if (count < 2) return sums;
  for (int n = 0; n < 1 << std::min(count - 1, signs); ++n) {
    std::vector<double>& sum = sums.emplace_back(directions.front());
    for (int k = 1; k < count; ++k) {
      const bool negative = ((n >> (k - 1) % signs) & 1) != 0;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += negative ? -directions[k][i] : directions[k][i];
    }
    for (double& entry : sum) entry /= std::sqrt(count);
  }
  return sums;
}

}  // namespace salvo::solve
