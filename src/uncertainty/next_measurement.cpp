#include "uncertainty/next_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shooting/measurements_by_time.hpp"
#include "statistics/influence.hpp"

namespace salvo::uncertainty {
namespace {

constexpr std::size_t most_candidates = 2'000;
constexpr double most_work = 2e8;  // multiply-adds

// Every observable at every measured time of its experiment, each once, with its usual noise; of a field at every place
// at which it was measured. None if there are too many.
std::vector<model::Measurement> candidates_of(const model::Problem& problem) {
  std::vector<OptionalNumber> usual(problem.observables.size());  // where noise stands in the data only
  for (const model::Measurement& m : problem.measurements)
    if (m.sigma) usual[m.observable] = m.sigma;
  const auto has_place = [&](int o) { return model::open_coordinates(problem, problem.observables[o].formula) != 0; };
  std::vector<model::Measurement> out;
  const std::vector<std::vector<double>> times = shooting::measured_times(problem);
  for (int e = 0; e < static_cast<int>(times.size()); ++e)
    for (const double time : times[e])
      for (int o = 0; o < static_cast<int>(problem.observables.size()); ++o) {
        const model::Observable& observable = problem.observables[o];
        if (!observable.noise && !usual[o] && !model::is_count(observable.distribution)) continue;
        model::Measurement candidate{.experiment = e, .observable = o, .time = time, .value = 1};
        if (!observable.noise) candidate.sigma = usual[o];
        if (!has_place(o)) out.push_back(candidate);
        for (const model::Reading& reading : problem.cells.readings) {
          if (reading.observable != o || !has_place(o)) continue;
          candidate.place[0] = reading.place[0];
          if (problem.space.size() > 1) candidate.place[1] = reading.place[1];
          out.push_back(candidate);
        }
        if (out.size() > most_candidates) return {};
      }
  return out;
}

// The quantity whose error is largest against its size. A noise is not among them: any measurement tells it as well.
int worst_of(const std::vector<estimate::Quantity>& all, const nlp::Point& q, const Errors& errors) {
  int worst = -1;
  double largest = 0;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (!errors.uncertainty.seen[i] || errors.uncertainty.held[i]) continue;
    if (i < static_cast<int>(errors.corrected.noise.size()) && errors.corrected.noise[i].degrees > 0) continue;
    const model::Scale scale = all[i].estimated->scale;
    const double scaled = q[all[i].unknown];
    const double value = std::abs(model::from_scale(scale, scaled));
    const double error = model::from_scale_slope(scale, scaled) * std::sqrt(errors.corrected.covariance(i, i));
    const double relative = value > 0 ? error / value : 0;
    if (relative > largest) largest = relative, worst = i;
  }
  return worst;
}

Matrix columns_of(const std::vector<std::vector<double>>& directions, int rows) {
  Matrix out(rows, static_cast<int>(directions.size()));
  for (int k = 0; k < out.cols; ++k)
    for (int i = 0; i < rows; ++i) out(i, k) = directions[k][i];
  return out;
}

struct Best {
  int measurement = -1;
  double gain = 0;
};

// The candidate whose row moves most along the first unseen direction.
Best best_for_unseen(const Matrix& along, const std::vector<shooting::RowMeaning>& rows) {
  constexpr double seen = 1e-3;  // sigmas, by a move of the size of the quantities
  Best best{.gain = seen};
  for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    if (rows[r].measurement >= 0 && !rows[r].of_noise && std::abs(along(0, r)) > best.gain * (1 + 1e-9))
      best = {rows[r].measurement, std::abs(along(0, r))};
  return best;
}

// One more row J_i lowers the variance of quantity k by (root M_i)_k^2 / (1 + |M_i|^2), with M_i = J_i root.
Best best_for(int k, const Matrix& root, const Matrix& moved, const std::vector<shooting::RowMeaning>& rows,
              double variance) {
  Best best;
  for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
    if (rows[r].measurement < 0 || rows[r].of_noise) continue;
    double leverage = 0;
    double with_k = 0;
    for (int d = 0; d < root.cols; ++d) leverage += moved(d, r) * moved(d, r), with_k += root(k, d) * moved(d, r);
    const double gain = with_k * with_k / (1 + leverage) / variance;
    if (gain > best.gain * (1 + 1e-9)) best = {rows[r].measurement, gain};
  }
  return best;
}

}  // namespace

std::optional<NextMeasurement> next_measurement(const shooting::ShootingProblem& shooting,
                                                const std::shared_ptr<const compile::CompiledModel>& compiled,
                                                const nlp::Point& q, const Errors& errors) {
  if (!errors.known || !shooting.problem().networks.empty()) return std::nullopt;
  std::vector<model::Measurement> wanted = candidates_of(shooting.problem());
  if (wanted.empty()) return std::nullopt;
  model::Problem problem = shooting.problem();
  problem.measurements = std::move(wanted);
  const shooting::ShootingProblem candidates(problem, compiled, shooting.grids(), shooting.options());
  nlp::Request request;
  request.rows = nlp::RowsFor::information;
  nlp::Blocks blocks;
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  const statistics::Uncertainty& uncertainty = errors.uncertainty;
  if (!candidates.linearize(q, request, blocks).ok ||
      statistics::influence_work(candidates.layout(), blocks, uncertainty.root) > most_work)
    return std::nullopt;
  const std::vector<shooting::RowMeaning> rows = candidates.rows_in_order();

  Best best;
  std::string what;
  if (!uncertainty.null_directions.empty()) {
    const Matrix unseen = columns_of(uncertainty.null_directions, static_cast<int>(all.size()));
    best = best_for_unseen(statistics::row_influence(candidates.layout(), blocks, unseen), rows);
    what = "would see what these data cannot";
  } else if (const int k = worst_of(all, q, errors); k >= 0) {
    const Matrix moved = statistics::row_influence(candidates.layout(), blocks, uncertainty.root);
    best = best_for(k, uncertainty.root, moved, rows, uncertainty.covariance(k, k));
    const double shrinks = 100 * (1 - std::sqrt(std::max(1 - best.gain, 0.0)));  // rounding may take it below zero
    what = fmt::format("would shrink the error of {} by {}", all[k].id,
                       shrinks > 99 ? "more than 99 %" : fmt::format("{:.2g} %", shrinks));
  }
  if (best.measurement < 0) return std::nullopt;
  const model::Measurement& m = problem.measurements[best.measurement];
  const bool several = problem.experiments.size() > 1;
  NextMeasurement out{.observable = problem.observables[m.observable].id,
                      .experiment = problem.experiments[m.experiment].id,
                      .time = m.time};
  std::string where;
  for (std::size_t i = 0; i < problem.space.size(); ++i)
    if (m.place[i]) where += fmt::format(" and {} = {:g}", problem.space[i].id, *m.place[i]);
  out.sentence = fmt::format("Of all single measurements at these times{}, one of {} at {:g}{}{} helps most: it {}.",
                             where.empty() ? "" : " and places", out.observable, m.time, where,
                             several ? " in " + out.experiment : "", what);
  return out;
}

}  // namespace salvo::uncertainty
