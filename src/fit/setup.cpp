#include "fit/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/contract.hpp"
#include "base/words.hpp"
#include "fit/adapt_nodes.hpp"
#include "fit/method_choice.hpp"
#include "fit/names.hpp"
#include "fit/validation.hpp"
#include "integrate/integrator.hpp"
#include "shooting/start.hpp"
#include "solve/gauss_newton.hpp"
#include "solve/lagrangian.hpp"
#include "solve/scalar_sqp.hpp"

namespace salvo::fit {
namespace {

constexpr int default_iterations = 200;
constexpr int default_scalar_iterations = 500;
constexpr double rough = 1e-5;  // relative tolerance of a search
constexpr double last_smoothing = 1e-5;  // of a noise law with a corner, in sigmas

// What the user says explicitly is obeyed to the letter. A drawn guess is repaired but not matched, or many starts
// would become one; and the paper's method begins where the paper does.
shooting::Improvement allowed_improvement(const Options& options, const model::Settings& settings,
                                          model::Method method) {
  const bool single = std::holds_alternative<model::SingleInterval>(options.nodes.value_or(settings.nodes));
  const GuessFrom from = options.guess.empty() ? GuessFrom::file : options.guess_from;
  if (single || from == GuessFrom::user) return shooting::Improvement::none;
  if (from == GuessFrom::draw || method == model::Method::scalar) return shooting::Improvement::repair;
  return shooting::Improvement::match;
}

// Only the method that asks to be told when trajectories are joined can be told so.
double roughness_of_search(const Setup& setup) { return setup.method == model::Method::gauss_newton ? rough : 0; }
bool is_rough(const Setup& setup) { return setup.shooting->options().roughness > 0; }

// The paper minimises the plain sum of squares: chi2 times the harmonic mean of the sigma^2.
double scalar_objective_scale(const Setup& setup) {
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!setup.shooting->predict(setup.start, predicted).ok || predicted.empty()) return 1;
  double sum = 0;
  for (const auto& p : predicted) sum += 1 / (p.sigma * p.sigma);
  return 2 * static_cast<double>(predicted.size()) / sum;  // the objective is half of chi2
}

solve::SolveResult run_method(const Setup& setup, const nlp::Point& start, const solve::SolveOptions& options,
                              double scale, const RunContext& context, nlp::Blocks at_start) {
  if (setup.method == model::Method::scalar) return solve::scalar_sqp(*setup.shooting, start, scale, options, context);
  if (setup.method == model::Method::lagrangian) return solve::lagrangian(*setup.shooting, start, options, context);
  return solve::gauss_newton(*setup.shooting, start, options, context, std::move(at_start));
}

solve::SolveResult run_once(Setup& setup, const nlp::Point& start, const solve::SolveOptions& options, double scale,
                            const RunContext& context, nlp::Blocks at_start) {
  solve::SolveResult result = run_method(setup, start, options, scale, context, std::move(at_start));
  result.film.set_grid(static_cast<int>(setup.grids_seen.size()));
  setup.grids_seen.push_back(setup.shooting->grids());
  return result;
}

// A constraint of states holds at nodes: these stay where the user can expect them, at the measured times.
bool holds_nodes(const compile::CompiledModel& compiled) {
  return std::any_of(compiled.constraints.begin(), compiled.constraints.end(),
                     [](const compile::ConstraintKernel& constraint) { return constraint.at_nodes; });
}

// Goes on with the run of `total`: its iterations count on.
void append(solve::SolveResult& total, solve::SolveResult next) {
  for (solve::Iteration& iteration : next.trace) {
    if (!total.trace.empty() && iteration.iteration == 0) continue;
    iteration.iteration += total.iterations;
    total.trace.push_back(std::move(iteration));
  }
  total.film.append(std::move(next.film), total.iterations);
  next.film = std::move(total.film);
  next.iterations += total.iterations;
  next.trace = std::move(total.trace);
  total = std::move(next);
}

// The same problem on other nodes; q goes along.
void lay_on(Setup& setup, std::vector<shooting::Grid> grids, nlp::Point& q) {
  auto next = setup.shooting->on(std::move(grids));
  q = shooting::carried_over(*setup.shooting, q, *next);
  setup.work_before += setup.shooting->work();
  if (!setup.before) setup.before = std::move(setup.shooting);
  setup.shooting = std::move(next);
}

// Nodes on which it is worth going on after a run has ended; none: it is not.
std::optional<std::vector<shooting::Grid>> better_nodes(const Setup& setup, const solve::SolveResult& result) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const bool joined = result.termination == solve::Termination::joined;
  const bool failed = result.termination == solve::Termination::infeasible ||
                      result.termination == solve::Termination::stalled ||
                      result.termination == solve::Termination::numerical_failure;
  if ((!joined && !failed) || !result.conflict.empty()) return std::nullopt;
  if (failed && result.link >= 0) return shooting::halved(shooting.grids(), result.chain, result.link);
  if (joined) {
    std::vector<shooting::Grid> fewer =
        merged_where_tame(shooting, result.q, result.linearized, enough_for_all_lanes(shooting));
    return is_worth_merging(shooting, fewer) ? fewer : shooting.grids();
  }
  nlp::Blocks blocks;
  if (!shooting.linearize(result.q, blocks).ok) return std::nullopt;
  std::vector<shooting::Grid> finer = split_where_it_stretches(shooting, result.q, blocks);
  if (count_nodes(finer) == count_nodes(shooting.grids())) return std::nullopt;
  return finer;
}

