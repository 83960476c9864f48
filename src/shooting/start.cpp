#include "shooting/start.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "shooting/trajectory.hpp"

namespace salvo::shooting {
namespace {

// Mean measured values of one state against time.
using Series = std::map<double, std::pair<double, int>>;  // time -> sum, count

std::vector<Series> observed_states(const model::Problem& problem, int experiment) {
  std::vector<Series> series(problem.states.size());
  for (const model::Measurement& m : problem.measurements) {
    if (m.experiment != experiment) continue;
    for (std::size_t i = 0; i < problem.states.size(); ++i) {
      if (problem.observables[m.observable].formula != problem.states[i].symbol) continue;
      auto& [sum, count] = series[i][m.time];
      sum += m.value;
      ++count;
    }
  }
  return series;
}

double interpolate(const Series& series, double t) {
  const auto mean = [](const auto& entry) { return entry.second.first / entry.second.second; };
  const auto after = series.lower_bound(t);
  if (after == series.end()) return mean(*std::prev(after));
  if (after == series.begin() || after->first == t) return mean(*after);
  const auto before = std::prev(after);
  const double weight = (t - before->first) / (after->first - before->first);
  return (1 - weight) * mean(*before) + weight * mean(*after);
}

double start_on_scale(const model::Estimated& estimated, double value) {
  value = std::clamp(value, estimated.lower, estimated.upper);
  if (estimated.scale != model::Scale::lin && !(value > 0)) value = estimated.guess.value_or(1.0);
  return model::to_scale(estimated.scale, value);
}

enum class HiddenStates { simulated, held };

class StartMaker {
 public:
  StartMaker(const ShootingProblem& shooting, bool simulate_only, HiddenStates hidden)
      : shooting_(shooting),
        problem_(shooting.problem()),
        simulate_only_(simulate_only),
        hidden_(hidden),
        q_(shooting.layout().unknowns, 0.0) {}

  // `shrink` multiplies the guesses of the parameters.
  nlp::Point make(double shrink) {
    const int parameters = static_cast<int>(shooting_.names().parameter.size());
    for (int k = 0; k < parameters; ++k) {
      const auto& estimated = estimated_theta(problem_, shooting_.names(), k);
      q_[k] = start_on_scale(estimated, shrink * estimated.guess.value_or(1.0));
    }
    for (int c = 0; c < static_cast<int>(shooting_.grids().size()); ++c) start_chain(c);
    return std::move(q_);
  }

 private:
  void start_chain(int c) {
    const Grid& grid = shooting_.grids()[c];
    const std::vector<Series> series = observed_states(problem_, grid.experiment);
    const bool guess_first = simulate_only_ || grid.intervals() <= 1;
    const auto initial_value = [&](int state) {
      const auto& estimated = std::get<model::Estimated>(problem_.experiments[grid.experiment].initial[state]);
      if (estimated.guess && (guess_first || series[state].empty())) return start_on_scale(estimated, *estimated.guess);
      return start_on_scale(estimated, series[state].empty() ? 1.0 : interpolate(series[state], grid.tau[0]));
    };
    const UnknownNames& names = shooting_.names();
    for (std::size_t k = 0; k < names.bounded_initial.size(); ++k)
      if (names.bounded_initial[k].experiment == grid.experiment)
        q_[names.parameter.size() + k] = initial_value(names.bounded_initial[k].state);
    const nlp::Layout::Chain& chain = shooting_.layout().chains[c];
    const std::vector<int>& free = names.initial[grid.experiment];
    for (std::size_t i = 0; i < free.size(); ++i) q_[chain.offset[0] + i] = initial_value(free[i]);

    const ExperimentValues values = shooting_.values_of(c, q_, false);
    std::vector<double> x = values.s0;
    for (int j = 1; j <= grid.intervals(); ++j) {
      const std::vector<double> end{grid.tau[j]};
      const Trajectory arc =
          trajectory(shooting_.model(), shooting_.options().integrator, grid.tau[j - 1], x, values.p, end);
      for (int i = 0; i < shooting_.model().states; ++i) {
        const bool reached = arc.ending.ok() && std::isfinite(arc.states(i, 0));
        if (!simulate_only_ && !series[i].empty())
          x[i] = interpolate(series[i], grid.tau[j]);
        else if (reached && hidden_ == HiddenStates::simulated)
          x[i] = arc.states(i, 0);  // where the trajectory fails, the state stays where it was
      }
      std::copy(x.begin(), x.end(), q_.begin() + chain.offset[j]);
    }
  }

  const ShootingProblem& shooting_;
  const model::Problem& problem_;
  bool simulate_only_;
  HiddenStates hidden_;
  nlp::Point q_;
};

double squared_relative_gaps(const ShootingProblem& problem, const nlp::Point& q, const nlp::Blocks& blocks) {
  const std::vector<double> sizes = problem.sizes(q);
  double sum = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
      for (std::size_t i = 0; i < blocks.chains[c].links[j].gap.size(); ++i) {
        const double gap = blocks.chains[c].links[j].gap[i] / sizes[problem.layout().chains[c].offset[j + 1] + i];
        sum += gap * gap;
      }
  return sum;
}

constexpr int most_halvings = 20;

}  // namespace

Start start_point(const ShootingProblem& problem, model::StartValues choice) {
  const auto make = [&](HiddenStates hidden, double shrink) {
    return StartMaker(problem, choice == model::StartValues::simulate, hidden).make(shrink);
  };
  if (choice != model::StartValues::automatic) return {.q = make(HiddenStates::simulated, 1), .remark = {}};
  bool single = true;  // nothing is repaired where the user asked for one interval
  for (const Grid& grid : problem.grids()) single = single && grid.intervals() <= 1;

  constexpr int tame = 5'000;  // steps in one interval; a start that needs more is not worth trying first
  problem.set_step_limit(tame);
  Start start;
  std::optional<double> best;
  double shrink = 1;
  for (int halvings = 0; halvings <= (single ? 0 : most_halvings) && !best; ++halvings, shrink *= 0.5) {
    for (const HiddenStates hidden : {HiddenStates::simulated, HiddenStates::held}) {
      nlp::Point q = make(hidden, shrink);
      nlp::Blocks blocks;
      if (!problem.values(q, blocks).ok) continue;
      const double measure = squared_relative_gaps(problem, q, blocks);
      if (best && *best <= measure) continue;
      best = measure;
      start.q = std::move(q);
      start.remark = halvings == 0 ? ""
                                   : "the trajectories of the start failed at the guess; its parameters were halved " +
                                         std::to_string(halvings) + " times until they did not";
    }
  }
  if (!best) start.q = make(HiddenStates::simulated, 1);
  problem.set_step_limit(integrate::default_max_steps);
  return start;
}

}  // namespace salvo::shooting
