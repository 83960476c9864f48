#include <fmt/format.h>

#include <algorithm>

#include "shooting/pass.hpp"

// W intervals at once: integrate, compare with the data, and sweep back or forth for the derivatives.
namespace salvo::shooting {
namespace {

std::string place(const model::Problem& problem, const Grid& grid, int j) {
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
void ShootingProblem::run_pack(Pass& pass, int first, Workspace& workspace) const {
  const int d = model_->states;
  const int a = model_->active;
  const int lanes = std::min<int>(W, static_cast<int>(plan_.intervals.size()) - first);
  const auto interval_of = [&](int l) -> const PlannedInterval& {
    return plan_.intervals[first + std::min(l, lanes - 1)];
  };
  const auto experiment_of = [&](int l) -> const ExperimentValues& { return pass.experiments[interval_of(l).chain]; };

  // --- launch --------------------------------------------------------------------------------------------------
  integrate::Launch<W> launch{.lanes = lanes, .max_steps = step_limit_};
  workspace.x0.resize(static_cast<std::size_t>(d) * W);
  workspace.p.resize(static_cast<std::size_t>(model_->parameters) * W);
  for (int l = 0; l < W; ++l) {
    const PlannedInterval& interval = interval_of(l);
    const ExperimentValues& experiment = experiment_of(l);
    const double* s =
        interval.j == 0 ? experiment.s0.data() : pass.q.data() + layout_.chains[interval.chain].offset[interval.j];
    launch.begin[l] = interval.begin;
    launch.stops[l] = interval.stops;
    for (int i = 0; i < d; ++i) workspace.x0[i * W + l] = s[i];
    for (int k = 0; k < model_->parameters; ++k) workspace.p[k * W + l] = experiment.p[k];
  }
  launch.x0 = workspace.x0.data();
  launch.p = workspace.p.data();
  integrate::Record<W>& record = workspace.record<W>();
  integrate::integrate<W>(*model_, options_.integrator, launch, record, workspace.scratch);
  trajectories_ += lanes;
  for (int l = 0; l < lanes; ++l) pass.steps[first + l] = record.steps[l];
  rhs_ += record.rhs;

  // --- values --------------------------------------------------------------------------------------------------
  Observer observer(problem_, *model_, options_.smoothing, options_.rows_for);
  const bool jacobians = pass.jacobians;
  const bool gradients = pass.gradients != nullptr;
  bool all_ok = true;
  for (int l = 0; l < lanes; ++l) {
    const PlannedInterval& interval = interval_of(l);
    const ExperimentValues& experiment = experiment_of(l);
    const Grid& grid = grids_[interval.chain];
    const nlp::Layout::Chain& chain = layout_.chains[interval.chain];
    if (!record.ending[l].ok()) {
      pass.trouble[first + l] =
          place(problem_, grid, interval.j) + " " + integrate::describe(record.ending[l], model_->state_names);
      all_ok = false;
      continue;
    }
    const double* x_stop = record.x_stop[l].data();
    const double* x_end = x_stop + (interval.stops.size() - 1) * d;
    std::vector<double>& gap = gradients ? pass.gradients->links[interval.chain][interval.j].gap
                                         : pass.blocks->chains[interval.chain].links[interval.j].gap;
    gap.resize(d);
    for (int i = 0; i < d; ++i) gap[i] = x_end[i] - pass.q[chain.offset[interval.j + 1] + i];

    for (const PlannedMeasurement& planned : interval.measured) {
      const bool at_node = planned.stop < 0;
      workspace.start_x.resize(d);
      for (int i = 0; i < d; ++i)
        workspace.start_x[i] = at_node ? workspace.x0[i * W + l] : x_stop[planned.stop * d + i];
      const int observable = problem_.measurements[planned.measurement].observable;
      const Observed observed = make_rows(
          observer, *model_, observable, planned, workspace.start_x.data(), experiment.p.data(), jacobians || gradients,
          workspace, [&](int row, double r, std::vector<double>& by_x, std::vector<double>& by_p) {
            if (gradients) {
              if (!at_node) std::fill(by_x.begin(), by_x.end(), 0.0);  // through the adjoint instead
              Matrix by_block(1, chain.size[interval.j]);
              Matrix by_theta(1, layout_.thetas);
              chain_rule(experiment, interval.j, by_x, by_p, 0, by_block, by_theta);
              for (int i = 0; i < by_block.cols; ++i)
                pass.gradients->objective_by_q[chain.offset[interval.j] + i] += r * by_block(0, i);
              for (int i = 0; i < by_theta.cols; ++i) pass.objective_by_theta[first + l][i] += r * by_theta(0, i);
              return;
            }
            nlp::Rows& rows = pass.blocks->chains[interval.chain].rows[interval.j];
            rows.r[row] = r;
            if (!jacobians) return;
            if (!at_node) std::fill(by_x.begin(), by_x.end(), 0.0);  // the sweep below adds this part
            chain_rule(experiment, interval.j, by_x, by_p, row, rows.by_block, rows.by_theta);
          });
      if (!observed.row.ok) {
        pass.trouble[first + l] =
            place(problem_, grid, interval.j) + " " + noise_trouble(problem_, planned.measurement, observed);
        all_ok = false;
        break;
      }
      pass.objective[first + l] += observed.row.objective;
      if (pass.predicted != nullptr)
        (*pass.predicted)[planned.measurement] = {observed.g, observed.sigma, observed.row};
    }
  }
  if (!all_ok || !(jacobians || gradients)) return;

  // --- rows of the measurements inside, by the state at their stop -----------------------------------------------
  const std::vector<double> no_active(a, 0.0);
  const auto each_inner_row = [&](int l, int k, const auto& use) {
    const PlannedInterval& interval = interval_of(l);
    int inner = 0;
    for (const PlannedMeasurement& planned : interval.measured) {
      if (planned.stop < 0) continue;
      if (planned.stop != k) {
        inner += planned.sigma_row ? 2 : 1;
        continue;
      }
      const double* x = record.x_stop[l].data() + static_cast<std::size_t>(k) * d;
      const int observable = problem_.measurements[planned.measurement].observable;
      make_rows(observer, *model_, observable, planned, x, experiment_of(l).p.data(), true, workspace,
                [&](int row, double r, const std::vector<double>& by_x, const std::vector<double>&) {
                  use(inner++, row, r, by_x);
                });
    }
  };
  const auto is_end = [&](int l, int k) { return k + 1 == static_cast<int>(interval_of(l).stops.size()); };

  // --- one adjoint per interval: w_j' X_j, and the objective of what is measured inside -----------------------------
  if (gradients) {
    bool inner = false;
    for (int l = 0; l < lanes; ++l) inner |= interval_of(l).inner_rows > 0;
    const int scalars = inner ? 2 : 1;
    workspace.by_x0.resize(static_cast<std::size_t>(d) * W * scalars);
    workspace.by_p.resize(static_cast<std::size_t>(a) * W * scalars);
    const auto inject = [&](int l, int k, double* lambda) {
      const PlannedInterval& interval = interval_of(l);
      if (is_end(l, k)) {
        const std::vector<double>& gap = pass.gradients->links[interval.chain][interval.j].gap;
        for (int i = 0; i < d; ++i) {
          double w = pass.weights->penalty * gap[i];
          if (!pass.weights->multipliers.empty()) w += pass.weights->multipliers[interval.chain][interval.j * d + i];
          lambda[i * W + l] += w;
        }
      } else {
        each_inner_row(l, k, [&](int, int, double r, const std::vector<double>& by_x) {
          for (int i = 0; i < d; ++i) lambda[(i + d) * W + l] += r * by_x[i];
        });
      }
    };
    integrate::adjoint<W>(*model_, options_.integrator, launch, record, scalars, inject, workspace.by_x0.data(),
                          workspace.by_p.data(), workspace.scratch);
    adjoints_ += static_cast<long>(lanes) * scalars;
    for (int l = 0; l < lanes; ++l) {
      const PlannedInterval& interval = interval_of(l);
      const nlp::Layout::Chain& chain = layout_.chains[interval.chain];
      for (int c = 0; c < scalars; ++c) {
        workspace.start_x.resize(d);
        workspace.start_p.resize(a);
        for (int i = 0; i < d; ++i) workspace.start_x[i] = workspace.by_x0[(i + c * d) * W + l];
        for (int k = 0; k < a; ++k) workspace.start_p[k] = workspace.by_p[(k + c * a) * W + l];
        Matrix by_block(1, chain.size[interval.j]);
        Matrix by_theta(1, layout_.thetas);
        chain_rule(experiment_of(l), interval.j, workspace.start_x, workspace.start_p, 0, by_block, by_theta);
        if (c == 0) {
          pass.gradients->links[interval.chain][interval.j].by_block = by_block.data;
          pass.gradients->links[interval.chain][interval.j].by_theta = by_theta.data;
        } else {
          for (int i = 0; i < by_block.cols; ++i)
            pass.gradients->objective_by_q[chain.offset[interval.j] + i] += by_block(0, i);
          for (int i = 0; i < by_theta.cols; ++i) pass.objective_by_theta[first + l][i] += by_theta(0, i);
        }
      }
    }
    return;
  }

  // --- Jacobian blocks ------------------------------------------------------------------------------------------
  const auto put = [&](int l, bool is_gap, int row) {
    const PlannedInterval& interval = interval_of(l);
    nlp::ChainBlocks& chain = pass.blocks->chains[interval.chain];
    if (is_gap) {
      nlp::Link& link = chain.links[interval.j];
      chain_rule(experiment_of(l), interval.j, workspace.start_x, workspace.start_p, row, link.by_block, link.by_theta);
    } else {
      nlp::Rows& rows = chain.rows[interval.j];
      chain_rule(experiment_of(l), interval.j, workspace.start_x, workspace.start_p, row, rows.by_block, rows.by_theta);
    }
  };
  workspace.start_x.resize(d);
  workspace.start_p.resize(a);
  if (derivatives_ == model::Derivatives::tangent) {
    const auto sink = [&](int l, int k, const double* T) {
      const auto entry = [&](int i, int column) { return T[(static_cast<std::size_t>(column) * d + i) * W + l]; };
      if (is_end(l, k)) {
        for (int i = 0; i < d; ++i) {
          for (int c = 0; c < d; ++c) workspace.start_x[c] = entry(i, c);
          for (int c = 0; c < a; ++c) workspace.start_p[c] = entry(i, d + c);
          put(l, true, i);
        }
        return;
      }
      each_inner_row(l, k, [&](int, int row, double, const std::vector<double>& by_x) {
        for (int c = 0; c < d + a; ++c) {
          double sum = 0;
          for (int i = 0; i < d; ++i)
            if (by_x[i] != 0) sum += by_x[i] * entry(i, c);
          (c < d ? workspace.start_x[c] : workspace.start_p[c - d]) = sum;
        }
        put(l, false, row);
      });
    };
    integrate::tangent<W>(*model_, options_.integrator, launch, record, sink, workspace.scratch);
    tangents_ += static_cast<long>(lanes) * (d + a);
    return;
  }
  int most_inner = 0;
  for (int l = 0; l < lanes; ++l) most_inner = std::max(most_inner, interval_of(l).inner_rows);
  const int scalars = d + most_inner;
  workspace.by_x0.resize(static_cast<std::size_t>(d) * W * scalars);
  workspace.by_p.resize(static_cast<std::size_t>(a) * W * scalars);
  std::vector<std::vector<int>> row_of(lanes);
  const auto inject = [&](int l, int k, double* lambda) {
    if (is_end(l, k)) {
      for (int i = 0; i < d; ++i) lambda[(i + i * d) * W + l] += 1;
      return;
    }
    each_inner_row(l, k, [&](int inner, int row, double, const std::vector<double>& by_x) {
      row_of[l].resize(interval_of(l).inner_rows);
      row_of[l][inner] = row;
      for (int i = 0; i < d; ++i) lambda[(i + (d + inner) * d) * W + l] += by_x[i];
    });
  };
  integrate::adjoint<W>(*model_, options_.integrator, launch, record, scalars, inject, workspace.by_x0.data(),
                        workspace.by_p.data(), workspace.scratch);
  adjoints_ += static_cast<long>(lanes) * scalars;
  for (int l = 0; l < lanes; ++l) {
    for (int c = 0; c < d + interval_of(l).inner_rows; ++c) {
      for (int i = 0; i < d; ++i) workspace.start_x[i] = workspace.by_x0[(i + c * d) * W + l];
      for (int k = 0; k < a; ++k) workspace.start_p[k] = workspace.by_p[(k + c * a) * W + l];
      put(l, c < d, c < d ? c : row_of[l][c - d]);
    }
  }
}

template void ShootingProblem::run_pack<1>(Pass&, int, Workspace&) const;
template void ShootingProblem::run_pack<4>(Pass&, int, Workspace&) const;
template void ShootingProblem::run_pack<8>(Pass&, int, Workspace&) const;

}  // namespace salvo::shooting