// How a run goes on after its rough part has ended: with full precision, on fewer nodes if it ended because the
// trajectories are joined.
std::optional<std::vector<shooting::Grid>> nodes_of_next(const Setup& setup, const solve::SolveResult& result) {
  const bool joined = result.termination == solve::Termination::joined;
  if (is_rough(setup) && !(joined && setup.adapts_nodes)) return setup.shooting->grids();
  return setup.adapts_nodes ? better_nodes(setup, result) : std::nullopt;
}

// Far from the solution nobody needs trajectories to eight digits: the search is rough until they are nearly joined.
solve::SolveResult run_adapting(Setup& setup, const nlp::Point& start, solve::SolveOptions options, double scale,
                                const RunContext& context, nlp::Blocks at_start) {
  constexpr int most_changes = 10;
  const bool merges = setup.adapts_nodes && may_merge(*setup.shooting);
  const int allowed = options.max_iterations;
  const std::string known_stiffness = setup.shooting->stiffness_in_words();
  options.stop_when_joined = merges || is_rough(setup);
  solve::SolveResult total = run_once(setup, start, options, scale, context, std::move(at_start));
  for (int change = 0; change < most_changes && !context.should_stop(); ++change) {
    auto grids = nodes_of_next(setup, total);
    if (!grids) break;
    options.stop_when_joined = merges && total.termination != solve::Termination::joined;
    options.max_iterations = allowed - total.iterations;
    const int before = count_nodes(setup.shooting->grids());
    if (is_rough(setup)) {
      setup.shooting->set_roughness(0);
      total.linearized = {};
    }
    if (const int after = count_nodes(*grids); after != before) {
      context.tell(Remark{after < before
                              ? fmt::format("the trajectories are nearly joined: {} are enough", counted(after, "node"))
                              : fmt::format("{}; tried with {}", total.trouble, counted(after, "node"))});
      lay_on(setup, std::move(*grids), total.q);
      total.linearized = {};
    }
    nlp::Point q = total.q;
    nlp::Blocks at_q = std::move(total.linearized);
    append(total, run_once(setup, q, options, scale, context, std::move(at_q)));
  }
  if (const std::string& stiff = setup.shooting->stiffness_in_words(); stiff != known_stiffness)
    context.tell(Remark{fmt::format("{}: {} from here on", stiff, choices_of(setup).integrator)});
  if (const std::string code = setup.shooting->code_in_words(); !code.empty()) context.tell(Remark{code});
  return total;
}

}  // namespace

bool has_corner(const model::Problem& problem) {
  const auto prior_has = [](const model::Estimated& estimated) {
    return estimated.prior && model::has_corner(estimated.prior->distribution);
  };
  for (const auto& observable : problem.observables)
    if (model::has_corner(observable.distribution)) return true;
  for (const auto& parameter : problem.parameters)
    if (parameter.is_estimated() && prior_has(std::get<model::Estimated>(parameter.value))) return true;
  for (const auto& experiment : problem.experiments)
    for (const auto& initial : experiment.initial)
      if (const auto* estimated = std::get_if<model::Estimated>(&initial);
          estimated != nullptr && prior_has(*estimated))
        return true;
  return false;
}

