#include "shooting/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shooting/measurements_by_time.hpp"

namespace salvo::shooting {
namespace {

bool sigma_is_variable(const compile::ObservableKernel& kernel) {
  const auto has_sigma = [](const compile::Pattern& pattern) {
    return std::find(pattern.row.begin(), pattern.row.end(), 1) != pattern.row.end();
  };
  return has_sigma(kernel.by_state) || has_sigma(kernel.by_parameter);
}

int prior_rows(const model::Problem& problem, int experiment, const UnknownNames& names) {
  int count = 0;
  for (const int state : names.initial[experiment])
    if (std::get<model::Estimated>(problem.experiments[experiment].initial[state]).prior) ++count;
  return count;
}

// In the order of nlp::each_constraints.
std::vector<PlannedConstraint> plan_constraints(const compile::CompiledModel& model, const std::vector<Grid>& grids) {
  std::vector<PlannedConstraint> planned;
  const int count = static_cast<int>(model.constraints.size());
  const int chains = static_cast<int>(grids.size());
  for (int i = 0; i < count; ++i) {
    if (model.constraints[i].at_nodes) continue;
    for (int c = 0; c < (model.constraints[i].in_each_experiment ? chains : std::min(chains, 1)); ++c)
      planned.push_back({.constraint = i, .chain = c});
  }
  for (int c = 0; c < chains; ++c)  // where there are such constraints, all nodes are unknowns
    for (int j = 0; j <= grids[c].intervals(); ++j)
      for (int i = 0; i < count; ++i)
        if (model.constraints[i].at_nodes) planned.push_back({.constraint = i, .chain = c, .node = j});
  return planned;
}

// A tenth of the smallest datum that is not zero, but not less than rounding of the largest would hide.
std::vector<double> small_values(const model::Problem& problem) {
  constexpr double of_smallest = 0.1;
  constexpr double of_largest = 1e-6;
  std::vector<double> smallest(problem.observables.size(), std::numeric_limits<double>::infinity());
  std::vector<double> largest(problem.observables.size(), 0.0);
  for (const model::Measurement& m : problem.measurements) {
    const double size = std::abs(m.value);
    if (size > 0) smallest[m.observable] = std::min(smallest[m.observable], size);
    largest[m.observable] = std::max(largest[m.observable], size);
  }
  for (std::size_t o = 0; o < smallest.size(); ++o)
    smallest[o] = largest[o] > 0 ? std::max(of_smallest * smallest[o], of_largest * largest[o]) : 1.0;
  return smallest;
}

// A measurement at the start sees what events there have done: it is a stop of the integrator.
bool can_act_at_start(const compile::CompiledModel& model) {
  if (!model.discontinuities) return false;
  const auto& functions = model.discontinuities->functions;
  const auto& events = model.discontinuities->events;
  return std::any_of(functions.begin(), functions.end(), [](const auto& function) { return function.event >= 0; }) ||
         std::any_of(events.begin(), events.end(), [](const auto& event) { return event.false_before_start; });
}

// Times after `begin` at which something is measured, and `end`. `begin` itself is one where events may act there.
std::vector<double> stops_between(const model::Problem& problem, const std::vector<int>& measured, double begin,
                                  double end, bool sees_begin) {
  const auto each_stop = [&](const auto& use) {
    double last = sees_begin ? -std::numeric_limits<double>::infinity() : begin;
    for (const int i : measured)
      if (const double time = problem.measurements[i].time; time > last) use(last = time);
    if (last < end) use(end);
  };
  std::size_t count = 0;
  each_stop([&](double) { ++count; });
  std::vector<double> stops;
  stops.reserve(count);
  each_stop([&](double time) { stops.push_back(time); });
  return stops;
}

}  // namespace

bool has_end_node(const compile::CompiledModel& model, const Grid& grid) {
  return grid.intervals() != 1 ||
         std::any_of(model.constraints.begin(), model.constraints.end(),
                     [](const compile::ConstraintKernel& constraint) { return constraint.at_nodes; });
}

Plan make_plan(const model::Problem& problem, const compile::CompiledModel& model, const std::vector<Grid>& grids,
               const UnknownNames& names) {
  Plan plan;
  const std::vector<std::vector<int>> by_time = measurements_by_time(problem);
  std::size_t intervals = 0;
  for (const Grid& grid : grids) intervals += grid.intervals();
  plan.intervals.reserve(intervals);
  for (const compile::ObservableKernel& kernel : model.observables)
    plan.sigma_varies.push_back(sigma_is_variable(kernel) ? 1 : 0);

  for (int c = 0; c < static_cast<int>(grids.size()); ++c) {
    const Grid& grid = grids[c];
    const int K = grid.intervals();
    const bool ends_in_node = has_end_node(model, grid);
    const std::vector<int>& measured = by_time[grid.experiment];
    std::vector<int> rows;
    auto next = measured.begin();
    for (int j = 0; j < K; ++j) {
      const auto is_inside = [&](int i) { return problem.measurements[i].time < grid.tau[j + 1] || !ends_in_node; };
      const auto end = std::partition_point(next, measured.end(), is_inside);
      PlannedInterval interval{.chain = c, .j = j, .begin = grid.tau[j], .measured = {next, end}};
      next = end;
      const bool sees_start = j == 0 && can_act_at_start(model);
      interval.stops = stops_between(problem, interval.measured, grid.tau[j], grid.tau[j + 1], sees_start);
      MeasurementPlaces places(problem, plan.sigma_varies, interval.stops);
      for (const int i : interval.measured) {
        const PlacedMeasurement placed = places.next(i);
        if (placed.stop >= 0) interval.inner_rows += placed.sigma_row ? 2 : 1;
      }
      rows.push_back(places.rows());
      plan.intervals.push_back(std::move(interval));
    }
    plan.final_node.emplace_back(next, measured.end());
    MeasurementPlaces at_end(problem, plan.sigma_varies, {});
    for (const int i : plan.final_node.back()) at_end.next(i);
    if (ends_in_node) rows.push_back(at_end.rows());
    rows[0] += prior_rows(problem, grid.experiment, names);
    plan.row_count.push_back(std::move(rows));
  }
  plan.constraints = plan_constraints(model, grids);
  plan.small_values = small_values(problem);
  return plan;
}

std::vector<RowMeaning> row_meanings(const model::Problem& problem, const Plan& plan) {
  std::vector<std::vector<int>> first;  // row of every block
  int count = 0;
  for (const std::vector<int>& blocks : plan.row_count) {
    first.emplace_back();
    for (const int rows : blocks) {
      first.back().push_back(count);
      count += rows;
    }
  }
  std::vector<RowMeaning> out(static_cast<std::size_t>(count));
  const auto tell = [&](int block_begin, const std::vector<int>& measured) {
    MeasurementPlaces places(problem, plan.sigma_varies, {});
    for (const int i : measured) {
      const PlacedMeasurement placed = places.next(i);
      out[block_begin + placed.row] = {.measurement = i};
      if (placed.sigma_row) out[block_begin + placed.row + 1] = {i, true};
    }
  };
  for (const PlannedInterval& interval : plan.intervals) tell(first[interval.chain][interval.j], interval.measured);
  for (std::size_t c = 0; c < plan.final_node.size(); ++c) tell(first[c].back(), plan.final_node[c]);
  return out;
}

namespace {

// Which thetas reach neither the equations nor an initial value nor an observable, but a sigma. The dispersion of
// counts is none.
std::vector<bool> noise_only(const model::Problem& problem, const compile::CompiledModel& model, int thetas) {
  std::vector<bool> shapes_model(model.active, false);
  std::vector<bool> shapes_noise(model.active, false);
  for (int k = 0; k < model.active; ++k) shapes_model[k] = model.rhs_uses[k];
  for (std::size_t o = 0; o < model.observables.size(); ++o) {
    const compile::Pattern& pattern = model.observables[o].by_parameter;
    const bool counts = model::is_count(problem.observables[o].distribution);
    for (int z = 0; z < pattern.size(); ++z)
      (pattern.row[z] == 0 || counts ? shapes_model : shapes_noise)[pattern.column[z]] = true;
  }
  std::vector<bool> reaches_model(thetas, false);
  std::vector<bool> reaches_noise(thetas, false);
  for (const compile::ExperimentKernel& experiment : model.experiments)
    for (int z = 0; z < experiment.pattern.size(); ++z) {
      const int row = experiment.pattern.row[z];
      const int theta = experiment.pattern.column[z];
      if (row >= model.active || shapes_model[row]) reaches_model[theta] = true;
      if (row < model.active && shapes_noise[row]) reaches_noise[theta] = true;
    }
  std::vector<bool> only(thetas, false);
  for (int k = 0; k < thetas; ++k) only[k] = reaches_noise[k] && !reaches_model[k];
  return only;
}

}  // namespace

namespace {

// A quantity that keeps its sign, by its bounds or its scale, changes by no more than this factor in a cautious step:
// a rate that jumps from 1 to 1e-6 because one linearisation says so seldom comes back.
constexpr double cautious_factor = 2.5;

void add_reach(const model::Estimated& estimated, nlp::Layout& layout) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double down = infinity;
  double up = infinity;
  if (estimated.scale != model::Scale::lin) {
    down = up = model::to_scale(estimated.scale, cautious_factor);
  } else if (estimated.lower >= 0 || estimated.upper <= 0) {
    down = 1 - 1 / cautious_factor;
    up = cautious_factor - 1;
    if (estimated.upper <= 0) std::swap(down, up);
  }
  layout.reach_down.push_back(down);
  layout.reach_up.push_back(up);
}

}  // namespace

