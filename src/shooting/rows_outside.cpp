#include <fmt/format.h>

#include "shooting/pass.hpp"

// The rows that no trajectory is needed for: measurements at each chain's last node, and priors.
namespace salvo::shooting {

void ShootingProblem::evaluate_final_nodes(Pass& pass) const {
  const int intervals = static_cast<int>(plan_.intervals.size());
  auto workspace = borrow();
  Observer observer(problem_, *model_, options_.smoothing, options_.rows_for);
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const nlp::Layout::Chain& chain = layout_.chains[c];
    const int K = chain.links();
    const ExperimentValues& experiment = pass.experiments[c];
    const std::vector<double> s = K == 0 ? experiment.s0
                                         : std::vector<double>(pass.q.begin() + chain.offset[K],
                                                               pass.q.begin() + chain.offset[K] + model_->states);
    for (const PlannedMeasurement& planned : plan_.final_node[c]) {
      const int observable = problem_.measurements[planned.measurement].observable;
      const Observed observed = make_rows(
          observer, *model_, observable, planned, s.data(), experiment.p.data(), pass.wants_derivatives(), *workspace,
          [&](int row, double r, const std::vector<double>& by_x, const std::vector<double>& by_p) {
            if (pass.gradients != nullptr) {
              Matrix by_block(1, chain.size[K]);
              Matrix by_theta(1, layout_.thetas);
              chain_rule(experiment, K, by_x, by_p, 0, by_block, by_theta);
              for (int i = 0; i < by_block.cols; ++i)
                pass.gradients->objective_by_q[chain.offset[K] + i] += r * by_block(0, i);
              for (int i = 0; i < by_theta.cols; ++i) pass.objective_by_theta[intervals + c][i] += r * by_theta(0, i);
              return;
            }
            nlp::Rows& rows = pass.blocks->chains[c].rows[K];
            rows.r[row] = r;
            if (pass.jacobians) chain_rule(experiment, K, by_x, by_p, row, rows.by_block, rows.by_theta);
          });
      if (!observed.row.ok) {
        pass.trouble[intervals + c] =
            fmt::format("in experiment '{}' {}", problem_.experiments[grids_[c].experiment].id,
                        noise_trouble(problem_, planned.measurement, observed));
        break;
      }
      pass.objective[intervals + c] += observed.row.objective;
      if (pass.predicted != nullptr)
        (*pass.predicted)[planned.measurement] = {observed.g, observed.sigma, observed.row};
    }
  }
  give_back(std::move(workspace));
}

void ShootingProblem::evaluate_priors(Pass& pass) const {
  const std::size_t last = plan_.intervals.size() + layout_.chains.size();
  // A prior is one more measurement, of the unknown itself: eta = location, sigma = spread.
  struct PriorRow {
    double r;
    double slope;
  };
  const auto score = [&](const model::Estimated& estimated, double scaled) {
    const model::Prior& prior = *estimated.prior;
    const double value = prior.on_scale ? scaled : model::from_scale(estimated.scale, scaled);
    const double slope = prior.on_scale ? 1.0 : model::from_scale_slope(estimated.scale, scaled);
    const model::NoiseRow row = model::noise_row(prior.distribution, prior.location, value, prior.spread,
                                                 options_.smoothing, options_.rows_for);
    pass.objective[last] += row.objective;
    return PriorRow{row.r_g, row.weight_g * slope};
  };

  std::vector<std::pair<int, PriorRow>> of_theta;
  for (int i = 0; i < layout_.thetas; ++i) {
    const auto& estimated = estimated_theta(problem_, names_, i);
    if (estimated.prior) of_theta.push_back({i, score(estimated, pass.q[i])});
  }
  if (pass.gradients != nullptr) {
    for (const auto& [i, row] : of_theta) pass.objective_by_theta[last][i] += row.r * row.slope;
  } else {
    nlp::Rows& rows = pass.blocks->priors;
    rows.r.resize(of_theta.size());
    rows.by_block.resize(0, 0);
    rows.by_theta.resize(pass.jacobians ? static_cast<int>(of_theta.size()) : 0, layout_.thetas);
    for (int n = 0; n < static_cast<int>(of_theta.size()); ++n) {
      rows.r[n] = of_theta[n].second.r;
      if (pass.jacobians) rows.by_theta(n, of_theta[n].first) = of_theta[n].second.slope;
    }
  }
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const nlp::Layout::Chain& chain = layout_.chains[c];
    const std::vector<int>& free = names_.initial[grids_[c].experiment];
    int place = plan_.row_count[c][0];
    for (int i = static_cast<int>(free.size()) - 1; i >= 0; --i) {
      const auto& estimated = std::get<model::Estimated>(problem_.experiments[grids_[c].experiment].initial[free[i]]);
      if (!estimated.prior) continue;
      const PriorRow row = score(estimated, pass.q[chain.offset[0] + i]);
      --place;
      if (pass.gradients != nullptr) {
        pass.gradients->objective_by_q[chain.offset[0] + i] += row.r * row.slope;
        continue;
      }
      nlp::Rows& rows = pass.blocks->chains[c].rows[0];
      rows.r[place] = row.r;
      if (pass.jacobians) rows.by_block(place, i) = row.slope;
    }
  }
}

}  // namespace salvo::shooting
