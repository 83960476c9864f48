#include "shooting/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shooting/measurements_by_time.hpp"

namespace salvo::shooting {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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
std::vector<PlannedConstraint> plan_constraints(const Subject& subject, const std::vector<Grid>& grids) {
  const compile::CompiledModel& model = subject.model;
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
        if (subject.constrains_nodes && model.constraints[i].at_nodes)
          planned.push_back({.constraint = i, .chain = c, .node = j});
  return planned;
}

// A part of the smallest datum that is not zero, but not less than rounding of the largest would hide.
std::vector<double> small_values(const model::Problem& problem, const Rules& rules) {
  const double hidden_by_rounding = 1e-6;  // of the largest datum
  std::vector<double> smallest(problem.observables.size(), infinity);
  std::vector<double> largest(problem.observables.size(), 0.0);
  for (const model::Measurement& m : problem.measurements) {
    const double size = std::abs(m.value);
    if (size > 0) smallest[m.observable] = std::min(smallest[m.observable], size);
    largest[m.observable] = std::max(largest[m.observable], size);
  }
  for (std::size_t o = 0; o < smallest.size(); ++o)
    smallest[o] =
        largest[o] > 0 ? std::max(rules.of_smallest_datum * smallest[o], hidden_by_rounding * largest[o]) : 1.0;
  return smallest;
}

// A measurement at the start sees what events there have done, the algebraic variables, and delayed values: it is a
// stop of the integrator.
bool can_act_at_start(const compile::CompiledModel& model) {
  if (!model.algebraic.empty() || model.looks_back()) return true;
  if (!model.discontinuities) return false;
  const auto& functions = model.discontinuities->functions;
  const auto& events = model.discontinuities->events;
  return std::any_of(functions.begin(), functions.end(), [](const auto& function) { return function.event >= 0; }) ||
         std::any_of(events.begin(), events.end(), [](const auto& event) { return event.false_before_start; });
}

// Times after `begin` at which something is measured, and `end`. `begin` itself is one where events may act there; what
// is seen before them is read off the node.
template <class Use>
void each_stop(const model::Problem& problem, const PlannedInterval& interval, double end, bool sees_begin,
               const Use& use) {
  double last = sees_begin ? std::nextafter(interval.begin, -infinity) : interval.begin;
  for (const int i : interval.measured)
    if (const double time = problem.measurements[i].seen_at(); time > last) use(last = time);
  if (last < end) use(end);
}

}  // namespace

bool has_end_node(const Subject& subject, const Grid& grid) {
  const auto& constraints = subject.model.constraints;
  return grid.intervals() != 1 ||
         (subject.constrains_nodes && std::any_of(constraints.begin(), constraints.end(),
                                                  [](const auto& constraint) { return constraint.at_nodes; }));
}

namespace {

// What is measured of one experiment, interval by interval.
void plan_chain(const Subject& subject, const Grid& grid, int c, Plan& plan) {
  const model::Problem& problem = subject.problem;
  const bool ends_in_node = has_end_node(subject, grid);
  const std::span<const int> measured = subject.by_time[grid.experiment];
  std::vector<int> rows;
  rows.reserve(grid.intervals() + 1);
  auto next = measured.begin();
  for (int j = 0; j < grid.intervals(); ++j) {
    const auto is_inside = [&](int i) { return problem.measurements[i].seen_at() < grid.tau[j + 1] || !ends_in_node; };
    const auto end = std::partition_point(next, measured.end(), is_inside);
    PlannedInterval interval{.chain = c, .j = j, .begin = grid.tau[j], .measured = {next, end}};
    next = end;
    const bool sees_start = j == 0 && can_act_at_start(subject.model);
    const std::size_t first = plan.stops.size();
    each_stop(problem, interval, grid.tau[j + 1], sees_start, [&](double time) { plan.stops.push_back(time); });
    interval.stops = std::span<const double>(plan.stops).subspan(first);
    RowLocator rows_of(problem, subject.sigma_varies, interval.stops);
    for (const int i : interval.measured) {
      const LocatedMeasurement located = rows_of.next(i);
      if (located.stop >= 0) interval.inner_rows += located.sigma_row ? 2 : 1;
    }
    rows.push_back(rows_of.rows());
    const int knots = subject.model.knots_between(grid.experiment, interval.begin, interval.stops.back());
    plan.most_stops = std::max(plan.most_stops, interval.stops.size() + knots);
    plan.intervals.push_back(interval);
  }
  plan.final_node.emplace_back(next, measured.end());
  RowLocator at_end(problem, subject.sigma_varies, {});
  for (const int i : plan.final_node.back()) at_end.next(i);
  if (ends_in_node) rows.push_back(at_end.rows());
  rows[0] += prior_rows(problem, grid.experiment, subject.names);
  plan.row_count.push_back(std::move(rows));
}

// How many stops there will be: they may not move once intervals look at them.
std::size_t count_stops(const Subject& subject, const std::vector<Grid>& grids) {
  std::size_t count = 0;
  for (const Grid& grid : grids) {
    double last = -infinity;
    for (const int i : subject.by_time[grid.experiment])
      if (const double time = subject.problem.measurements[i].seen_at(); time > last) ++count, last = time;
    count += grid.tau.size();
  }
  return count;
}

}  // namespace

