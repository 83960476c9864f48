#include "estimate/kept.hpp"

#include <algorithm>
#include <utility>

#include "estimate/answer/integration_error.hpp"
#include "estimate/ways/resume.hpp"

template <>
struct salvo::Parts<salvo::estimate::EstimateState> {
  static auto of(auto& state) {
    return std::tie(state.refinements, state.way, state.round, state.answers, state.tried, state.random, state.accounts,
                    state.under_way);
  }
};

namespace salvo::estimate {
namespace {

// Texts may come from a file: nodes are those of experiments that there are.
bool stands_on(const Answer& answer, const model::Problem& problem) {
  const auto is_grid = [&](const shooting::Grid& grid) {
    return grid.experiment >= 0 && grid.experiment < static_cast<int>(problem.experiments.size()) &&
           grid.tau.size() >= 2 && std::is_sorted(grid.tau.begin(), grid.tau.end());
  };
  return !answer.grids.empty() && std::all_of(answer.grids.begin(), answer.grids.end(), is_grid) &&
         std::all_of(answer.start.grids.begin(), answer.start.grids.end(), is_grid);
}

}  // namespace

std::string write(const EstimateState& state) { return exact_words(state); }

std::optional<EstimateState> read_state(const std::string& text, const model::Problem& problem) {
  std::optional<EstimateState> state = read_exact_words<EstimateState>(text);
  if (!state || !Random::at_state(state->random)) return std::nullopt;
  for (const KeptAnswer& kept : state->answers)
    if (!stands_on(kept.answer, problem)) return std::nullopt;
  if (state->under_way &&
      (!stands_on(*state->under_way, problem) || !state->under_way->stopped || state->under_way->grids_seen.empty()))
    return std::nullopt;
  return state;
}

std::optional<Options> refined(const model::Problem& problem, Options options, int refinements) {
  for (int n = 0; n < refinements; ++n) {
    options.integrator = next_finer(options.integrator.value_or(problem.settings.integrator));
    if (!options.integrator) return std::nullopt;
  }
  return options;
}

std::vector<KeptWay> kept_ways(const std::vector<TriedWay>& tried, const Plan& plan) {
  std::vector<KeptWay> out;
  for (const TriedWay& way : tried) {
    const auto planned =
        std::find_if(plan.ways.begin(), plan.ways.end(), [&](const PlannedWay& each) { return each.way == way.way; });
    out.push_back({static_cast<int>(planned - plan.ways.begin()), way.is_proved, way.is_best});
  }
  return out;
}

std::vector<TriedWay> ways_of(const std::vector<KeptWay>& kept, const Plan& plan) {
  std::vector<TriedWay> out;
  for (const KeptWay& way : kept)
    if (way.way >= 0 && way.way < static_cast<int>(plan.ways.size()))
      out.push_back({plan.ways[way.way].way, way.is_proved, way.is_best});
  return out;
}

Found found_again(const Workspace& workspace, const KeptAnswer& kept) {
  workspace.stand_at(kept.found_at, true);
  Found found = found_again(workspace, kept.answer);
  found.answer.motion = kept.motion;
  return found;
}

KeptEstimation kept(const Estimation& estimation) {
  return {.refinements = estimation.refinements,
          .best = {estimation.best.answer, estimation.best.answer.motion, estimation.found_at},
          .rule = estimation.rule,
          .others = estimation.others,
          .proved = estimation.proved,
          .tried = kept_ways(estimation.tried, estimation.plan),
          .is_credible = estimation.is_credible,
          .accounts = estimation.workspace->accounts()};
}

Estimation restored(const model::Problem& problem, const Options& options, const KeptEstimation& kept,
                    const Reused& reused, const StopFlag* stop) {
  Estimation out{.refinements = kept.refinements, .found_at = kept.best.found_at};
  out.workspace = std::make_unique<Workspace>(problem, refined(problem, options, kept.refinements).value_or(options),
                                              reused.compiled, reused.memory, stop, reused.helpers);
  out.plan = reused.plan ? *reused.plan : make_plan(*out.workspace, strategy(options.rules));
  out.best = found_again(*out.workspace, kept.best);
  out.rule = kept.rule;
  out.others = kept.others;
  out.proved = kept.proved;
  out.tried = ways_of(kept.tried, out.plan);
  out.is_credible = kept.is_credible;
  out.workspace->stand_at(kept.accounts);
  return out;
}

}  // namespace salvo::estimate