nlp::Layout make_layout(const model::Problem& problem, const compile::CompiledModel& model,
                        const std::vector<Grid>& grids, const UnknownNames& names) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  nlp::Layout layout;
  const auto add_bounds = [&layout](const model::Estimated& estimated) {
    const bool lin = estimated.scale == model::Scale::lin;
    layout.lower.push_back(lin || estimated.lower > 0 ? model::to_scale(estimated.scale, estimated.lower) : -infinity);
    layout.upper.push_back(lin || estimated.upper > 0 ? model::to_scale(estimated.scale, estimated.upper) : infinity);
  };
  layout.thetas = names.thetas();
  for (std::vector<double>* numbers : {&layout.reach_down, &layout.reach_up, &layout.decade})
    numbers->reserve(layout.thetas);
  const std::size_t d = problem.states.size();
  std::size_t most_unknowns = layout.thetas;
  for (const Grid& grid : grids) most_unknowns += d * (grid.intervals() + 1);
  layout.lower.reserve(most_unknowns);
  layout.upper.reserve(most_unknowns);
  for (int k = 0; k < layout.thetas; ++k) {
    add_bounds(estimated_theta(problem, names, k));
    add_reach(estimated_theta(problem, names, k), layout);
    const model::Scale scale = estimated_theta(problem, names, k).scale;
    layout.decade.push_back(scale == model::Scale::lin ? 0.0 : model::to_scale(scale, 10));
  }
  layout.noise_only = noise_only(problem, model, layout.thetas);
  layout.unknowns = layout.thetas;
  layout.chains.reserve(grids.size());
  for (const Grid& grid : grids) {
    nlp::Layout::Chain chain;
    const int blocks = has_end_node(model, grid) ? grid.intervals() + 1 : grid.intervals();
    chain.offset.reserve(blocks);
    chain.size.reserve(blocks);
    for (int j = 0; j < blocks; ++j) {
      const int size = static_cast<int>(j == 0 ? names.initial[grid.experiment].size() : d);
      chain.offset.push_back(layout.unknowns);
      chain.size.push_back(size);
      layout.unknowns += size;
      if (j == 0) {
        for (const int state : names.initial[grid.experiment])
          add_bounds(std::get<model::Estimated>(problem.experiments[grid.experiment].initial[state]));
      } else {
        layout.lower.insert(layout.lower.end(), d, -infinity);
        layout.upper.insert(layout.upper.end(), d, infinity);
      }
    }
    layout.chains.push_back(std::move(chain));
  }
  return layout;
}

}  // namespace salvo::shooting
