#include "fit/adapt_nodes.hpp"

#include <fmt/format.h>

namespace salvo::fit {
namespace {

constexpr int most_refinements = 6;
constexpr int least_intervals = 20;  // a start has not yet shown how its flow will be

}  // namespace

AdaptedStart adapted_start(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> compiled,
                           const shooting::ShootingOptions& options, model::StartValues choice,
                           shooting::Improvement improvement) {
  AdaptedStart out;
  const auto lay_on = [&](std::vector<shooting::Grid> grids) {
    if (out.shooting) out.work += out.shooting->work();
    out.shooting = std::make_unique<shooting::ShootingProblem>(problem, compiled, std::move(grids), options);
  };
  lay_on(shooting::first_grids(problem));
  const int first = shooting::count_nodes(out.shooting->grids());
  nlp::Blocks blocks;
  nlp::Evaluation evaluation;
  for (int refinement = 0; refinement <= most_refinements; ++refinement) {
    out.start = shooting::start_point(*out.shooting, choice, improvement);
    evaluation = out.shooting->linearize(out.start.q, blocks);
    if (refinement == most_refinements) break;
    std::vector<shooting::Grid> finer = evaluation.ok ? split_where_it_stretches(*out.shooting, out.start.q, blocks)
                                                      : split_where_it_fails(*out.shooting, out.start.q);
    if (shooting::count_nodes(finer) == shooting::count_nodes(out.shooting->grids())) break;
    lay_on(std::move(finer));
  }
  const int fine = shooting::count_nodes(out.shooting->grids());
  if (evaluation.ok) {
    const std::unique_ptr<shooting::ShootingProblem> all = std::move(out.shooting);
    out.work += all->work();
    lay_on(merged_where_tame(*all, out.start.q, blocks, least_intervals));
    out.start.q = carried_over(*all, out.start.q, *out.shooting);
  }
  const int kept = shooting::count_nodes(out.shooting->grids());
  out.reason = fine > first ? fmt::format("cut from {} because the flow stretches", first) : "";
  if (kept < fine) out.reason += fmt::format("{}merged from {} where it is tame", fine > first ? ", " : "", fine);
  return out;
}

}  // namespace salvo::fit
