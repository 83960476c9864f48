#include "estimate/answer/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "shooting/experiment_values.hpp"
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

// Where the trajectory to a validation measurement begins.
struct Begin {
  shooting::Departure at{};
  std::vector<double> x{};
  std::vector<double> p{};
};

// The last node before it; the start of its experiment, where nothing of that is fitted.
Begin begin_of(const shooting::ShootingProblem& shooting, const nlp::Point& q, std::optional<int> chain,
               const model::Measurement& m) {
  if (!chain) {
    const model::Problem& problem = shooting.problem();
    shooting::ExperimentValues values = shooting::experiment_values(
        problem, shooting.model(), shooting::unknown_names(problem), m.experiment, q.data(), nullptr, false);
    return {{problem.experiments[m.experiment].start, m.experiment, true}, std::move(values.s0), std::move(values.p)};
  }
  const shooting::Grid& grid = shooting.grids()[*chain];
  const auto after = std::upper_bound(grid.tau.begin(), grid.tau.end(), m.seen_at());
  const int last = shooting.layout().chains[*chain].links();
  const int j = std::clamp(static_cast<int>(after - grid.tau.begin()) - 1, 0, last);
  return {{grid.tau[j], grid.experiment, j == 0},
          shooting.node_state(*chain, j, q),
          shooting.values_of(*chain, q, false).p};
}

Prediction predict_one(const shooting::ShootingProblem& shooting, const Begin& begin, const model::Measurement& m,
                       int row) {
  const model::Problem& problem = shooting.problem();
  const compile::CompiledModel& model = shooting.model();
  const std::vector<double> time{m.seen_at()};
  const shooting::Trajectory arc =
      shooting::trajectory(model, shooting.options().integrator, begin.at, begin.x, begin.p, time, shooting.stop());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!arc.ending.ok())
    return {.row = row, .simulation = nan, .sigma = nan, .llh = nan, .residual = nan, .score = nan, .noise = nan};
  std::vector<double> work(model.largest_work());
  std::vector<double> room;
  const double* p = model.parameters_at(m.experiment, time[0], begin.p.data(), room);
  double both[2];
  model.observable_of(m).value.run<1>({.time = time.data(), .state = arc.observed(0).data(), .parameter = p},
                                      work.data(), both);
  return to_prediction(problem, m, row, both[0], m.sigma.value_or(both[1]));
}

// An experiment of which nothing is fitted can be predicted if where it begins follows from what is.
bool is_predictable(const model::Problem& problem, int experiment) {
  const model::Experiment& its = problem.experiments[experiment];
  if (its.equilibrate || its.initial_of >= 0) return true;
  return std::none_of(its.initial.begin(), its.initial.end(),
                      [](const model::Initial& initial) { return std::holds_alternative<model::Estimated>(initial); });
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
  for (int i = 0; i < static_cast<int>(problem.validation.size()); ++i) {
    const model::Measurement& m = problem.validation[i];
    const std::optional<int> chain = chain_of[m.experiment];
    if (chain || is_predictable(problem, m.experiment))
      out.push_back(predict_one(shooting, begin_of(shooting, q, chain, m), m, i));
  }
  return out;
}

}  // namespace salvo::estimate
