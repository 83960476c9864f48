#include "estimate/ways/adapt_nodes.hpp"

#include <fmt/format.h>

#include "integrate/integrator.hpp"

namespace salvo::estimate {
namespace {

constexpr int most_refinements = 6;
constexpr int least_intervals = 20;  // a start has not yet shown how its flow will be

constexpr double cheap_iteration = 1e7;  // multiply-adds
constexpr double worth_a_change = 0.8;   // a change of nodes costs two linearisations, which fewer nodes must earn
constexpr double plain_grid = 1.25;      // where that is nothing, what one may pay to have few nodes

bool is_cheap(const shooting::ShootingProblem& problem, double accuracy) {
  return problem.iteration_work(problem.stages_to_come(accuracy)) <= cheap_iteration;
}

bool is_worth_the_change(const shooting::ShootingProblem& problem, const shooting::ShootingProblem& merged,
                         double accuracy) {
  const double stages = problem.stages_to_come(accuracy);
  return merged.iteration_work(stages) <=
         (is_cheap(problem, accuracy) ? plain_grid : worth_a_change) * problem.iteration_work(stages);
}

}  // namespace

int enough_for_all_lanes(const shooting::ShootingProblem& problem) {
  const int experiments = static_cast<int>(problem.grids().size());
  return (problem.options().lanes + experiments - 1) / experiments;
}

bool may_merge(const shooting::ShootingProblem& problem, int least, double accuracy) {
  std::vector<shooting::Grid> fewest = problem.grids();
  for (shooting::Grid& grid : fewest) {
    if (grid.intervals() <= least) continue;
    std::vector<double> tau;
    for (int j = 0; j <= least; ++j) tau.push_back(grid.tau.front() + (grid.tau.back() - grid.tau.front()) * j / least);
    grid.tau = std::move(tau);
  }
  if (count_nodes(fewest) == count_nodes(problem.grids())) return false;
  return is_cheap(problem, accuracy) || is_worth_the_change(problem, *problem.on(fewest), accuracy);
}

std::unique_ptr<shooting::ShootingProblem> on_fewer_nodes(const shooting::ShootingProblem& problem, const nlp::Point& q,
                                                          const nlp::Blocks& blocks, int least, double accuracy) {
  if (!may_merge(problem, least, accuracy)) return nullptr;
  std::vector<shooting::Grid> fewer = merged_where_tame(problem, q, blocks, least);
  if (count_nodes(fewer) == count_nodes(problem.grids())) return nullptr;
  auto merged = problem.on(std::move(fewer));
  return is_worth_the_change(problem, *merged, accuracy) ? std::move(merged) : nullptr;
}

AdaptedStart adapted_start(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> compiled,
                           const shooting::ShootingOptions& options, model::StartValues choice,
                           start::Improvement improvement, double accuracy) {
  AdaptedStart out;
  const auto engine = std::make_shared<shooting::Engine>(std::move(compiled), options.engine, options.rules);
  const auto lay_on = [&](std::vector<shooting::Grid> grids) {
    out.shooting = std::make_unique<shooting::ShootingProblem>(problem, engine, std::move(grids), options);
  };
  lay_on(shooting::first_grids(problem, options.rules));
  const int first = shooting::count_nodes(out.shooting->grids());
  nlp::Request request{.accuracy = accuracy};
  nlp::Blocks blocks;
  nlp::Evaluation evaluation;
  for (int refinement = 0; refinement <= most_refinements; ++refinement) {
    out.start = start::start_point(*out.shooting, choice, improvement, request, true);
    blocks = std::move(out.start.linearized);
    evaluation = blocks.chains.empty() ? out.shooting->linearize(out.start.q, request, blocks) : nlp::Evaluation{};
    request.stiff = request.stiff || evaluation.stiff_intervals > 0;
    if (refinement == most_refinements || out.shooting->is_stopped()) break;
    std::vector<shooting::Grid> finer = evaluation.ok ? split_where_it_stretches(*out.shooting, out.start.q, blocks)
                                                      : split_where_it_fails(*out.shooting, out.start.q);
    if (shooting::count_nodes(finer) == shooting::count_nodes(out.shooting->grids())) break;
    lay_on(std::move(finer));
  }
  const int fine = shooting::count_nodes(out.shooting->grids());
  if (auto merged =
          evaluation.ok ? on_fewer_nodes(*out.shooting, out.start.q, blocks, least_intervals, accuracy) : nullptr) {
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
