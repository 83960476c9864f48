#include "shooting/driven_states.hpp"

#include <algorithm>
#include <cmath>

#include "shooting/slopes_by_row.hpp"

namespace salvo::shooting {
namespace {

constexpr int fewest_steps = 200;          // over all stops, where states are hidden
constexpr int fewest_steps_between = 2;    // two stops
constexpr int steps_after_a_restart = 6;   // to the next, for states that are simulated in between
constexpr double out_of_all_bounds = 1e9;  // of a hidden state

}  // namespace

DrivenStates::DrivenStates(const compile::CompiledModel& model, const ObservedStates& observed,
                           std::vector<double> stops, std::span<const int> restarts)
    : model_(model), stops_(std::move(stops)), place_(model.states, -1), restart_at_(stops_.size(), false) {
  for (int i = 0; i < model.states; ++i) {
    restarted_.push_back(observed.states[i].curve && observed.states[i].coarse);
    if (observed.states[i].curve && !observed.states[i].coarse) continue;
    place_[i] = static_cast<int>(hidden_.size());
    hidden_.push_back(i);
  }
  for (const int stop : restarts) restart_at_[stop] = true;
  const bool hides = std::any_of(hidden_.begin(), hidden_.end(), [&](int i) { return !restarted_[i]; });
  const double longest = (stops_.back() - stops_.front()) / (hides ? fewest_steps : 1);
  const int fewest = hidden_.empty() ? fewest_steps_between : steps_after_a_restart;
  time_ = {stops_.front()};
  steps_until_ = {0};
  for (std::size_t k = 1; k < stops_.size(); ++k) {
    const double length = stops_[k] - stops_[k - 1];
    const int steps = std::max(fewest, static_cast<int>(std::ceil(length / longest)));
    for (int half = 1; half <= 2 * steps; ++half) time_.push_back(stops_[k - 1] + length * half / (2 * steps));
    steps_until_.push_back(steps_until_.back() + steps);
  }
  driver_.assign(time_.size() * model.states, 0.0);
  for (int i = 0; i < model.states; ++i)
    if (observed.states[i].curve)
      for (std::size_t k = 0; k < time_.size(); ++k) driver_[k * model.states + i] = observed.states[i].at(time_[k]);
}

long DrivenStates::steps() const { return steps_until_.back(); }

// A non-zero of f_p times the derivative of its parameter by one theta.
struct FormulaSlope {
  int nonzero = 0;    // in the Jacobian
  int increment = 0;  // place in increment_tangent
  int hidden = -1;    // place in k_tangent
  double value = 0;
};

struct DrivenStates::Sweep {
  const ExperimentValues& values;
  std::vector<FormulaSlope> by_theta{};  // what f_p means for theta
  int unknowns = 0;                      // 0: no derivatives
  std::vector<double> x{}, stage{}, f{}, sum{}, increments{};
  std::vector<double> tangent{}, stage_tangent{}, k_tangent{}, sum_tangent{};  // hidden x unknown
  std::vector<double> increment_tangent{};                                     // state x unknown
  std::vector<double> jacobian{}, work{};
};

std::vector<FormulaSlope> DrivenStates::slopes_of_formulas(const ExperimentValues& values, int u) const {
  std::vector<FormulaSlope> out;
  if (u == 0) return out;
  const SlopesByRow p_by_theta(values.p_by_theta, model_.active);
  for (int z = 0; z < model_.f_p.size(); ++z) {
    const int row = model_.f_p.row[z];
    for (const Slope& slope : p_by_theta.of(model_.f_p.column[z]))
      out.push_back({.nonzero = model_.f_x.size() + z,
                     .increment = row * u + slope.column,
                     .hidden = place_[row] < 0 ? -1 : place_[row] * u + slope.column,
                     .value = slope.value});
  }
  return out;
}

// f at the stage, and what it adds to increments and their derivatives; its own derivative along the hidden states
// into k_tangent.
void DrivenStates::evaluate_stage(Sweep& sweep, double t, double weight) const {
  const compile::Arguments arguments{.time = &t, .state = sweep.stage.data(), .parameter = sweep.values.p.data()};
  model_.rhs.run<1>(arguments, sweep.work.data(), sweep.f.data());
  for (int i = 0; i < model_.states; ++i) sweep.increments[i] += weight * sweep.f[i];
  for (std::size_t h = 0; h < hidden_.size(); ++h) sweep.sum[h] += weight * sweep.f[hidden_[h]];
  const int u = sweep.unknowns;
  if (u == 0) return;

  model_.jacobian.run<1>(arguments, sweep.work.data(), sweep.jacobian.data());
  std::fill(sweep.k_tangent.begin(), sweep.k_tangent.end(), 0.0);
  for (int z = 0; z < model_.f_x.size(); ++z) {
    if (place_[model_.f_x.column[z]] < 0) continue;
    const double* from = sweep.stage_tangent.data() + static_cast<std::ptrdiff_t>(place_[model_.f_x.column[z]]) * u;
    double* increment = sweep.increment_tangent.data() + static_cast<std::ptrdiff_t>(model_.f_x.row[z]) * u;
    for (int c = 0; c < u; ++c) increment[c] += weight * sweep.jacobian[z] * from[c];
    if (place_[model_.f_x.row[z]] < 0) continue;
    double* own = sweep.k_tangent.data() + static_cast<std::ptrdiff_t>(place_[model_.f_x.row[z]]) * u;
    for (int c = 0; c < u; ++c) own[c] += sweep.jacobian[z] * from[c];
  }
  for (const FormulaSlope& slope : sweep.by_theta) {
    const double by_theta = sweep.jacobian[slope.nonzero] * slope.value;
    sweep.increment_tangent[slope.increment] += weight * by_theta;
    if (slope.hidden >= 0) sweep.k_tangent[slope.hidden] += by_theta;
  }
  for (std::size_t n = 0; n < sweep.k_tangent.size(); ++n) sweep.sum_tangent[n] += weight * sweep.k_tangent[n];
}

void DrivenStates::advance(Sweep& sweep, int step) const {
  const int d = model_.states;
  const double h = time_[2 * step + 2] - time_[2 * step];
  std::fill(sweep.sum.begin(), sweep.sum.end(), 0.0);
  std::fill(sweep.sum_tangent.begin(), sweep.sum_tangent.end(), 0.0);
  const auto stage = [&](int half, double reach, double weight) {
    const double* driver = driver_.data() + static_cast<std::ptrdiff_t>(2 * step + half) * d;
    for (int i = 0; i < d; ++i)
      sweep.stage[i] = place_[i] < 0 ? driver[i] : sweep.x[i] + (reach == 0 ? 0 : reach * h * sweep.f[i]);
    for (std::size_t n = 0; n < sweep.tangent.size(); ++n)
      sweep.stage_tangent[n] = sweep.tangent[n] + (reach == 0 ? 0 : reach * h * sweep.k_tangent[n]);
    evaluate_stage(sweep, time_[2 * step + half], weight * h);
  };
  stage(0, 0, 1.0 / 6);
  if (hidden_.empty()) {  // nothing moves between the two stages in the middle
    stage(1, 0.5, 2.0 / 3);
  } else {
    stage(1, 0.5, 1.0 / 3);
    stage(1, 0.5, 1.0 / 3);
  }
  stage(2, 1, 1.0 / 6);
  const double* driver = driver_.data() + static_cast<std::ptrdiff_t>(2 * step + 2) * d;
  for (int i = 0; i < d; ++i) sweep.x[i] = place_[i] < 0 ? driver[i] : sweep.x[i] + sweep.sum[place_[i]];
  for (std::size_t n = 0; n < sweep.tangent.size(); ++n) sweep.tangent[n] += sweep.sum_tangent[n];
}

void DrivenStates::restart(Sweep& sweep, int stop) const {
  const double* driver = driver_.data() + static_cast<std::ptrdiff_t>(2 * steps_until_[stop]) * model_.states;
  for (int i = 0; i < model_.states; ++i) {
    if (!restarted_[i]) continue;
    sweep.x[i] = driver[i];
    std::fill_n(sweep.tangent.data() + static_cast<std::ptrdiff_t>(place_[i]) * sweep.unknowns, sweep.unknowns, 0.0);
  }
}

bool DrivenStates::run(const ExperimentValues& values, int thetas, int unknowns, bool derivatives,
                       const std::function<void(const At&)>& visit) const {
  const int d = model_.states;
  const int u = derivatives ? unknowns : 0;
  const std::size_t of_hidden = hidden_.size() * u;
  Sweep sweep{.values = values, .by_theta = slopes_of_formulas(values, u), .unknowns = u};
  for (auto* list : {&sweep.x, &sweep.stage, &sweep.increments}) list->assign(d, 0.0);
  sweep.f.assign(model_.rhs.output_count(), 0.0);
  sweep.sum.assign(hidden_.size(), 0.0);
  for (auto* list : {&sweep.tangent, &sweep.stage_tangent, &sweep.k_tangent, &sweep.sum_tangent})
    list->assign(of_hidden, 0.0);
  sweep.increment_tangent.assign(static_cast<std::size_t>(d) * u, 0.0);
  sweep.jacobian.resize(model_.jacobian.output_count());
  sweep.work.resize(std::max(model_.rhs.work_size(), model_.jacobian.work_size()));

  for (int i = 0; i < d; ++i) sweep.x[i] = place_[i] < 0 ? driver_[i] : values.s0[i];
  const auto begin_tangent = [&](const Slope& slope, int column) {
    if (u > 0 && place_[slope.row] >= 0)
      sweep.tangent[static_cast<std::size_t>(place_[slope.row]) * u + column] += slope.value;
  };
  for (const Slope& slope : values.s0_by_theta) begin_tangent(slope, slope.column);
  for (const Slope& slope : values.s0_by_block) begin_tangent(slope, thetas + slope.column);
  restart(sweep, 0);

  std::vector<double> whole_tangent(static_cast<std::size_t>(d) * u, 0.0);
  for (int k = 0; k < static_cast<int>(stops_.size()); ++k) {
    for (int step = k == 0 ? 0 : steps_until_[k - 1]; step < steps_until_[k]; ++step) advance(sweep, step);
    for (const int i : hidden_)
      if (!(std::abs(sweep.x[i]) < out_of_all_bounds)) return false;
    for (std::size_t h = 0; h < hidden_.size() && u > 0; ++h)
      std::copy_n(sweep.tangent.data() + h * u, u, whole_tangent.data() + static_cast<std::size_t>(hidden_[h]) * u);
    visit({k, sweep.x, whole_tangent, sweep.increments, sweep.increment_tangent});
    if (restart_at_[k]) restart(sweep, k);
    std::fill(sweep.increments.begin(), sweep.increments.end(), 0.0);
    std::fill(sweep.increment_tangent.begin(), sweep.increment_tangent.end(), 0.0);
  }
  return true;
}

}  // namespace salvo::shooting
