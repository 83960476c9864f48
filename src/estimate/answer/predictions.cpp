#include "estimate/answer/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "shooting/trajectory.hpp"

namespace salvo::estimate {
namespace {

Prediction to_prediction(const model::Problem& problem, const model::Measurement& m, int row, double simulation,
                         double noise) {
  const model::Law law = problem.observables[m.observable].law();
  const auto at = model::noise_row(law, m.datum(), simulation, noise, 0, model::RowsFor::information);
  Prediction out{.row = row,
                 .simulation = simulation,
                 .sigma = model::spread(law, simulation, noise),
                 .llh = at.llh,
                 .residual = at.residual,
                 .noise = noise};
  if (at.ok) out.score = model::quantile_residual(law, m.datum(), simulation, noise, static_cast<std::uint64_t>(row));
  if (m.censored != model::Censored::no) out.residual = out.score;
  return out;
}

// One validation measurement, from the last node before it.
Prediction predict_one(const shooting::ShootingProblem& shooting, const nlp::Point& q, int chain,
                       const model::Measurement& m, int row) {
  const model::Problem& problem = shooting.problem();
  const compile::CompiledModel& model = shooting.model();
  const shooting::Grid& grid = shooting.grids()[chain];
  const auto after = std::upper_bound(grid.tau.begin(), grid.tau.end(), m.time);
  const int last = shooting.layout().chains[chain].links();
  const int j = std::clamp(static_cast<int>(after - grid.tau.begin()) - 1, 0, last);
  const shooting::ExperimentValues values = shooting.values_of(chain, q, false);
  const std::vector<double> s = shooting.node_state(chain, j, q);
  const std::vector<double> time{m.time};
  const shooting::Trajectory arc = shooting::trajectory(
      model, shooting.options().integrator, {grid.tau[j], grid.experiment, j == 0}, s, values.p, time, shooting.stop());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!arc.ending.ok())
    return {.row = row, .simulation = nan, .sigma = nan, .llh = nan, .residual = nan, .score = nan, .noise = nan};
  std::vector<double> work(model.largest_work());
  std::vector<double> room;
  const double* p = model.parameters_at(m.experiment, m.time, values.p.data(), room);
  double both[2];
  model.observables[m.observable].value.run<1>({.time = &m.time, .state = arc.states.data.data(), .parameter = p},
                                               work.data(), both);
  return to_prediction(problem, m, row, both[0], m.sigma.value_or(both[1]));
}

}  // namespace

bool is_point_of(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  return static_cast<int>(q.size()) == shooting.layout().unknowns;
}

void each_prediction(const shooting::ShootingProblem& shooting,
                     const std::vector<shooting::ShootingProblem::Predicted>& predicted,
                     const std::function<void(const Prediction&)>& take) {
  const model::Problem& problem = shooting.problem();
  for (int i = 0; i < static_cast<int>(predicted.size()); ++i)  // exact, whatever smoothing the fit used
    take(to_prediction(problem, problem.measurements[i], i, predicted[i].simulation, predicted[i].sigma));
}

Predictions predict_all(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request) {
  shooting::LastValues nothing;
  return predict_all(shooting, q, request, nothing);
}

Predictions predict_all(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                        shooting::LastValues& last) {
  Predictions out;
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  out.ok = shooting::predict(shooting, q, request, last, predicted).ok;
  if (!out.ok) return out;
  out.fitted.reserve(predicted.size());
  each_prediction(shooting, predicted, [&](const Prediction& each) { out.fitted.push_back(each); });
  out.validation = predict_validation(shooting, q);
  return out;
}

std::vector<Prediction> predict_validation(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  const model::Problem& problem = shooting.problem();
  std::vector<std::optional<int>> chain_of(problem.experiments.size());
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) chain_of[shooting.grids()[c].experiment] = c;
  std::vector<Prediction> out;
  for (int i = 0; i < static_cast<int>(problem.validation.size()); ++i)
    if (const auto chain = chain_of[problem.validation[i].experiment])
      out.push_back(predict_one(shooting, q, *chain, problem.validation[i], i));
  return out;
}

}  // namespace salvo::estimate
