#include <fmt/format.h>

#include <utility>

#include "model/prior.hpp"
#include "shooting/row_writer.hpp"

// The rows that no trajectory is needed for: measurements at each chain's last node, and priors.
namespace salvo::shooting {

// What is measured where each interval begins.
void ShootingProblem::evaluate_first_nodes(Pass& pass) const {
  const auto workspace = engine_->buffers().workspaces.borrow();
  RowWriter rows(*this, pass, *workspace);
  for (int i = 0; i < static_cast<int>(plan_.intervals.size()); ++i) {
    const auto& [chain, j, begin, stops, measured, inner_rows] = plan_.intervals[i];
    const double* s = pass.node_state(layout_, chain, j);
    RowLocator rows_of(problem_, subject_->sigma_varies, stops);
    for (const int measurement : measured)
      if (const LocatedMeasurement located = rows_of.next(measurement);
          located.stop < 0 && !rows.write({.chain = chain, .j = j, .slot = i}, located, s))
        pass.trouble[i] = rows.trouble();
  }
}

void ShootingProblem::evaluate_final_nodes(Pass& pass) const {
  const int intervals = static_cast<int>(plan_.intervals.size());
  const auto workspace = engine_->buffers().workspaces.borrow();
  RowWriter rows(*this, pass, *workspace);
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const int K = layout_.chains[c].links();
    const RowWriter::Block block{.chain = c, .j = K, .slot = intervals + c};
    const double* s = pass.node_state(layout_, c, K);
    RowLocator rows_of(problem_, subject_->sigma_varies, {});
    for (const int measurement : plan_.final_node[c]) {
      if (rows.write(block, rows_of.next(measurement), s)) continue;
      pass.trouble[block.slot] =
          fmt::format("in experiment '{}', {}", problem_.experiments[grids_[c].experiment].id, rows.trouble());
      break;
    }
  }
}

// --- priors ----------------------------------------------------------------------------------------------------------

void ShootingProblem::evaluate_priors(Pass& pass) const {
  evaluate_theta_priors(pass);
  evaluate_initial_priors(pass);
}

void ShootingProblem::evaluate_theta_priors(Pass& pass) const {
  std::vector<std::pair<int, model::PriorRow>> of_theta;
  for (int i = 0; i < layout_.thetas; ++i) {
    const auto& estimated = estimated_theta(problem_, names(), i);
    if (!estimated.prior) continue;
    of_theta.push_back({i, model::prior_row(estimated, pass.q[i], pass.request.smoothing, purpose_of(pass.request))});
    pass.objective.back() += of_theta.back().second.objective;
  }
  if (pass.gradients != nullptr) {
    for (const auto& [i, row] : of_theta) pass.objective_by_theta.back()[i] += row.r * row.slope;
    return;
  }
  nlp::Rows& rows = pass.blocks->priors;
  rows.r.resize(of_theta.size());
  rows.by_block.resize(0, 0);
  const bool jacobians = pass.jacobians && pass.stored == nullptr;
  rows.by_theta.resize(jacobians ? static_cast<int>(of_theta.size()) : 0, pass.theta_columns(layout_));
  for (int n = 0; n < static_cast<int>(of_theta.size()); ++n) {
    rows.r[n] = of_theta[n].second.r;
    if (jacobians) rows.by_theta(n, of_theta[n].first) = of_theta[n].second.slope;
  }
}

// Their rows stand at the end of block 0, behind what is measured there.
void ShootingProblem::evaluate_initial_priors(Pass& pass) const {
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const nlp::Layout::Chain& chain = layout_.chains[c];
    const int experiment = grids_[c].experiment;
    const std::vector<int>& free = names().initial[experiment];
    int row_of_prior = plan_.row_count[c][0];
    for (int i = static_cast<int>(free.size()) - 1; i >= 0; --i) {
      const auto& estimated = std::get<model::Estimated>(problem_.experiments[experiment].initial[free[i]]);
      if (!estimated.prior) continue;
      const model::PriorRow row =
          model::prior_row(estimated, pass.q[chain.offset[0] + i], pass.request.smoothing, purpose_of(pass.request));
      pass.objective.back() += row.objective;
      --row_of_prior;
      if (pass.gradients != nullptr) {
        pass.gradients->objective_by_q[chain.offset[0] + i] += row.r * row.slope;
        continue;
      }
      nlp::Rows& rows = pass.blocks->chains[c].rows[0];
      rows.r[row_of_prior] = row.r;
      if (pass.jacobians) rows.by_block(row_of_prior, i) = row.slope;
    }
  }
}

}  // namespace salvo::shooting
