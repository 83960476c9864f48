#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "shooting/pack_run.hpp"

// One evaluation of a point: all intervals in packs, then what needs no trajectory, then the sums in order.
namespace salvo::shooting {
namespace {

void shape_gradients(const nlp::Layout& layout, nlp::Gradients& gradients) {
  gradients.objective_by_q.assign(layout.unknowns, 0.0);
  gradients.links.resize(layout.chains.size());
  for (std::size_t c = 0; c < layout.chains.size(); ++c) gradients.links[c].resize(layout.chains[c].links());
}

void shape_blocks(const nlp::Layout& layout, const Plan& plan, int states, int thetas, bool jacobians,
                  nlp::Blocks& blocks) {
  blocks.chains.resize(layout.chains.size());
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    blocks.chains[c].rows.resize(chain.links() + 1);
    for (int j = 0; j <= chain.links(); ++j) {
      nlp::Rows& rows = blocks.chains[c].rows[j];
      const int count = plan.row_count[c][j];
      rows.r.assign(count, 0.0);
      rows.by_block.resize(jacobians ? count : 0, chain.size[j]);
      rows.by_theta.resize(jacobians ? count : 0, thetas);
    }
    blocks.chains[c].links.resize(chain.links());
    for (int j = 0; j < chain.links(); ++j) {
      nlp::Link& link = blocks.chains[c].links[j];
      link.by_block.resize(jacobians ? states : 0, chain.size[j]);
      link.by_theta.resize(jacobians ? states : 0, thetas);
    }
  }
}

bool is_finite(const std::vector<double>& numbers) {
  double sum = 0;  // of zeros, unless one of them is not finite
  for (const double number : numbers) sum += 0 * number;
  return sum == 0;
}

bool has_finite_derivatives(const nlp::Blocks& blocks) {
  for (const nlp::ChainBlocks& chain : blocks.chains) {
    for (const nlp::Rows& rows : chain.rows)
      if (!is_finite(rows.by_block.data) || !is_finite(rows.by_theta.data)) return false;
    for (const nlp::Link& link : chain.links)
      if (!is_finite(link.by_block.data) || !is_finite(link.by_theta.data)) return false;
  }
  return true;
}

nlp::Evaluation without_derivatives() {
  return {.ok = false, .trouble = "the derivatives of the trajectories are not finite numbers"};
}

// Some sweeps were given up, so none of the numbers count.
nlp::Evaluation told_to_stop() { return {.ok = false, .trouble = "the run was told to stop"}; }

}  // namespace

nlp::Evaluation ShootingProblem::run(Pass& pass) const {
  pass.integrator = integrate::no_finer(options_.integrator, pass.request.accuracy);
  if ((pass.request.stiff || !model().fields.empty()) && model().stiff)
    pass.integrator = integrate::for_stiff(pass.integrator);
  run_intervals(pass);
  if (is_stopped()) return told_to_stop();
  // `auto` takes explicit steps while they serve. Where an interval has shown that they do not, the evaluation is
  // repeated with steps for stiff equations. All intervals decide, whatever thread they run on.
  const auto stiff = std::count(pass.turned_out_stiff.begin(), pass.turned_out_stiff.end(), 1);
  if (stiff > 0 && model().stiff) {
    pass.integrator = integrate::for_stiff(pass.integrator);
    run_intervals(pass);
    if (is_stopped()) return told_to_stop();
  }
  if (may_be_packed(pass)) engine_->learn_packing(pass.steps, options_.lanes);
  evaluate_priors(pass);
  nlp::Evaluation evaluation = sum_up(pass);
  evaluation.stiff_intervals = model().stiff ? static_cast<int>(stiff) : 0;
  for (const int steps : pass.steps) evaluation.steps = std::max(evaluation.steps, steps);
  return evaluation;
}

void ShootingProblem::choose_code(Pass& pass) const {
  const std::size_t intervals = plan_.intervals.size();
  pass.model = &engine_->model_for(wanted_for(pass), pass.wants_derivatives(), intervals);
  if (may_be_packed(pass)) pass.packing = engine_->packing(intervals);
}

void ShootingProblem::begin(Pass& pass, const std::vector<char>& left_out) const {
  const std::size_t chains = layout_.chains.size();
  const std::size_t intervals = plan_.intervals.size();
  evaluate_experiments(pass.q, pass.wants_derivatives(), pass.room, left_out);
  pass.turned_out_stiff.assign(intervals, 0);
  if (pass.stored != nullptr) begin_storing(pass);
  pass.trouble.resize(intervals + chains);
  for (std::string& trouble : pass.trouble) trouble.clear();
  pass.steps.assign(intervals, 0);
  pass.objective.assign(intervals + chains + 1, 0.0);
  if (pass.gradients != nullptr) {
    pass.objective_by_theta.resize(intervals + chains + 1);
    for (std::vector<double>& part : pass.objective_by_theta) part.assign(layout_.thetas, 0.0);
    shape_gradients(layout_, *pass.gradients);
  } else if (pass.blocks != nullptr) {
    shape_blocks(layout_, plan_, model().states, pass.theta_columns(layout_), pass.jacobians, *pass.blocks);
  }
  if (left_out.empty()) evaluate_final_nodes(pass);
}

// One trajectory for each experiment, some of them long and others short. Sums over packs, of which there are some in
// products and in sweeps of many scalars, would change their last bits.
bool ShootingProblem::may_be_packed(const Pass& pass) const {
  if (options_.lanes == 1 || pass.stored != nullptr || pass.jacobians) return false;
  return std::all_of(layout_.chains.begin(), layout_.chains.end(),
                     [](const nlp::Layout::Chain& chain) { return chain.links() == 0; });
}