Setup make_setup(const model::Problem& problem, const Options& options,
                 std::shared_ptr<const compile::CompiledModel> compiled, std::shared_ptr<shooting::Buffers> buffers) {
  Setup setup;
  setup.problem = std::make_unique<model::Problem>(problem);
  set_guesses(*setup.problem, options.guess);
  if (!compiled) compiled = compile::compile(*setup.problem);

  const model::Settings& settings = setup.problem->settings;
  setup.method = options.method.value_or(settings.method);
  const model::Nodes nodes = options.nodes.value_or(settings.nodes);
  if (setup.method == model::Method::automatic) {
    int intervals = 0;
    for (const shooting::Grid& grid : shooting::make_grids(*setup.problem, nodes)) intervals += grid.intervals();
    MethodChoice choice = choose_method(*setup.problem, *compiled, intervals);
    setup.method = choice.method;
    setup.method_reason = std::move(choice.reason);
  }
  setup.solve.max_iterations = options.max_iterations.value_or(
      setup.method == model::Method::scalar ? default_scalar_iterations : default_iterations);
  setup.solve.tolerance = options.tolerance;

  const shooting::ShootingOptions shooting_options{
      .integrator = options.integrator.value_or(settings.integrator),
      .derivatives = options.derivatives.value_or(model::Derivatives::automatic),
      .threads = options.threads,
      .roughness = roughness_of_search(setup),
      .memory = options.memory.value_or(0),
      .alike = options.alike,
      .buffers = std::move(buffers)};
  const model::StartValues choice = options.start.value_or(settings.start);
  const shooting::Improvement improvement = allowed_improvement(options, settings, setup.method);
  setup.adapts_nodes = std::holds_alternative<model::AutoNodes>(nodes) && setup.method == model::Method::gauss_newton &&
                       !holds_nodes(*compiled);
  shooting::Start start;
  if (setup.adapts_nodes) {
    AdaptedStart adapted = adapted_start(*setup.problem, compiled, shooting_options, choice, improvement);
    setup.shooting = std::move(adapted.shooting);
    setup.work_before = adapted.work;
    setup.nodes_reason = std::move(adapted.reason);
    start = std::move(adapted.start);
    setup.at_start = std::move(adapted.at_start);
  } else {
    setup.shooting = std::make_unique<shooting::ShootingProblem>(
        *setup.problem, compiled, shooting::make_grids(*setup.problem, nodes), shooting_options);
    start = shooting::start_point(*setup.shooting, choice, improvement);
  }
  setup.shooting->set_roughness(0);
  setup.compiled = std::move(compiled);
  if (is_judged(*setup.shooting))
    setup.solve.judge = [shooting = setup.shooting.get()](const nlp::Point& q) {
      return judge_by_validation(*shooting, q);
    };
  setup.start = std::move(start.q);
  setup.start_choice = std::move(start.choice);
  if (!start.remark.empty()) setup.problem->remarks.push_back(std::move(start.remark));
  return setup;
}

const shooting::ShootingProblem& start_problem(const Setup& setup) {
  return setup.before ? *setup.before : *setup.shooting;
}

shooting::WorkCount work_of(const Setup& setup) {
  shooting::WorkCount work = setup.work_before;
  work += setup.shooting->work();
  return work;
}

Choices choices_of(const Setup& setup) {
  Choices choices;
  choices.method = std::string(model::to_string(setup.method));
  // The other methods need gradients of scalars, and those are always made by adjoints.
  const auto derivatives =
      setup.method == model::Method::gauss_newton ? setup.shooting->derivatives_in_use() : model::Derivatives::adjoint;
  choices.derivatives = std::string(model::to_string(derivatives));
  choices.integrator = std::string(integrate::name_in_use(setup.shooting->options().integrator));
  choices.nodes = count_nodes(setup.shooting->grids());
  return choices;
}

solve::SolveResult run_solver(Setup& setup, const RunContext& context) {
  const Choices choices = choices_of(setup);
  const auto because = [](const std::string& reason) { return reason.empty() ? "" : " (" + reason + ")"; };
  const bool by_blocks = setup.method == model::Method::gauss_newton;
  context.tell(Remark{fmt::format("method {}{}, derivatives by {}{}, integrator {}, {}{}", choices.method,
                                  because(setup.method_reason), choices.derivatives,
                                  because(by_blocks ? setup.shooting->why_derivatives() : ""),
                                  choices.integrator + because(setup.shooting->stiffness_in_words()),
                                  counted(choices.nodes, "node"), because(setup.nodes_reason))});
  if (!setup.start_choice.empty()) context.tell(Remark{"start: " + setup.start_choice});
  SALVO_EXPECTS(setup.problem->constraints.empty() || setup.method == model::Method::gauss_newton);
  const double scale = setup.method == model::Method::scalar ? scalar_objective_scale(setup) : 1;
  nlp::Blocks at_start = std::exchange(setup.at_start, {});
  setup.shooting->set_roughness(roughness_of_search(setup));
  if (!has_corner(*setup.problem))
    return run_adapting(setup, setup.start, setup.solve, scale, context, std::move(at_start));

  // |u| is rounded to sqrt(u^2 + eps^2); each eps starts where the one before ended.
  solve::SolveResult total;
  nlp::Point q = setup.start;
  for (const double smoothing : {1.0, 0.1, 1e-2, 1e-3, 1e-4, last_smoothing}) {
    setup.shooting->set_smoothing(smoothing);
    solve::SolveOptions options = setup.solve;
    if (smoothing > last_smoothing) options.tolerance = std::max(options.tolerance, 1e-3 * smoothing);
    append(total, run_adapting(setup, q, options, scale, context, {}));
    q = total.q;
    if (total.termination != solve::Termination::converged) break;
  }
  return total;
}

}  // namespace salvo::fit
