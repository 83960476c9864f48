#include "estimate/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "estimate/plan/method_choice.hpp"
#include "estimate/ways/way.hpp"
#include "integrate/integrator.hpp"

namespace salvo::estimate {
namespace {

// What the user says explicitly is obeyed to the letter. A drawn guess is repaired but not matched, or many starts
// would become one; and the paper's method begins where the paper does.
start::Improvement allowed_improvement(const Options& options, const Discretisation& laid) {
  const GuessFrom from = options.guess.empty() ? GuessFrom::file : options.guess_from;
  if (std::holds_alternative<model::SingleInterval>(laid.nodes) || from == GuessFrom::user)
    return start::Improvement::none;
  if (from == GuessFrom::draw || laid.method == model::Method::scalar) return start::Improvement::repair;
  return start::Improvement::match;
}

// A constraint of states holds at nodes: these stay where the user can expect them, at the measured times.
bool holds_nodes(const compile::CompiledModel& compiled) {
  return std::any_of(compiled.constraints.begin(), compiled.constraints.end(),
                     [](const compile::ConstraintKernel& constraint) { return constraint.at_nodes; });
}

}  // namespace

Discretisation discretisation_for(const Way& way, const Workspace& workspace) {
  const Options& options = workspace.options();
  const model::Settings& settings = workspace.problem().settings;
  const AccountRules& account = workspace.rules().account;
  Discretisation laid{.method = options.method.value_or(settings.method),
                      .nodes = options.nodes.value_or(settings.nodes),
                      .start = options.start.value_or(settings.start)};
  if (way.is_unbroken) {
    laid.method = model::Method::gauss_newton;
    laid.nodes = model::SingleInterval{};
    if (laid.start == model::StartValues::automatic) laid.start = model::StartValues::simulate;
  }
  // What lies behind a node is the end of another trajectory, which is not what formulas look back at.
  if (workspace.model().looks_back()) laid.nodes = model::SingleInterval{};
  // Every node would be as many unknowns as there are cells.
  const bool has_fields = !workspace.problem().fields.empty();
  if (has_fields && std::holds_alternative<model::AutoNodes>(laid.nodes)) laid.nodes = model::SingleInterval{};
  if (laid.method == model::Method::automatic) {
    MethodChoice choice = choose_method(workspace, laid.nodes);
    laid.method = choice.method;
    laid.method_reason = std::move(choice.reason);
  }
  const bool by_blocks = laid.method == model::Method::gauss_newton;
  laid.improvement = allowed_improvement(options, laid);
  laid.adapts_nodes =
      by_blocks && std::holds_alternative<model::AutoNodes>(laid.nodes) && !holds_nodes(workspace.model());
  // Only the method that can tell when trajectories are joined knows when to be precise.
  const double rough = workspace.rules().solve.gauss_newton.rough;
  if (by_blocks && integrate::steps_saved(workspace.shooting_options().integrator, rough) > 1)
    laid.search_accuracy = rough;
  laid.iterations = options.max_iterations.value_or(laid.method == model::Method::scalar ? account.scalar_iterations
                                                                                         : account.iterations);
  return laid;
}

Plan make_plan(const Workspace& workspace, const Strategy& strategy) {
  const Options& options = workspace.options();
  const StrategyRow& row = row_for(strategy, facts_of(workspace));
  Plan plan{.situation = std::string(row.name),
            .iterations_are_stated = options.max_iterations.has_value(),
            .tolerance = options.tolerance};
  const bool is_a_word = !options.guess.empty() && options.guess_from == GuessFrom::user;
  // Of many starts the first is a fit of its own; what the drawn ones prove is what they have found.
  plan.pursues_misfit = options.guess.empty() || options.guess_from != GuessFrom::draw;
  // Many starts are their own remedy for doubt, and a guess of the user is his word against it, unless events may be
  // lost.
  plan.pursues_doubt = !(options.is_one_of_many || is_a_word) || moves_discontinuities(workspace.model());
  for (const StrategyStep& step : row.ways) {
    if (step.tried == Tried::if_proved && options.is_one_of_many) continue;
    const bool looks_from_answer = step.tried == Tried::if_flat || step.tried == Tried::if_proved;
    if (plan.iterations_are_stated && !plan.ways.empty() && !looks_from_answer) continue;
    plan.ways.push_back({.way = step.way,
                         .discretisation = discretisation_for(*step.way, workspace),
                         .until = step.until,
                         .most = step.most,
                         .rounds = step.rounds,
                         .tried = step.tried});
  }
  return plan;
}

std::string to_string(const Plan& plan) {
  std::string text = fmt::format("plan: {}\n", plan.situation);
  for (const PlannedWay& planned : plan.ways) {
    const Discretisation& laid = planned.discretisation;
    const std::string laid_on = std::visit(
        [](const auto& each) -> std::string {
          if constexpr (requires { each.name; }) return std::string(each.name);
          if constexpr (requires { each.intervals; }) return counted(each.intervals, "interval");
          return "as stated";
        },
        laid.nodes);
    text += fmt::format("  {}: {}, nodes {}, start {}, at most {}, until {:g} % of the account", planned.way->name,
                        model::to_string(laid.method), laid_on, model::to_string(laid.start),
                        counted(laid.iterations, "iteration"), 100 * planned.until);
    if (planned.most < 1) text += fmt::format(", {:g} % by itself", 100 * planned.most);
    if (planned.rounds > 1) text += fmt::format(", {} rounds", planned.rounds);
    text += '\n';
  }
  return text;
}

}  // namespace salvo::estimate
