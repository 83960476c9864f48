#include "estimate/answer/credibility.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/distributions.hpp"
#include "estimate/plan/facts.hpp"

namespace salvo::estimate {
namespace {

bool estimates_noise(const compile::CompiledModel& model) {
  for (const auto& kernel : model.observables)
    for (const auto* pattern : {&kernel.by_state, &kernel.by_parameter})
      if (std::find(pattern->row.begin(), pattern->row.end(), 1) != pattern->row.end()) return true;
  return false;
}

bool is_at_a_bound(const nlp::Layout& layout, const nlp::Point& q) {
  const double at = 1e-8;  // the tolerance of steps
  for (int k = 0; k < layout.thetas; ++k)
    for (const double bound : {layout.lower[k], layout.upper[k]})
      if (!layout.noise_only[k] && std::abs(q[k] - bound) <= at * std::max(1.0, std::abs(bound))) return true;
  return false;
}

// Neighbours in time that are off by as much to the same side: of independent ones, the sum of their products by the
// mean square has mean 0 and as much variance as there are products.
bool follow_each_other(const model::Problem& problem, const std::vector<Prediction>& predictions, double improbable) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> series;  // of an experiment's observable
  for (const Prediction& prediction : predictions) {
    const model::Measurement& m = problem.measurements[prediction.row];
    series[{m.experiment, m.observable}].emplace_back(m.time, prediction.score);
  }
  double sum = 0;
  double products = 0;
  for (auto& [of, scores] : series) {
    std::stable_sort(scores.begin(), scores.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double squares = 0;
    for (const auto& [time, score] : scores) squares += score * score;
    for (std::size_t i = 1; i < scores.size() && squares > 0; ++i, ++products)
      sum += scores[i - 1].second * scores[i].second * static_cast<double>(scores.size()) / squares;
  }
  return sum > improbable * std::sqrt(products);
}

}  // namespace

bool is_credible(const Workspace& workspace, const Answer& answer, const nlp::Layout& layout) {
  const model::Problem& problem = workspace.problem();
  if (estimates_noise(workspace.model())) return true;
  double chi2 = 0;  // of quantile residuals, which are normal under every law
  for (const Prediction& prediction : answer.predictions.fitted) chi2 += prediction.score * prediction.score;
  int degrees = static_cast<int>(problem.measurements.size()) - layout.thetas;
  for (const model::Network& network : problem.networks) degrees += network.parameters();
  return std::isfinite(chi2) &&
         (degrees <= 0 || chi_squared_survival(chi2, degrees) >= workspace.rules().answer.incredible);
}

bool leaves_doubt(const Workspace& workspace, const Answer& answer, const nlp::Layout& layout) {
  if (!estimates_noise(workspace.model())) return false;
  if (!answer.certificate.probes.empty() ||
      follow_each_other(workspace.problem(), answer.predictions.fitted, workspace.rules().answer.correlated))
    return true;
  return moves_discontinuities(workspace.model()) && is_at_a_bound(layout, answer.run.q);
}

}  // namespace salvo::estimate
