#include "estimate/validation.hpp"

#include <cmath>

#include "estimate/answer/predictions.hpp"
#include "estimate/quantities.hpp"

namespace salvo::estimate {

bool can_overfit(const shooting::ShootingProblem& shooting) {
  const model::Problem& problem = shooting.problem();
  return !problem.networks.empty() || quantities(shooting).size() > problem.measurements.size();
}

bool is_judged(const shooting::ShootingProblem& shooting, model::Method method) {
  return method == model::Method::lagrangian && !shooting.problem().validation.empty() && can_overfit(shooting);
}

solve::Judged judge_by_validation(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  solve::Judged judged{.q = q};
  nlp::Blocks blocks;
  if (!shooting.join(judged.q) || !shooting.values(judged.q, blocks).ok) return judged;
  double score = 0;
  for (const Prediction& prediction : predict_validation(shooting, judged.q)) score -= prediction.llh;
  if (!std::isfinite(score)) return judged;
  judged.score = score;
  judged.objective = blocks.objective;
  judged.gap = blocks.gap;
  return judged;
}

double rms_residual(const std::vector<Prediction>& predictions) {
  double squares = 0;
  for (const Prediction& prediction : predictions) squares += prediction.residual * prediction.residual;
  return predictions.empty() ? 0 : std::sqrt(squares / static_cast<double>(predictions.size()));
}

}  // namespace salvo::estimate
