#include "fit/predict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "shooting/trajectory.hpp"

namespace salvo::fit {
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

namespace {

// A trajectory up to its next event, and what follows.
class Cut {
 public:
  Cut(const shooting::Trajectory& whole, double begin) : whole_(whole) {
    for (const integrate::Jump& jump : whole.jumps) {
      if (jump.event < 0 || !(jump.time > begin)) continue;
      if (events_.empty() || events_.back()->time != jump.time) events_.push_back(&jump);
    }
  }

  std::vector<shooting::Trajectory> pieces() {
    std::size_t next = 0;
    for (const integrate::Jump* event : events_) {
      for (; next < whole_.time.size() && whole_.time[next] < event->time; ++next) add(whole_.time[next], state(next));
      if (next == whole_.time.size()) break;  // it was not followed so far
      add(event->time, event->before);
      end_piece();
      if (whole_.time[next] == event->time) continue;
      add(event->time, last_at(event->time).after);
    }
    for (; next < whole_.time.size(); ++next) add(whole_.time[next], state(next));
    end_piece();
    return std::move(pieces_);
  }

 private:
  std::vector<double> state(std::size_t k) const {
    const double* column = whole_.states.data.data() + k * static_cast<std::size_t>(whole_.states.rows);
    return {column, column + whole_.states.rows};
  }
  const integrate::Jump& last_at(double time) const {
    const integrate::Jump* last = nullptr;
    for (const integrate::Jump& jump : whole_.jumps)
      if (jump.time == time) last = &jump;
    return *last;
  }
  void add(double time, const std::vector<double>& x) {
    time_.push_back(time);
    states_.insert(states_.end(), x.begin(), x.end());
  }
  void end_piece() {
    if (time_.empty()) return;
    Matrix states(whole_.states.rows, static_cast<int>(time_.size()));
    states.data = std::exchange(states_, {});
    pieces_.push_back({.time = std::exchange(time_, {}), .states = std::move(states), .experiment = whole_.experiment});
  }

  const shooting::Trajectory& whole_;
  std::vector<const integrate::Jump*> events_;  // the first of those at each time
  std::vector<double> time_, states_;
  std::vector<shooting::Trajectory> pieces_;
};

}  // namespace

std::vector<Arc> sample_interval(const shooting::ShootingProblem& shooting, const nlp::Point& q, int chain,
                                 int interval, int pieces, const PictureTimes& times) {
  const shooting::Grid& grid = shooting.grids()[chain];
  const shooting::ExperimentValues values = shooting.values_of(chain, q, false);
  const double begin = grid.tau[interval];
  const std::vector<double> wanted = times.between(grid.experiment, begin, grid.tau[interval + 1], pieces);
  const std::vector<double> s = shooting.node_state(chain, interval, q);
  const shooting::Trajectory arc =
      shooting::trajectory(shooting.model(), shooting.options().integrator, {begin, grid.experiment, interval == 0}, s,
                           values.p, wanted, shooting.stop());
  std::vector<Arc> arcs;
  for (shooting::Trajectory& piece : Cut(arc, begin).pieces()) {
    Matrix observables = shooting::observables_along(shooting.model(), piece, values.p);
    arcs.push_back({.experiment = grid.experiment,
                    .interval = interval,
                    .time = std::move(piece.time),
                    .states = std::move(piece.states),
                    .observables = std::move(observables)});
  }
  return arcs;
}

std::vector<Arc> sample_arcs(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  // Enough points for a smooth line over the whole experiment. Of many experiments each has fewer: all of them are
  // written down, several times over.
  constexpr int usual_points = 400;
  constexpr int fewest_points = 20;
  constexpr int points_of_all = 200'000;
  std::vector<Arc> arcs;
  const PictureTimes times(shooting.problem());
  const int experiments = static_cast<int>(shooting.grids().size());
  const int points = std::clamp(points_of_all / std::max(experiments, 1), fewest_points, usual_points);
  for (int c = 0; c < experiments; ++c) {
    const int intervals = shooting.grids()[c].intervals();
    const int pieces = std::clamp(points / std::max(intervals, 1), 2, usual_points / 2);
    for (int j = 0; j < intervals; ++j)
      for (Arc& arc : sample_interval(shooting, q, c, j, pieces, times)) arcs.push_back(std::move(arc));
  }
  return arcs;
}

}  // namespace salvo::fit