void ShootingProblem::run_intervals(Pass& pass) const {
  choose_code(pass);
  if (is_worth_sharing(pass)) return run_shared(pass);
  begin(pass);
  run_part(pass, {});
}

void ShootingProblem::run_part(Pass& pass, const PassPart& part) const {
  pass.part = part;
  if (options_.lanes == 1) run_packs<1>(pass);
  if (options_.lanes == widest_pack) run_packs<widest_pack>(pass);
}

// The blocks of this pass know nothing of theta: what depends on it moves into the stored.
void ShootingProblem::begin_storing(Pass& pass) const {
  pass.stored->experiments = pass.experiments;
  for (ExperimentValues& values : pass.experiments) {
    values.p_by_theta.clear();
    values.s0_by_theta.clear();
  }
  pass.stored->slopes.assign(plan_.intervals.size() + layout_.chains.size(), {});
  const std::size_t bytes = stored_bytes;  // beyond it stages are computed again
  const auto prepare = [&](auto& records, int W) {
    if (options_.lanes != W) return;
    records.resize((plan_.intervals.size() + W - 1) / W);
    for (auto& record : records) record.stage_budget = bytes / records.size();
  };
  prepare(pass.stored->records.of_1, 1);
  prepare(pass.stored->records.of_4, 4);
}

template <int W>
void ShootingProblem::run_packs(Pass& pass) const {
  const int intervals = static_cast<int>(plan_.intervals.size());
  parallel_for(pass.part.count_among((intervals + W - 1) / W), options_.engine.threads, [&](int n) {
    if (is_stopped()) return;
    const auto workspace = engine_->buffers().workspaces.borrow();
    PackRun<W>(*this, pass, *workspace, pass.part.pack(n) * W).run();
  });
}

nlp::Evaluation ShootingProblem::first_trouble(const Pass& pass) const {
  for (int c = 0; c < static_cast<int>(pass.experiments.size()); ++c)
    if (!pass.experiments[c].trouble.empty())
      return {.ok = false, .trouble = pass.experiments[c].trouble, .chain = c, .link = 0};
  for (std::size_t i = 0; i < pass.trouble.size(); ++i) {
    if (pass.trouble[i].empty()) continue;
    if (i >= plan_.intervals.size()) return {.ok = false, .trouble = pass.trouble[i]};
    return {.ok = false, .trouble = pass.trouble[i], .chain = plan_.intervals[i].chain, .link = plan_.intervals[i].j};
  }
  return {};
}

nlp::Evaluation ShootingProblem::sum_up(Pass& pass) const {
  if (nlp::Evaluation trouble = first_trouble(pass); !trouble.ok) return trouble;
  write_sizes(pass.q, pass.room);
  double objective = 0;
  for (const double part : pass.objective) objective += part;
  if (!std::isfinite(objective)) return {.ok = false, .trouble = "the objective is not a finite number"};
  if (pass.gradients != nullptr) {
    pass.gradients->objective = objective;
    pass.gradients->gap = largest_gap(pass);
    for (const auto& part : pass.objective_by_theta)
      for (int i = 0; i < layout_.thetas; ++i) pass.gradients->objective_by_q[i] += part[i];
    if (!is_finite(pass.gradients->objective_by_q)) return without_derivatives();
  } else {
    pass.blocks->objective = objective;
    pass.blocks->gap = largest_gap(pass);
    pass.blocks->local_gap = largest_local_gap(pass);
    if (pass.jacobians && !has_finite_derivatives(*pass.blocks)) return without_derivatives();
    if (const nlp::Evaluation constraints = evaluate_constraints(pass); !constraints.ok) return constraints;
  }
  return {};
}

// max |G_ji| / max_j |s_ji| over states and chains
double ShootingProblem::largest_gap(const Pass& pass) const {
  double largest = 0;
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const double* size = pass.room.state_sizes.data() + static_cast<std::size_t>(c) * model().states;
    for (int j = 0; j < layout_.chains[c].links(); ++j) {
      const std::vector<double>& gap = pass.gap(c, j);
      for (std::size_t i = 0; i < gap.size(); ++i) largest = std::max(largest, std::abs(gap[i]) / size[i]);
    }
  }
  return largest;
}

// A state that grows from 1e-3 to 1e9 hides a torn beginning behind its largest value. Here each gap is measured by the
// two nodes beside it, but not below what the integrator calls small: a tolerance that is given, or a share of the size
// that the state has had so far.
double ShootingProblem::largest_local_gap(const Pass& pass) const {
  const integrate::SmallestSize small = integrate::smallest_size(options_.integrator);
  std::vector<double>& so_far = pass.room.reached;
  double largest = 0;
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) {
    const double* size = pass.room.state_sizes.data() + static_cast<std::size_t>(c) * model().states;
    so_far.assign(model().states, 0.0);
    for (int j = 0; j < layout_.chains[c].links(); ++j) {
      const std::vector<double>& gap = pass.gap(c, j);
      const double* s = pass.node_state(layout_, c, j);
      const double* s_next = pass.node_state(layout_, c, j + 1);
      for (std::size_t i = 0; i < gap.size(); ++i) {
        so_far[i] = std::max(so_far[i], std::abs(s[i]));
        const double floor =
            small.given ? std::min(*small.given, size[i]) : small.share * (so_far[i] > 0 ? so_far[i] : size[i]);
        largest = std::max(largest, std::abs(gap[i]) / std::max({std::abs(s[i]), std::abs(s_next[i]), floor}));
      }
    }
  }
  return largest;
}

}  // namespace salvo::shooting
