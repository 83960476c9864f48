#include "shooting/pack_run.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "shooting/trajectory.hpp"

namespace salvo::shooting {
namespace {

std::string where(const model::Problem& problem, const Grid& grid, int j) {
  std::string text = problem.experiments.size() > 1
                         ? fmt::format("in experiment '{}', ", problem.experiments[grid.experiment].id)
                         : std::string("in ");
  if (grid.intervals() == 1)
    return text + fmt::format("the interval from t = {:.5g} to {:.5g}", grid.tau[0], grid.tau[1]);
  return text +
         fmt::format("interval {} of {} (t = {:.5g} to {:.5g})", j + 1, grid.intervals(), grid.tau[j], grid.tau[j + 1]);
}

}  // namespace

template <int W>
ShootingProblem::PackRun<W>::PackRun(const ShootingProblem& shooting, Pass& pass, Workspace& workspace, int first)
    : shooting_(shooting),
      model_(*pass.model),
      pass_(pass),
      workspace_(workspace),
      rows_(shooting, pass, workspace),
      first_(first),
      lanes_(std::min(W, static_cast<int>(shooting.plan_.intervals.size()) - first)),
      d_(model_.states),
      o_(model_.observed()),
      a_(model_.active),
      record_(pass.stored != nullptr ? pass.stored->records.template of<W>()[first / W] : workspace.record<W>()) {
  workspace.start_x.resize(d_);
  workspace.start_p.resize(a_);
}

template <int W>
void ShootingProblem::PackRun<W>::run() {
  launch();
  if (!values() || !pass_.wants_derivatives()) return;
  if (pass_.gradients != nullptr)
    gradients();
  else if (pass_.stored != nullptr || shooting_.derivatives_in_use() == model::Derivatives::tangent)
    jacobians_by_tangents();
  else
    jacobians_by_adjoints();
}

template <int W>
void ShootingProblem::PackRun<W>::prepare_launch() {
  launch_.lanes = lanes_;
  launch_.stop = shooting_.stop();
  launch_.max_steps = most_steps(shooting_.plan_.most_stops);
  workspace_.x0.resize(static_cast<std::size_t>(d_) * W);
  workspace_.p.resize(static_cast<std::size_t>(model_.parameters) * W);
  for (int l = 0; l < W; ++l) {
    const PlannedInterval& planned = interval(l);
    const std::vector<double>& p = pass_.experiments[planned.chain].p;
    const double* s = pass_.node_state(shooting_.layout_, planned.chain, planned.j);
    launch_.begin[l] = planned.begin;
    launch_.stops[l] = planned.stops;
    launch_.experiment[l] = shooting_.grids_[planned.chain].experiment;
    launch_.is_start[l] = planned.j == 0;
    for (int i = 0; i < d_; ++i) workspace_.x0[i * W + l] = s[i];
    for (int k = 0; k < model_.parameters; ++k) workspace_.p[k * W + l] = p[k];
  }
  // However many data there are: a step ends at every stop.
  if (pass_.request.max_steps > 0)
    launch_.max_steps =
        std::min(launch_.max_steps, pass_.request.max_steps + static_cast<int>(shooting_.plan_.most_stops));
  launch_.x0 = workspace_.x0.data();
  launch_.p = workspace_.p.data();
}

// Every thread has one record under way; a stored linearisation has all of them. Nobody asks for steps where there are
// no derivatives.
template <int W>
void ShootingProblem::PackRun<W>::limit_memory() {
  record_.keeps_steps = pass_.wants_derivatives();
  const EngineOptions& options = shooting_.engine_->options();
  if (options.memory > 0) {
    const double records = pass_.stored != nullptr ? static_cast<double>(pass_.stored->records.template of<W>().size())
                                                   : static_cast<double>(std::max(options.threads, 1));
    const auto share = static_cast<std::size_t>(options.memory / records);
    record_.stage_budget = share / 2;
    record_.x_budget = share / 2;
  } else if (pass_.stored == nullptr) {
    record_.stage_budget = integrate::Record<W>{}.stage_budget;
  }
}

template <int W>
void ShootingProblem::PackRun<W>::launch() {
  prepare_launch();
  limit_memory();
  integrate::integrate<W>(model_, pass_.integrator, launch_, record_, workspace_.scratch);
  shooting_.engine_->count({.trajectories = lanes_, .rhs = record_.rhs});
  for (int l = 0; l < lanes_; ++l) {
    pass_.steps[slot(l)] = record_.steps[l];
    pass_.turned_out_stiff[slot(l)] =
        integrate::turned_out_stiff(pass_.integrator, record_.ending[l], launch_.max_steps) ? 1 : 0;
  }
}

// --- values --------------------------------------------------------------------------------------------------------

// True if every lane has its numbers.
template <int W>
bool ShootingProblem::PackRun<W>::values() {
  bool all_ok = true;
  workspace_.inner.clear();
  if (pass_.wants_derivatives()) workspace_.inner.reserve(all_inner_rows());
  for (int l = 0; l < lanes_; ++l) {
    const std::string trouble = values_of_lane(l);
    inner_begin_[l + 1] = workspace_.inner.rows.size();
    if (trouble.empty()) continue;
    const Grid& grid = shooting_.grids_[interval(l).chain];
    pass_.trouble[slot(l)] = where(shooting_.problem_, grid, interval(l).j) + ", " + trouble;
    all_ok = false;
  }
  return all_ok;
}

// Gap and measurements of one interval. Returns what is wrong, or nothing.
template <int W>
std::string ShootingProblem::PackRun<W>::values_of_lane(int l) {
  if (!record_.ending[l].ok()) return integrate::describe(record_.ending[l], model_.state_names);
  const PlannedInterval& planned = interval(l);
  const double* s = pass_.node_state(shooting_.layout_, planned.chain, planned.j);
  const double* x_stop = record_.x_stop[l].data();
  const double* x_end = x_stop + (planned.stops.size() - 1) * o_;
  if (has_link(l)) {
    const double* s_next = pass_.node_state(shooting_.layout_, planned.chain, planned.j + 1);
    std::vector<double>& gap = pass_.gap(planned.chain, planned.j);
    gap.resize(d_);
    for (int i = 0; i < d_; ++i) gap[i] = x_end[i] - s_next[i];
  }

  RowLocator rows_of(shooting_.problem_, shooting_.subject_->sigma_varies, planned.stops);
  for (const int measurement : planned.measured) {
    const LocatedMeasurement located = rows_of.next(measurement);
    const double* x = located.stop < 0 ? s : x_stop + static_cast<std::size_t>(located.stop) * o_;
    if (!rows_.write(block(l), located, x)) return rows_.trouble();
  }
  return {};
}

template <int W>
template <class Use>
void ShootingProblem::PackRun<W>::each_inner_row(int l, int k, const Use& use) {
  const InnerRows& inner = workspace_.inner;
  const auto begin = inner.rows.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(inner_begin_[l + 1]);
  auto row = std::lower_bound(begin + static_cast<std::ptrdiff_t>(inner_begin_[l]), end, k,
                              [](const InnerRows::Row& at, int stop) { return at.stop < stop; });
  for (; row != end && row->stop == k; ++row) {
    const auto n = static_cast<std::size_t>(row - begin);
    use(static_cast<int>(n - inner_begin_[l]), *row, inner.slopes_of(n));
  }
}

template <int W>
int ShootingProblem::PackRun<W>::most_inner_rows() const {
  int most = 0;
  for (int l = 0; l < lanes_; ++l) most = std::max(most, interval(l).inner_rows);
  return most;
}

template <int W>
std::size_t ShootingProblem::PackRun<W>::all_inner_rows() const {
  std::size_t all = 0;
  for (int l = 0; l < lanes_; ++l) all += interval(l).inner_rows;
  return all;
}

template <int W>
bool ShootingProblem::PackRun<W>::any_link() const {
  for (int l = 0; l < lanes_; ++l)
    if (has_link(l)) return true;
  return false;
}

// --- gradients: one adjoint for w_j' X_j, and one for the objective of what is measured inside -----------------------

template <int W>
void ShootingProblem::PackRun<W>::gradients() {
  const int scalars = most_inner_rows() > 0 && any_link() ? 2 : 1;
  const int inner = (scalars - 1) * o_;  // where the scalar of the inner rows stands
  sweep_back(scalars, [this, inner](int l, int k, double* lambda) {
    if (is_node(l, k)) {
      inject_gap_weights(l, lambda);
      return;
    }
    each_inner_row(l, k, [&](int, const InnerRows::Row& row, std::span<const InnerRows::Slope> slopes) {
      for (const auto& [state, slope] : slopes) lambda[(state + inner) * W + l] += row.r * slope;
    });
  });
  for (int l = 0; l < lanes_; ++l) {
    if (has_link(l)) {
      take_scalar(l, 0);
      write_gap_gradient(l);
    }
    if (interval(l).inner_rows == 0) continue;
    take_scalar(l, scalars - 1);
    rows_.add_to_gradient(block(l), 1, workspace_.start_x, workspace_.start_p);
  }
}

// w_j = multipliers_j + penalty G_j
template <int W>
void ShootingProblem::PackRun<W>::inject_gap_weights(int l, double* lambda) const {
  const PlannedInterval& planned = interval(l);
  const std::vector<double>& gap = pass_.gap(planned.chain, planned.j);
  for (int i = 0; i < d_; ++i) {
    double w = pass_.weights->penalty * gap[i];
    if (!pass_.weights->multipliers.empty()) w += pass_.weights->multipliers[planned.chain][planned.j * d_ + i];
    lambda[i * W + l] += w;
  }
}

template <int W>
void ShootingProblem::PackRun<W>::write_gap_gradient(int l) {
  const auto [chain, j, slot] = block(l);
  workspace_.by_block.resize(1, shooting_.layout_.chains[chain].size[j]);
  workspace_.by_theta.resize(1, shooting_.layout_.thetas);
  chain_rule(node(l), pass_.experiments[chain].p_by_theta, workspace_.start_x, workspace_.start_p, 0,
             workspace_.by_block, workspace_.by_theta);
  nlp::Gradients::LinkGradient& link = pass_.gradients->links[chain][j];
  link.by_block = workspace_.by_block.data;
  link.by_theta = workspace_.by_theta.data;
}

// --- Jacobian blocks -----------------------------------------------------------------------------------------------

// Blocks by nodes alone take no products with f_p, of which there may be very many.
template <int W>
void ShootingProblem::PackRun<W>::jacobians_by_tangents() {
  const integrate::Seeds<W> seeds = make_seeds();
  const auto sink = [this](int l, int k, const double* T) {
    if (is_node(l, k))
      write_gap_columns(l, T);
    else
      add_inner_rows(l, k, T);
  };
  if (pass_.stored == nullptr) {
    integrate::tangent<W>(model_, pass_.integrator, launch_, record_, seeds, sink, workspace_.scratch);
  } else if (const int columns = seeds.most_columns(); columns > 0) {
    std::vector<double>& T = workspace_.by_x0;
    T.assign(static_cast<std::size_t>(o_) * columns * W, 0.0);
    for (int l = 0; l < lanes_; ++l)
      for (const auto& [column, row, value] : seeds.of_lane[l])
        T[(row + static_cast<std::size_t>(column) * o_) * W + l] += value;
    integrate::tangent_along<W>(model_, pass_.integrator, launch_, record_, {columns, T.data()}, sink,
                                workspace_.scratch);
  }
  shooting_.engine_->count({.tangents = std::accumulate(seeds.columns.begin(), seeds.columns.end(), 0L)});
}

template <int W>
integrate::Seeds<W> ShootingProblem::PackRun<W>::make_seeds() {
  integrate::Seeds<W> seeds;
  workspace_.columns.resize(W);
  for (int l = 0; l < lanes_; ++l) {
    make_seeds_of(l);
    const TangentColumns& columns = workspace_.columns[l];
    seeds.columns[l] = columns.of_block + static_cast<int>(columns.theta.size());
    seeds.of_lane[l] = columns.seeds;
  }
  return seeds;
}

// First v_j, then those thetas on which the trajectory depends in this experiment.
template <int W>
void ShootingProblem::PackRun<W>::make_seeds_of(int l) {
  const auto [chain, j, slot] = block(l);
  const ExperimentValues& experiment = pass_.experiments[chain];
  TangentColumns& columns = workspace_.columns[l];
  columns.of_block = shooting_.layout_.chains[chain].size[j];
  columns.theta.clear();
  columns.seeds.clear();
  const NodeMap at = node(l);
  at.each_by_block([&](int row, int column, double value) { columns.seeds.push_back({column, row, value}); });

  workspace_.column_of.assign(shooting_.layout_.thetas, -1);
  const auto add = [&](int row, int theta, double value) {
    int& column = workspace_.column_of[theta];
    if (column < 0) {
      column = columns.of_block + static_cast<int>(columns.theta.size());
      columns.theta.push_back(theta);
    }
    columns.seeds.push_back({.column = column, .row = row, .value = value});
  };
  for (const Slope& slope : experiment.p_by_theta)
    if (model_.rhs_uses[slope.row]) add(d_ + slope.row, slope.column, slope.value);
  at.each_by_theta(add);
}

// One scalar for each component of the gap, then one for each row measured inside.
template <int W>
void ShootingProblem::PackRun<W>::jacobians_by_adjoints() {
  std::array<std::vector<int>, W> row_of;  // of each inner row
  for (int l = 0; l < lanes_; ++l) row_of[l].resize(interval(l).inner_rows);
  sweep_back(gap_scalars() + most_inner_rows(), [&](int l, int k, double* lambda) {
    if (is_node(l, k)) {
      for (int i = 0; i < d_; ++i) lambda[(i + i * o_) * W + l] += 1;
      return;
    }
    each_inner_row(l, k, [&](int inner, const InnerRows::Row& row, std::span<const InnerRows::Slope> slopes) {
      row_of[l][inner] = row.row;
      for (const auto& [state, slope] : slopes) lambda[(state + (gap_scalars() + inner) * o_) * W + l] += slope;
    });
  });
  for (int l = 0; l < lanes_; ++l) {
    if (has_link(l))
      write_gap_rows(
          l, [&](int i, int c) { return workspace_.by_x0[(c + static_cast<std::size_t>(i) * o_) * W + l]; },
          [&](int i, int k) { return workspace_.by_p[(k + static_cast<std::size_t>(i) * a_) * W + l]; });
    for (int inner = 0; inner < interval(l).inner_rows; ++inner) {
      take_scalar(l, gap_scalars() + inner);
      add_inner_row(l, row_of[l][inner]);
    }
  }
}

// Eight rows at a time: blocks lie column by column, and eight numbers are a line of the cache.
template <int W>
template <class ByState, class ByActive>
void ShootingProblem::PackRun<W>::write_gap_rows(int l, const ByState& by_state, const ByActive& by_active) {
  const auto [chain, j, slot] = block(l);
  const ExperimentValues& experiment = pass_.experiments[chain];
  nlp::Link& link = pass_.blocks->chains[chain].links[j];
  constexpr int together = 64 / sizeof(double);
  const NodeMap at = node(l);
  for (int first = 0; first < d_; first += together) {
    const int last = std::min(first + together, d_);
    const auto add = [&](Matrix& to, int column, const auto& from, int from_column, double slope) {
      for (int i = first; i < last; ++i) to(i, column) += from(i, from_column) * slope;
    };
    at.each_by_block([&](int row, int column, double value) { add(link.by_block, column, by_state, row, value); });
    at.each_by_theta([&](int row, int column, double value) { add(link.by_theta, column, by_state, row, value); });
    for (const Slope& slope : experiment.p_by_theta)
      add(link.by_theta, slope.column, by_active, slope.row, slope.value);
  }
}

template <int W>
void ShootingProblem::PackRun<W>::write_gap_columns(int l, const double* T) {
  const auto [chain, j, slot] = block(l);
  const TangentColumns& columns = workspace_.columns[l];
  nlp::Link& link = pass_.blocks->chains[chain].links[j];
  const auto copy = [&](int column, Matrix& to, int to_column) {
    const double* from = T + static_cast<std::size_t>(column) * o_ * W + l;
    for (int i = 0; i < d_; ++i) to(i, to_column) = from[i * W];
  };
  for (int c = 0; c < columns.of_block; ++c) copy(c, link.by_block, c);
  for (int c = 0; c < static_cast<int>(columns.theta.size()); ++c)
    copy(columns.of_block + c, link.by_theta, columns.theta[c]);
}

template <int W>
void ShootingProblem::PackRun<W>::add_inner_rows(int l, int k, const double* T) {
  const auto [chain, j, slot] = block(l);
  const TangentColumns& columns = workspace_.columns[l];
  nlp::Rows& rows = pass_.blocks->chains[chain].rows[j];
  each_inner_row(l, k, [&](int, const InnerRows::Row& row, std::span<const InnerRows::Slope> slopes) {
    const auto sum = [&](int column) {
      const double* from = T + static_cast<std::size_t>(column) * o_ * W + l;
      double total = 0;
      for (const auto& [state, slope] : slopes) total += slope * from[state * W];
      return total;
    };
    for (int c = 0; c < columns.of_block; ++c) rows.by_block(row.row, c) += sum(c);
    for (int c = 0; c < static_cast<int>(columns.theta.size()); ++c)
      rows.by_theta(row.row, columns.theta[c]) += sum(columns.of_block + c);
  });
}

template <int W>
void ShootingProblem::PackRun<W>::add_inner_row(int l, int row) {
  const auto [chain, j, slot] = block(l);
  nlp::Rows& rows = pass_.blocks->chains[chain].rows[j];
  chain_rule(node(l), pass_.experiments[chain].p_by_theta, workspace_.start_x, workspace_.start_p, row, rows.by_block,
             rows.by_theta);
}

// --- the backward sweep --------------------------------------------------------------------------------------------

template <int W>
void ShootingProblem::PackRun<W>::sweep_back(int scalars, const integrate::Injection& inject) {
  workspace_.by_x0.resize(static_cast<std::size_t>(o_) * W * scalars);
  workspace_.by_p.resize(static_cast<std::size_t>(a_) * W * scalars);
  integrate::adjoint<W>(model_, pass_.integrator, launch_, record_,
                        {scalars, inject, workspace_.by_x0.data(), workspace_.by_p.data()}, workspace_.scratch);
  shooting_.engine_->count({.adjoints = static_cast<long>(lanes_) * scalars});
}

// Brings what the sweep found for scalar c of lane l into (start_x, start_p).
template <int W>
void ShootingProblem::PackRun<W>::take_scalar(int l, int c) {
  for (int i = 0; i < d_; ++i) workspace_.start_x[i] = workspace_.by_x0[(i + c * o_) * W + l];
  for (int k = 0; k < a_; ++k) workspace_.start_p[k] = workspace_.by_p[(k + c * a_) * W + l];
}

// --- products with the derivatives by theta --------------------------------------------------------------------------

template <int W>
void ShootingProblem::PackRun<W>::along(const Direction& direction, nlp::Blocks& change) {
  prepare_launch();
  std::vector<double>& T = workspace_.by_x0;
  T.assign(static_cast<std::size_t>(o_) * W, 0.0);
  workspace_.by_p.assign(static_cast<std::size_t>(a_) * W, 0.0);
  for (int l = 0; l < lanes_; ++l) {
    const auto [chain, j, slot] = block(l);
    const std::vector<double>& dp = direction.dp[chain];
    for (int k = 0; k < a_; ++k) workspace_.by_p[static_cast<std::size_t>(k) * W + l] = dp[k];
    stored_node(l).each_by_theta(
        [&](int row, int column, double value) { T[row * W + l] += value * direction.theta[column]; });
    for (const RowSlopes& slopes : pass_.stored->slopes[slot]) {
      double& r = change.chains[chain].rows[j].r[slopes.row];
      r = 0;
      for (const auto& [k, slope] : slopes.by_p) r += slope * dp[k];
      if (slopes.stop < 0)
        for (const auto& [i, slope] : slopes.by_x) r += slope * T[i * W + l];
    }
  }
  const auto sink = [&](int l, int k, const double* at_stop) {
    const auto [chain, j, slot] = block(l);
    if (is_node(l, k)) {
      for (int i = 0; i < d_; ++i) change.chains[chain].links[j].gap[i] = at_stop[i * W + l];
      return;
    }
    for (const RowSlopes& slopes : pass_.stored->slopes[slot])
      if (slopes.stop == k)
        for (const auto& [i, slope] : slopes.by_x)
          change.chains[chain].rows[j].r[slopes.row] += slope * at_stop[i * W + l];
  };
  integrate::tangent_along<W>(model_, pass_.integrator, launch_, record_, {1, T.data(), workspace_.by_p.data()}, sink,
                              workspace_.scratch);
  shooting_.engine_->count({.tangents = lanes_});
}

template <int W>
void ShootingProblem::PackRun<W>::transposed(const nlp::Blocks& weights, std::vector<double>& by_theta) {
  prepare_launch();
  sweep_back(1, [&](int l, int k, double* lambda) {
    const auto [chain, j, slot] = block(l);
    if (is_node(l, k)) {
      for (int i = 0; i < d_; ++i) lambda[i * W + l] += weights.chains[chain].links[j].gap[i];
      return;
    }
    for (const RowSlopes& slopes : pass_.stored->slopes[slot])
      if (slopes.stop == k)
        for (const auto& [i, slope] : slopes.by_x)
          lambda[i * W + l] += slope * weights.chains[chain].rows[j].r[slopes.row];
  });
  for (int l = 0; l < lanes_; ++l) {
    const auto [chain, j, slot] = block(l);
    take_scalar(l, 0);
    for (const RowSlopes& slopes : pass_.stored->slopes[slot]) {
      const double r = weights.chains[chain].rows[j].r[slopes.row];
      for (const auto& [k, slope] : slopes.by_p) workspace_.start_p[k] += slope * r;
      if (slopes.stop < 0)
        for (const auto& [i, slope] : slopes.by_x) workspace_.start_x[i] += slope * r;
    }
    const ExperimentValues& experiment = pass_.stored->experiments[chain];
    for (const Slope& slope : experiment.p_by_theta)
      by_theta[slope.column] += workspace_.start_p[slope.row] * slope.value;
    stored_node(l).each_by_theta(
        [&](int row, int column, double value) { by_theta[column] += workspace_.start_x[row] * value; });
  }
}

template class ShootingProblem::PackRun<1>;
template class ShootingProblem::PackRun<4>;

}  // namespace salvo::shooting
