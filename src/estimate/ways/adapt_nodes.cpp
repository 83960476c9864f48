#include "estimate/ways/adapt_nodes.hpp"

#include <fmt/format.h>

namespace salvo::estimate {

int enough_for_all_lanes(const shooting::ShootingProblem& problem) {
  const int experiments = static_cast<int>(problem.grids().size());
  return (problem.options().lanes + experiments - 1) / experiments;
}

Merger::Merger(const shooting::ShootingProblem& problem, double accuracy, const Rules& rules)
    : problem_(problem), rules_(rules), stages_(problem.stages_to_come(accuracy)) {}

bool Merger::is_cheap() const { return problem_.iteration_work(stages_) <= rules_.account.cheap; }

bool Merger::is_worth_the_change(const shooting::ShootingProblem& merged) const {
  const double worth = rules_.nodes.worth_a_change;
  return merged.iteration_work(stages_) <= (is_cheap() ? 1 / worth : worth) * problem_.iteration_work(stages_);
}

bool Merger::may_merge(int least) const {
  std::vector<shooting::Grid> fewest = problem_.grids();
  for (shooting::Grid& grid : fewest) {
    if (grid.intervals() <= least) continue;
    std::vector<double> tau;
    for (int j = 0; j <= least; ++j) tau.push_back(grid.tau.front() + (grid.tau.back() - grid.tau.front()) * j / least);
    grid.tau = std::move(tau);
  }
  if (count_nodes(fewest) == count_nodes(problem_.grids())) return false;
  return is_cheap() || is_worth_the_change(*problem_.on(fewest));
}

std::unique_ptr<shooting::ShootingProblem> Merger::merged(const nlp::Point& q, const nlp::Blocks& blocks,
                                                          int least) const {
  if (!may_merge(least)) return nullptr;
  std::vector<shooting::Grid> fewer = merged_where_tame(problem_, q, blocks, least);
  if (count_nodes(fewer) == count_nodes(problem_.grids())) return nullptr;
  auto merged = problem_.on(std::move(fewer));
  return is_worth_the_change(*merged) ? std::move(merged) : nullptr;
}

AdaptedStart adapted_start(const Workspace& workspace, const Discretisation& laid) {
  const NodeRules& rules = workspace.rules().nodes;
  AdaptedStart out;
  out.shooting = workspace.on(shooting::first_grids(workspace.problem(), workspace.rules().shooting));
  const int first = shooting::count_nodes(out.shooting->grids());
  nlp::Request request{.accuracy = laid.search_accuracy};
  nlp::Blocks blocks;
  nlp::Evaluation evaluation;
  for (int refinement = 0; refinement <= rules.refinements; ++refinement) {
    out.start = start::start_point(*out.shooting, laid.start, laid.improvement, request, true, workspace.rules().start);
    blocks = std::move(out.start.linearized);
    evaluation = blocks.chains.empty() ? out.shooting->linearize(out.start.q, request, blocks) : nlp::Evaluation{};
    request.stiff = request.stiff || evaluation.stiff_intervals > 0;
    if (refinement == rules.refinements || out.shooting->is_stopped()) break;
    std::vector<shooting::Grid> finer = evaluation.ok ? split_where_it_stretches(*out.shooting, out.start.q, blocks)
                                                      : split_where_it_fails(*out.shooting, out.start.q);
    if (shooting::count_nodes(finer) == shooting::count_nodes(out.shooting->grids())) break;
    out.shooting = out.shooting->on(std::move(finer));
  }
  const int fine = shooting::count_nodes(out.shooting->grids());
  const Merger merger(*out.shooting, laid.search_accuracy, workspace.rules());
  if (auto merged = evaluation.ok ? merger.merged(out.start.q, blocks, rules.least_intervals) : nullptr) {
    out.start.q = carried_over(*out.shooting, out.start.q, *merged);
    out.shooting = std::move(merged);
    blocks = {};
  }
  if (evaluation.ok) out.at_start = std::move(blocks);
  out.is_stiff = request.stiff;
  const int kept = shooting::count_nodes(out.shooting->grids());
  out.reason = fine > first ? fmt::format("more than {} because perturbations grow", first) : "";
  if (kept < fine)
    out.reason += fmt::format("{}merged from {} where perturbations grow little", fine > first ? ", " : "", fine);
  return out;
}

}  // namespace salvo::estimate
