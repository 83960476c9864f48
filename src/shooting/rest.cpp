#include "shooting/rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "integrate/steady_state.hpp"

namespace salvo::shooting {
namespace {

// The unknowns of the resting problem among those of the problem itself: it knows the states that the experiment sets.
struct RestingUnknowns {
  std::vector<int> theta{};
  std::vector<int> block{};  // of v_0
};

RestingUnknowns resting_unknowns(const UnknownNames& resting, const UnknownNames& all, int experiment) {
  RestingUnknowns out;
  const int parameters = static_cast<int>(all.parameter.size());
  for (int k = 0; k < parameters; ++k) out.theta.push_back(k);
  for (const auto& wanted : resting.bounded_initial)
    for (int k = 0; k < static_cast<int>(all.bounded_initial.size()); ++k)
      if (all.bounded_initial[k].experiment == wanted.experiment && all.bounded_initial[k].state == wanted.state)
        out.theta.push_back(parameters + k);
  const std::vector<int>& free = all.initial[experiment];
  for (const int state : resting.initial[experiment])
    out.block.push_back(static_cast<int>(std::find(free.begin(), free.end(), state) - free.begin()));
  return out;
}

// d x* / d q = x*_p dp/dq + x*_x0 dx0/dq, column by column.
class RestSlopes {
 public:
  RestSlopes(const integrate::SteadyState& rest, int states) : rest_(rest), states_(states) {}

  void add_by_p(const std::vector<Slope>& slopes, const std::vector<int>& unknown) { add(rest_.by_p, slopes, unknown); }
  void add_by_x0(const std::vector<Slope>& slopes, const std::vector<int>& unknown) {
    add(rest_.by_x0, slopes, unknown);
  }

  template <class IsWanted>
  void append(const IsWanted& is_wanted, std::vector<Slope>& out) const {
    for (const auto& [column, values] : columns_)
      for (int i = 0; i < states_; ++i)
        if (is_wanted(i)) out.push_back({i, column, values[i]});
  }

 private:
  void add(const Matrix& by, const std::vector<Slope>& slopes, const std::vector<int>& unknown) {
    for (const Slope& slope : slopes) {
      std::vector<double>& column = columns_[unknown[slope.column]];
      column.resize(states_, 0.0);
      for (int i = 0; i < states_; ++i) column[i] += by(i, slope.row) * slope.value;
    }
  }

  const integrate::SteadyState& rest_;
  int states_;
  std::map<int, std::vector<double>> columns_;
};

// A steady state that is measured after an experiment which itself begins at rest: it is reached from there.
bool follows_another_rest(const model::Problem& problem, const model::Experiment& experiment) {
  return experiment.equilibrate->is_final && experiment.initial_of >= 0 &&
         problem.experiments[static_cast<std::size_t>(experiment.initial_of)].equilibrate;
}

}  // namespace

void begin_at_rest(const ExperimentPoint& point, bool with_derivatives, ExperimentRoom& room, ExperimentValues& out) {
  const compile::RestingModel& resting = *point.model.resting;
  const model::Experiment& experiment = point.problem.experiments[point.experiment];
  if (!resting.model->has_jacobian) {
    out.trouble = "the equations are too many for a steady state to be looked for";
    return;
  }
  if (room.resting.model != resting.model) room.resting = {resting.model, unknown_names(resting.problem)};
  const UnknownNames& names = room.resting.names;
  const RestingUnknowns unknowns = resting_unknowns(names, point.names, point.experiment);
  std::vector<double> theta;
  std::vector<double> v0;
  for (const int k : unknowns.theta) theta.push_back(point.theta[k]);
  for (const int k : unknowns.block) v0.push_back(point.v0[k]);
  ExperimentValues before;
  write_experiment_values({resting.problem, *resting.model, names, point.experiment, theta.data(), v0.data()},
                          with_derivatives, room, before);
  std::vector<int> thetas_of_start = unknowns.theta;
  if (follows_another_rest(point.problem, experiment)) {
    ExperimentValues from;
    ExperimentPoint other = point;
    other.experiment = experiment.initial_of;
    write_experiment_values(other, with_derivatives, room, from);
    out.trouble = from.trouble;
    if (!out.trouble.empty()) return;
    before.s0 = std::move(from.s0);
    before.s0_by_theta = std::move(from.s0_by_theta);
    before.s0_by_block.clear();  // initial values that experiments share stand in theta
    thetas_of_start.resize(point.names.thetas());
    std::iota(thetas_of_start.begin(), thetas_of_start.end(), 0);
  }
  if (is_raised(room.stop)) {  // many experiments at rest take long
    out.trouble = "the run was told to stop";
    return;
  }
  const integrate::SteadyState& rest =
      room.rests.of(resting, before.s0, before.p, {with_derivatives, room.expected_evaluations});
  room.rest_evaluations += rest.evaluations;
  if (!rest.is_found)
    out.trouble = fmt::format("{} experiment '{}' {}", experiment.equilibrate->is_final ? "in" : "before the start of",
                              experiment.id, integrate::describe(rest, point.model.state_names));

  const auto comes_from_rest = [&](int state) { return !experiment.is_set_at_start(state); };
  for (int i = 0; i < point.model.states; ++i)
    if (comes_from_rest(i)) out.s0[i] = rest.x[i];
  if (!with_derivatives || !rest.is_found) return;
  for (auto* slopes : {&out.s0_by_theta, &out.s0_by_block})
    std::erase_if(*slopes, [&](const Slope& slope) { return comes_from_rest(slope.row); });
  RestSlopes by_theta(rest, point.model.states);
  by_theta.add_by_p(before.p_by_theta, unknowns.theta);
  by_theta.add_by_x0(before.s0_by_theta, thetas_of_start);
  by_theta.append(comes_from_rest, out.s0_by_theta);
  RestSlopes by_block(rest, point.model.states);
  by_block.add_by_x0(before.s0_by_block, unknowns.block);
  by_block.append(comes_from_rest, out.s0_by_block);
}

}  // namespace salvo::shooting
