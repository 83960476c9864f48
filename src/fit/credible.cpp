#include "fit/credible.hpp"

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"

namespace salvo::fit {

bool is_credible(const Solved& solved) {
  constexpr double incredible = 1e-6;  // p-value
  const Setup& setup = solved.setup;
  for (const auto& kernel : setup.shooting->model().observables)
    for (const auto* pattern : {&kernel.by_state, &kernel.by_parameter})
      if (std::find(pattern->row.begin(), pattern->row.end(), 1) != pattern->row.end()) return true;
  double chi2 = 0;  // of quantile residuals, which are normal under every law
  for (const Prediction& prediction : solved.predictions.fitted) chi2 += prediction.score * prediction.score;
  int degrees = static_cast<int>(setup.problem->measurements.size()) - setup.shooting->layout().thetas;
  for (const model::Network& network : setup.problem->networks) degrees += network.parameters();
  return std::isfinite(chi2) && (degrees <= 0 || chi_squared_survival(chi2, degrees) >= incredible);
}

}  // namespace salvo::fit
