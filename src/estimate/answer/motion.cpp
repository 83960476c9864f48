#include "estimate/answer/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "integrate/integrator.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::estimate {
namespace {

// The mean noise of each observable that an experiment measures, as its law counts it.
using Noises = std::map<int, double>;
std::vector<Noises> noises_of(const model::Problem& problem,
                              const std::vector<shooting::ShootingProblem::Predicted>& predicted) {
  std::vector<Noises> sum(problem.experiments.size()), count(problem.experiments.size());
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const model::Measurement& m = problem.measurements[i];
    const double sigma =
        model::spread(problem.observables[m.observable].law(), predicted[i].simulation, predicted[i].sigma);
    if (!(sigma > 0)) continue;
    sum[m.experiment][m.observable] += sigma;
    count[m.experiment][m.observable] += 1;
  }
  for (std::size_t e = 0; e < sum.size(); ++e)
    for (auto& [observable, noise] : sum[e]) noise /= count[e][observable];
  return sum;
}

std::vector<double> looked_at(const std::set<double>& measured, double begin, double end, int between) {
  std::vector<double> times;
  double last = begin;
  for (auto next = measured.upper_bound(begin); last < end; ++next) {
    const double to = next == measured.end() ? end : std::min(*next, end);
    for (int k = 1; k <= between; ++k) times.push_back(last + (to - last) * k / between);
    last = to;
    if (next == measured.end()) break;
  }
  return times;
}

}  // namespace

double motion_of(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                 int between) {
  const model::Problem& problem = shooting.problem();
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!shooting.predict(q, request, predicted).ok) return std::numeric_limits<double>::infinity();
  const std::vector<Noises> noises = noises_of(problem, predicted);
  std::vector<std::set<double>> measured(problem.experiments.size());
  for (const model::Measurement& m : problem.measurements)
    if (std::isfinite(m.time)) measured[m.experiment].insert(m.time);
  const model::Integrator& given = shooting.options().integrator;
  const model::Integrator integrator = request.stiff ? integrate::for_stiff(given) : given;
  double sum = 0;
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) {
    const shooting::Grid& grid = shooting.grids()[c];
    const std::set<double>& times = measured[grid.experiment];
    if (times.empty()) continue;
    const int points = std::clamp(most_points / static_cast<int>(times.size()), 1, between);
    const shooting::ExperimentValues values = shooting.values_of(c, q, false);
    for (int j = 0; j < grid.intervals(); ++j) {
      const shooting::Trajectory arc = shooting::trajectory(
          shooting.model(), integrator, {grid.tau[j], grid.experiment, j == 0}, shooting.node_state(c, j, q), values.p,
          looked_at(times, grid.tau[j], std::min(grid.tau[j + 1], *times.rbegin()), points), shooting.stop());
      if (!arc.ending.ok()) return std::numeric_limits<double>::infinity();
      const Matrix observables = shooting::observables_along(shooting.model(), arc, values.p);
      for (const auto& [o, sigma] : noises[grid.experiment]) {
        const bool by_logarithm = model::is_logarithmic(problem.observables[o].distribution);
        const auto value = [&](int k) { return by_logarithm ? std::log(observables(o, k)) : observables(o, k); };
        for (int k = 1; k < observables.cols; ++k) {
          const double change = std::abs(value(k) - value(k - 1));
          if (std::isfinite(change)) sum += change / sigma;
        }
      }
    }
  }
  return sum;
}

}  // namespace salvo::estimate
