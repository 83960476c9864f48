#include "estimate/answer/one_trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "estimate/answer/predictions.hpp"
#include "shooting/nodes.hpp"

namespace salvo::estimate {

namespace {

// Noise as small as errors of integration makes another objective of the same trajectory.
bool predict_the_same(const model::Problem& problem, const Predictions& a, const Predictions& b, double same) {
  if (!a.ok || !b.ok || a.fitted.size() != b.fitted.size()) return false;
  std::vector<double> size(problem.observables.size(), 0.0);
  const auto observable = [&](const Prediction& prediction) { return problem.measurements[prediction.row].observable; };
  for (const Prediction& prediction : a.fitted)
    size[observable(prediction)] = std::max(size[observable(prediction)], std::abs(prediction.simulation));
  for (std::size_t k = 0; k < a.fitted.size(); ++k)
    if (!(std::abs(a.fitted[k].simulation - b.fitted[k].simulation) <= same * size[observable(a.fitted[k])]))
      return false;
  return true;
}

}  // namespace

OneTrajectory on_one_trajectory(const shooting::ShootingProblem& shooting, const solve::SolveResult& answer,
                                double same) {
  const model::Problem& problem = shooting.problem();
  OneTrajectory out;
  out.shooting = shooting.on_one_trajectory();
  out.q = shooting::carried_over(shooting, answer.q, *out.shooting);
  nlp::Request request = answer.request;
  request.max_steps = 0;
  nlp::Blocks blocks;
  out.has_same_objective = out.shooting->values(out.q, request, blocks).ok &&
                           std::abs(blocks.objective - answer.objective) <= same * (1 + std::abs(blocks.objective));
  out.is_same = out.has_same_objective || predict_the_same(problem, predict_all(shooting, answer.q, request),
                                                           predict_all(*out.shooting, out.q, request), same);
  return out;
}

}  // namespace salvo::estimate
