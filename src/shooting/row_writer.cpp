#include "shooting/row_writer.hpp"

#include <algorithm>
#include <utility>

namespace salvo::shooting {

RowWriter::RowWriter(const ShootingProblem& shooting, Pass& pass, Workspace& workspace)
    : shooting_(shooting),
      pass_(pass),
      workspace_(workspace),
      observer_(shooting.problem(), *pass.model, pass.request, shooting.small_values(), workspace.observer) {}

bool RowWriter::write(const Block& block, const LocatedMeasurement& located, const double* x) {
  const bool inside = located.stop >= 0;
  const Observed observed =
      each_row(block.chain, located, x, [&](int row, double r, std::vector<double>& by_x, const std::vector<double>&) {
        if (pass_.stored != nullptr) store_slopes(block, located.stop, row);
        if (inside && pass_.wants_derivatives()) leave_to_sweep(located.stop, row, r, by_x);
        write_row(block, row, r);
      });
  if (!observed.row.ok) {
    trouble_ = noise_trouble(shooting_.problem(), located.measurement, observed);
    return false;
  }
  pass_.objective[block.slot] += observed.row.objective;
  if (pass_.predicted != nullptr)
    (*pass_.predicted)[located.measurement] = {.simulation = observed.g, .sigma = observed.sigma};
  return true;
}

void RowWriter::leave_to_sweep(int stop, int row, double r, std::vector<double>& by_x) {
  InnerRows& inner = workspace_.inner;
  for (int i = 0; i < static_cast<int>(by_x.size()); ++i)
    if (by_x[i] != 0) inner.slopes.push_back({i, std::exchange(by_x[i], 0.0)});
  inner.rows.push_back({.stop = stop, .row = row, .r = r, .slopes_end = inner.slopes.size()});
}

void RowWriter::store_slopes(const Block& block, int stop, int row) {
  RowSlopes slopes{.stop = stop, .row = row};
  const auto store = [](const std::vector<double>& from, std::vector<std::pair<int, double>>& to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != 0) to.push_back({static_cast<int>(i), from[i]});
  };
  store(workspace_.row_x, slopes.by_x);
  store(workspace_.row_p, slopes.by_p);
  pass_.stored->slopes[block.slot].push_back(std::move(slopes));
}

void RowWriter::write_row(const Block& block, int row, double r) {
  if (pass_.gradients != nullptr) {
    add_to_gradient(block, r, workspace_.row_x, workspace_.row_p);
    return;
  }
  if (pass_.blocks == nullptr) return;
  nlp::Rows& rows = pass_.blocks->chains[block.chain].rows[block.j];
  rows.r[row] = r;
  if (!pass_.jacobians) return;
  chain_rule(pass_.node(shooting_.layout(), block.chain, block.j), pass_.experiments[block.chain].p_by_theta,
             workspace_.row_x, workspace_.row_p, row, rows.by_block, rows.by_theta);
}

void RowWriter::add_to_gradient(const Block& block, double r, std::span<const double> by_state,
                                std::span<const double> by_active) {
  const nlp::Layout& layout = shooting_.layout();
  const nlp::Layout::Chain& chain = layout.chains[block.chain];
  Matrix& by_block = workspace_.by_block;
  Matrix& by_theta = workspace_.by_theta;
  by_block.resize(1, chain.size[block.j]);
  by_theta.resize(1, layout.thetas);
  chain_rule(pass_.node(layout, block.chain, block.j), pass_.experiments[block.chain].p_by_theta, by_state, by_active,
             0, by_block, by_theta);
  std::vector<double>& by_q = pass_.gradients->objective_by_q;
  for (int i = 0; i < by_block.cols; ++i) by_q[chain.offset[block.j] + i] += r * by_block(0, i);
  for (int i = 0; i < by_theta.cols; ++i) pass_.objective_by_theta[block.slot][i] += r * by_theta(0, i);
}

// of_g dg + of_sigma dsigma, spread out; nothing by p where no p is seen.
void RowWriter::differentiate_row(const compile::ObservableKernel& kernel, const Observed& observed, double of_g,
                                  double of_sigma) {
  const double weight[] = {of_g, of_sigma};
  workspace_.row_x.assign(shooting_.model().observed(), 0.0);
  workspace_.row_p.assign(kernel.by_parameter.size() > 0 ? shooting_.model().active : 0, 0.0);
  for (int z = 0; z < kernel.by_state.size(); ++z)
    if (const double w = weight[kernel.by_state.row[z]]; w != 0)
      workspace_.row_x[kernel.by_state.column[z]] += w * observed.by_state[z];
  for (int z = 0; z < kernel.by_parameter.size(); ++z)
    if (const double w = weight[kernel.by_parameter.row[z]]; w != 0)
      workspace_.row_p[kernel.by_parameter.column[z]] += w * observed.by_parameter[z];
}

}  // namespace salvo::shooting
