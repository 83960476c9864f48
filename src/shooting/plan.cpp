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

// A part of the smallest datum that is not zero, but not less than rounding of the largest would hide.
std::vector<double> small_values(const model::Problem& problem, const Rules& rules) {
  std::vector<double> smallest(problem.observables.size(), std::numeric_limits<double>::infinity());
  std::vector<double> largest(problem.observables.size(), 0.0);
  for (const model::Measurement& m : problem.measurements) {
    const double size = std::abs(m.value);
    if (size > 0) smallest[m.observable] = std::min(smallest[m.observable], size);
    largest[m.observable] = std::max(largest[m.observable], size);
  }
  for (std::size_t o = 0; o < smallest.size(); ++o)
    smallest[o] =
        largest[o] > 0 ? std::max(rules.of_smallest_datum * smallest[o], rules.of_largest_datum * largest[o]) : 1.0;
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

namespace {

// What is measured of one experiment, interval by interval.
void plan_chain(const Subject& subject, const Grid& grid, int c, const std::vector<int>& measured, Plan& plan) {
  const auto& [problem, model, names, rules] = subject;
  const bool ends_in_node = has_end_node(model, grid);
  std::vector<int> rows;
  auto next = measured.begin();
  for (int j = 0; j < grid.intervals(); ++j) {
    const auto is_inside = [&](int i) { return problem.measurements[i].time < grid.tau[j + 1] || !ends_in_node; };
    const auto end = std::partition_point(next, measured.end(), is_inside);
    PlannedInterval interval{.chain = c, .j = j, .begin = grid.tau[j], .measured = {next, end}};
    next = end;
    const bool sees_start = j == 0 && can_act_at_start(model);
    interval.stops = stops_between(problem, interval.measured, grid.tau[j], grid.tau[j + 1], sees_start);
    RowLocator rows_of(problem, plan.sigma_varies, interval.stops);
    for (const int i : interval.measured) {
      const LocatedMeasurement located = rows_of.next(i);
      if (located.stop >= 0) interval.inner_rows += located.sigma_row ? 2 : 1;
    }
    rows.push_back(rows_of.rows());
    const int knots = model.knots_between(grid.experiment, interval.begin, interval.stops.back());
    plan.most_stops = std::max(plan.most_stops, interval.stops.size() + knots);
    plan.intervals.push_back(std::move(interval));
  }
  plan.final_node.emplace_back(next, measured.end());
  RowLocator at_end(problem, plan.sigma_varies, {});
  for (const int i : plan.final_node.back()) at_end.next(i);
  if (ends_in_node) rows.push_back(at_end.rows());
  rows[0] += prior_rows(problem, grid.experiment, names);
  plan.row_count.push_back(std::move(rows));
}

}  // namespace

Plan make_plan(const Subject& subject, const std::vector<Grid>& grids) {
  const auto& [problem, model, names, rules] = subject;
  Plan plan;
  const std::vector<std::vector<int>> by_time = measurements_by_time(problem);
  std::size_t intervals = 0;
  for (const Grid& grid : grids) intervals += grid.intervals();
  plan.intervals.reserve(intervals);
  for (const compile::ObservableKernel& kernel : model.observables)
    plan.sigma_varies.push_back(sigma_is_variable(kernel) ? 1 : 0);
  for (int c = 0; c < static_cast<int>(grids.size()); ++c) {
    plan_chain(subject, grids[c], c, by_time[grids[c].experiment], plan);
    plan.acting.push_back({acting_thetas(problem, model, names, grids[c].experiment, true),
                           acting_thetas(problem, model, names, grids[c].experiment, false)});
  }
  plan.constraints = plan_constraints(model, grids);
  plan.small_values = small_values(problem, rules);
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
    RowLocator rows_of(problem, plan.sigma_varies, {});
    for (const int i : measured) {
      const LocatedMeasurement located = rows_of.next(i);
      out[block_begin + located.row] = {.measurement = i};
      if (located.sigma_row) out[block_begin + located.row + 1] = {i, true};
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

constexpr double infinity = std::numeric_limits<double>::infinity();

// A quantity that keeps its sign, by its bounds or its scale, changes by no more than a factor in a cautious step.
void add_step_bound(const model::Estimated& estimated, double factor, nlp::Layout& layout) {
  double down = infinity;
  double up = infinity;
  if (estimated.scale != model::Scale::lin) {
    down = up = model::to_scale(estimated.scale, factor);
  } else if (estimated.lower >= 0 || estimated.upper <= 0) {
    down = 1 - 1 / factor;
    up = factor - 1;
    if (estimated.upper <= 0) std::swap(down, up);
  }
  layout.reach_down.push_back(down);
  layout.reach_up.push_back(up);
}

void add_bounds(const model::Estimated& estimated, nlp::Layout& layout) {
  const bool lin = estimated.scale == model::Scale::lin;
  layout.lower.push_back(lin || estimated.lower > 0 ? model::to_scale(estimated.scale, estimated.lower) : -infinity);
  layout.upper.push_back(lin || estimated.upper > 0 ? model::to_scale(estimated.scale, estimated.upper) : infinity);
}

void lay_thetas(const Subject& subject, nlp::Layout& layout) {
  layout.thetas = subject.names.thetas();
  for (std::vector<double>* numbers : {&layout.reach_down, &layout.reach_up, &layout.decade})
    numbers->reserve(layout.thetas);
  for (int k = 0; k < layout.thetas; ++k) {
    const model::Estimated& estimated = estimated_theta(subject.problem, subject.names, k);
    add_bounds(estimated, layout);
    add_step_bound(estimated, subject.rules.cautious_factor, layout);
    layout.decade.push_back(estimated.scale == model::Scale::lin ? 0.0 : model::to_scale(estimated.scale, 10));
  }
  layout.noise_only = noise_only(subject.problem, subject.model, layout.thetas);
  layout.unknowns = layout.thetas;
}

// The first node has what is free of the initial state, every other one a whole state.
nlp::Layout::Chain lay_chain(const Subject& subject, const Grid& grid, nlp::Layout& layout) {
  const std::size_t d = subject.problem.states.size();
  const std::vector<int>& free = subject.names.initial[grid.experiment];
  const int blocks = has_end_node(subject.model, grid) ? grid.intervals() + 1 : grid.intervals();
  nlp::Layout::Chain chain;
  chain.offset.reserve(blocks);
  chain.size.reserve(blocks);
  for (int j = 0; j < blocks; ++j) {
    const int size = static_cast<int>(j == 0 ? free.size() : d);
    chain.offset.push_back(layout.unknowns);
    chain.size.push_back(size);
    layout.unknowns += size;
    if (j == 0) {
      for (const int state : free)
        add_bounds(std::get<model::Estimated>(subject.problem.experiments[grid.experiment].initial[state]), layout);
    } else {
      layout.lower.insert(layout.lower.end(), d, -infinity);
      layout.upper.insert(layout.upper.end(), d, infinity);
    }
  }
  return chain;
}

}  // namespace

nlp::Layout make_layout(const Subject& subject, const std::vector<Grid>& grids) {
  nlp::Layout layout;
  std::size_t most_unknowns = subject.names.thetas();
  for (const Grid& grid : grids) most_unknowns += subject.problem.states.size() * (grid.intervals() + 1);
  layout.lower.reserve(most_unknowns);
  layout.upper.reserve(most_unknowns);
  lay_thetas(subject, layout);
  layout.chains.reserve(grids.size());
  for (const Grid& grid : grids) layout.chains.push_back(lay_chain(subject, grid, layout));
  return layout;
}

}  // namespace salvo::shooting
