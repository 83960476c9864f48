#include "solve/step/noise_step.hpp"

#include <algorithm>
#include <cmath>

#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

const double least_square = 1e-12;  // of residuals that are nothing but rounding

// What rows say of one theta: gradient, information and how many rows see it.
struct NoiseSums {
  double g = 0;
  double information = 0;
  int rows = 0;
};

}  // namespace

// Where sigma = exp(a theta), the rows are a (1 - u^2) with information 2 a^2 each, so that their sums tell a and the
// mean of u^2: sigma^2 must be multiplied by that.
void adapt_noise(const nlp::Problem& problem, const nlp::Request& request, double settled, nlp::Point& q) {
  const nlp::Layout& layout = problem.layout();
  if (std::find(layout.noise_only.begin(), layout.noise_only.end(), true) == layout.noise_only.end()) return;
  nlp::Point last = q;  // that could be evaluated
  for (int round = 0; round < most_rounds; ++round) {
    nlp::Blocks blocks;
    if (!problem.linearize(q, request, blocks).ok) {
      q = last;
      return;
    }
    last = q;
    std::vector<NoiseSums> sums(layout.thetas);
    for (const nlp::ChainBlocks& chain : blocks.chains)
      for (const nlp::Rows& rows : chain.rows)
        for (int k = 0; k < layout.thetas; ++k)
          for (int i = 0; layout.noise_only[k] && i < static_cast<int>(rows.r.size()); ++i) {
            const double slope = rows.by_theta(i, k);
            if (slope == 0) continue;
            sums[k].g += slope * rows.r[i];
            sums[k].information += slope * slope;
            ++sums[k].rows;
          }
    double largest = 0;
    for (int k = 0; k < layout.thetas; ++k) {
      if (sums[k].rows == 0) continue;
      const double a = std::sqrt(0.5 * sums[k].information / sums[k].rows);
      const double mean_square = std::max(1 - sums[k].g / (sums[k].rows * a), least_square);
      const double change = 0.5 * std::log(mean_square);
      q[k] = std::clamp(q[k] + change / a, layout.lower[k], layout.upper[k]);
      largest = std::max(largest, std::abs(change));
    }
    if (largest <= settled) return;
  }
}

}  // namespace salvo::solve
