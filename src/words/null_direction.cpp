#include "words/null_direction.hpp"

#include <cmath>

namespace salvo::words {

NullDirection named(const std::vector<estimate::Quantity>& quantities, const std::vector<double>& direction,
                    const nlp::Point& q) {
  std::vector<double> relative(direction.size());
  double largest = 0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const model::Scale scale = quantities[i].estimated->scale;
    const double value = model::from_scale(scale, q[quantities[i].unknown]);
    const double change = direction[i] * model::from_scale_slope(scale, q[quantities[i].unknown]);
    relative[i] = value != 0 ? change / std::abs(value) : change;
    if (std::abs(relative[i]) >= std::abs(largest) * (1 - 1e-6)) largest = relative[i];
  }
  NullDirection out;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    double coefficient = largest != 0 ? relative[i] / largest : 0;
    if (std::abs(coefficient) < 1e-3) continue;
    if (std::abs(coefficient - std::round(coefficient)) < 1e-6) coefficient = std::round(coefficient);
    out.parts.push_back({quantities[i].id, coefficient});
  }
  return out;
}

}  // namespace salvo::words