Plan make_plan(const Subject& subject, const std::vector<Grid>& grids) {
  Plan plan;
  std::size_t intervals = 0;
  for (const Grid& grid : grids) intervals += grid.intervals();
  plan.intervals.reserve(intervals);
  plan.stops.reserve(count_stops(subject, grids));
  for (int c = 0; c < static_cast<int>(grids.size()); ++c) {
    plan_chain(subject, grids[c], c, plan);
    plan.acting.push_back(subject.acting[grids[c].experiment]);
  }
  plan.constraints = plan_constraints(subject, grids);
  return plan;
}

std::vector<RowMeaning> row_meanings(const Subject& subject, const Plan& plan) {
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
  const auto tell = [&](int block_begin, std::span<const int> measured) {
    RowLocator rows_of(subject.problem, subject.sigma_varies, {});
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

nlp::Layout lay_thetas(const model::Problem& problem, const compile::CompiledModel& model, const UnknownNames& names,
                       const Rules& rules) {
  nlp::Layout layout{.thetas = names.thetas(), .unknowns = names.thetas()};
  for (int k = 0; k < layout.thetas; ++k) {
    const model::Estimated& estimated = estimated_theta(problem, names, k);
    add_bounds(estimated, layout);
    add_step_bound(estimated, rules.cautious_factor, layout);
    layout.decade.push_back(estimated.scale == model::Scale::lin ? 0.0 : model::to_scale(estimated.scale, 10));
  }
  layout.noise_only = noise_only(problem, model, layout.thetas);
  return layout;
}

// The first node has what is free of the initial state, every other one a whole state.
nlp::Layout::Chain lay_chain(const Subject& subject, const Grid& grid, nlp::Layout& layout) {
  const std::size_t d = subject.problem.states.size();
  const std::vector<int>& free = subject.names.initial[grid.experiment];
  const int blocks = has_end_node(subject, grid) ? grid.intervals() + 1 : grid.intervals();
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

Subject::Subject(const model::Problem& of, const compile::CompiledModel& compiled, const Rules& with,
                 bool constraining_nodes)
    : problem(of),
      model(compiled),
      rules(with),
      constrains_nodes(constraining_nodes),
      names(unknown_names(of)),
      by_time(measurements_by_time(of)),
      small_values(shooting::small_values(of, with)),
      thetas(lay_thetas(of, compiled, names, with)) {
  for (const compile::ObservableKernel& kernel : model.observables)
    sigma_varies.push_back(sigma_is_variable(kernel) ? 1 : 0);
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
    acting.push_back(by_time[e].empty() ? Acting{}
                                        : Acting{acting_thetas(problem, model, names, e, true),
                                                 acting_thetas(problem, model, names, e, false)});
  for (int k = 0; k < thetas.thetas; ++k) theta_priors += estimated_theta(problem, names, k).prior ? 1 : 0;
}

nlp::Layout make_layout(const Subject& subject, const std::vector<Grid>& grids) {
  nlp::Layout layout = subject.thetas;
  std::size_t most_unknowns = layout.thetas;
  for (const Grid& grid : grids) most_unknowns += subject.problem.states.size() * (grid.intervals() + 1);
  layout.lower.reserve(most_unknowns);
  layout.upper.reserve(most_unknowns);
  layout.chains.reserve(grids.size());
  for (const Grid& grid : grids) layout.chains.push_back(lay_chain(subject, grid, layout));
  return layout;
}

}  // namespace salvo::shooting
