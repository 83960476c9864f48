#include "start/driven_states.hpp"

#include <algorithm>
#include <cmath>

#include "start/driven_sweep.hpp"

namespace salvo::start {
namespace {

// Parts side by side, as many at a time as there are lanes, as far as they go.
template <int W>
void sweep(DrivenSweep<W>&& sweep, const std::vector<int>& beginnings, int last_stop) {
  std::vector<typename DrivenSweep<W>::Part> parts;
  for (std::size_t n = 0; n < beginnings.size(); ++n) {
    parts.push_back({beginnings[n], n + 1 < beginnings.size() ? beginnings[n + 1] : last_stop});
    if (parts.size() < W && n + 1 < beginnings.size()) continue;
    if (!sweep.run(parts)) return;
    parts.clear();
  }
}

}  // namespace

DrivenStates::DrivenStates(const compile::CompiledModel& model, const ObservedStates& observed,
                           std::vector<double> stops, std::span<const int> restarts, const MatchingRules& rules)
    : model_(model) {
  mesh_.experiment = observed.experiment;
  mesh_.stops = std::move(stops);
  mesh_.restart_at.assign(mesh_.stops.size(), false);
  bool hides = false;
  for (const ObservedState& state : observed.states) {
    mesh_.restarted.push_back(state.curve && state.coarse);
    mesh_.simulated.push_back(!state.curve || state.coarse);
    hides = hides || !state.curve;
  }
  for (const int stop : restarts) mesh_.restart_at[stop] = true;
  beginnings_ = {0};
  const int last = static_cast<int>(mesh_.stops.size()) - 1;
  for (const int stop : restarts)
    if (!hides && stop > 0 && stop < last) beginnings_.push_back(stop);

  const double longest = (mesh_.stops.back() - mesh_.stops.front()) / (hides ? rules.fewest_steps : 1);
  mesh_.time = {mesh_.stops.front()};
  mesh_.steps_until = {0};
  for (int k = 1; k <= last; ++k) {
    const double begin = mesh_.stops[k - 1];
    const double length = mesh_.stops[k] - begin;
    const int steps = std::max(rules.steps_between, static_cast<int>(std::ceil(length / longest)));
    for (int half = 1; half <= 2 * steps; ++half) mesh_.time.push_back(begin + length * half / (2 * steps));
    mesh_.steps_until.push_back(mesh_.steps_until.back() + steps);
  }
  mesh_.driver.assign(mesh_.time.size() * model.states, 0.0);
  for (int i = 0; i < model.states; ++i)
    for (std::size_t k = 0; k < mesh_.time.size() && observed.states[i].curve; ++k)
      mesh_.driver[k * model.states + i] = observed.states[i].at(mesh_.time[k]);
}

bool DrivenStates::run(const shooting::ExperimentValues& values, int thetas, int unknowns, bool derivatives,
                       const std::function<void(const At&)>& visit) const {
  std::vector<char> begins_free = mesh_.simulated;
  for (std::size_t i = 0; i < begins_free.size(); ++i) begins_free[i] = begins_free[i] && !mesh_.restarted[i];
  const TangentPattern pattern = derivatives
                                     ? tangent_pattern(model_, values, thetas, unknowns, mesh_.simulated, begins_free)
                                     : TangentPattern{.start = std::vector<int>(model_.states + 1, 0)};
  const std::size_t d = model_.states;
  const std::size_t entries = pattern.column.size();
  const int stops = static_cast<int>(mesh_.stops.size());
  DrivenRecord record(stops, d, entries);
  const auto sweep_with = [&]<int W>(DrivenSweep<W>&& lanes) { sweep(std::move(lanes), beginnings_, stops - 1); };
  if (beginnings_.size() == 1)
    sweep_with(DrivenSweep<1>(model_, mesh_, values, pattern, thetas, record));
  else if (beginnings_.size() <= 4)
    sweep_with(DrivenSweep<4>(model_, mesh_, values, pattern, thetas, record));
  else
    sweep_with(DrivenSweep<8>(model_, mesh_, values, pattern, thetas, record));

  for (int stop = 0; stop < stops; ++stop) {
    if (!record.is_there[stop]) return false;
    visit({stop,
           {record.x.data() + stop * d, d},
           {record.increments.data() + stop * d, d},
           pattern,
           {record.tangent.data() + stop * entries, entries},
           {record.increment_tangent.data() + stop * entries, entries}});
  }
  return true;
}

}  // namespace salvo::start
