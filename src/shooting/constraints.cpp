#include "nlp/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shooting/pass.hpp"
#include "shooting/rows.hpp"

// Constraints besides bounds. They need no trajectory: a node's state is an unknown.
namespace salvo::shooting {
namespace {

void shape_constraints(const nlp::Layout& layout, const Plan& plan, nlp::Blocks& blocks) {
  std::vector<std::vector<int>> at_node;
  for (const nlp::Layout::Chain& chain : layout.chains) at_node.push_back(std::vector<int>(chain.size.size(), 0));
  int of_theta = 0;
  for (const PlannedConstraint& planned : plan.constraints)
    ++(planned.node < 0 ? of_theta : at_node[planned.chain][planned.node]);
  const auto shape = [&layout](int count, int block, nlp::Constraints& constraints) {
    constraints.c.clear();
    constraints.equality.clear();
    constraints.by_block.resize(count, block);
    constraints.by_theta.resize(count, layout.thetas);
  };
  shape(of_theta, 0, blocks.constraints);
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    blocks.chains[c].constraints.resize(layout.chains[c].size.size());
    for (std::size_t j = 0; j < layout.chains[c].size.size(); ++j)
      shape(at_node[c][j], layout.chains[c].size[j], blocks.chains[c].constraints[j]);
  }
}

// d c / d (x, p, x0), spread out.
struct ConstraintSlopes {
  std::vector<double> by_state, by_active, by_initial;

  ConstraintSlopes(const compile::CompiledModel& model, const compile::ConstraintKernel& kernel, const double* nonzeros)
      : by_state(model.states, 0.0), by_active(model.active, 0.0), by_initial(model.states, 0.0) {
    for (const int column : kernel.by_state.column) by_state[column] = *nonzeros++;
    for (const int column : kernel.by_parameter.column) by_active[column] = *nonzeros++;
    for (const int column : kernel.by_initial.column) by_initial[column] = *nonzeros++;
  }
};

}  // namespace

nlp::Evaluation ShootingProblem::evaluate_constraints(Pass& pass) const {
  nlp::Blocks& blocks = *pass.blocks;
  blocks.violation = 0;
  if (plan_.constraints.empty()) {
    if (!blocks.constraints.c.empty()) blocks.constraints = {};
    for (nlp::ChainBlocks& chain : blocks.chains) chain.constraints.clear();
    return {};
  }
  shape_constraints(layout_, plan_, blocks);
  std::vector<ExperimentValues> experiments;
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) experiments.push_back(values_of(c, pass.q, true));
  std::vector<double> work(model().largest_work());
  std::vector<double> out;
  for (const PlannedConstraint& planned : plan_.constraints) {
    const compile::ConstraintKernel& kernel = model().constraints[planned.constraint];
    const ExperimentValues& experiment = experiments[planned.chain];
    const bool at_node = planned.node >= 0;
    const double* state = pass.node_state(layout_, planned.chain, std::max(planned.node, 0));
    out.resize(kernel.derivative.output_count());
    kernel.derivative.run<1>({.state = state, .parameter = experiment.p.data(), .seed = experiment.s0.data()},
                             work.data(), out.data());
    nlp::Constraints& to = at_node ? blocks.chains[planned.chain].constraints[planned.node] : blocks.constraints;
    const int row = static_cast<int>(to.c.size());
    to.c.push_back(out[0]);
    to.equality.push_back(problem_.constraints[planned.constraint].is_equality);
    const ConstraintSlopes slopes(model(), kernel, out.data() + 1);
    if (at_node)
      chain_rule(node_map(experiment, layout_.chains[planned.chain], planned.node, pass.q), experiment.p_by_theta,
                 slopes.by_state, slopes.by_active, row, to.by_block, to.by_theta);
    else
      for (const Slope& slope : experiment.p_by_theta)
        to.by_theta(row, slope.column) += slopes.by_active[slope.row] * slope.value;
    // Initial values that constraints name stand in theta.
    for (const Slope& slope : experiment.s0_by_theta)
      to.by_theta(row, slope.column) += slopes.by_initial[slope.row] * slope.value;
    for (const double number : out)
      if (!std::isfinite(number))
        return {.ok = false,
                .trouble = fmt::format("the constraint '{}' or its derivative is not a finite number",
                                       problem_.constraints[planned.constraint].text)};
  }
  blocks.violation = nlp::largest_violation(layout_, blocks, pass.room.sizes);
  return {};
}

}  // namespace salvo::shooting
