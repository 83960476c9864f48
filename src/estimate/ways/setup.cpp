#include "estimate/ways/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "estimate/ways/adapt_nodes.hpp"
#include "estimate/plan/method_choice.hpp"
#include "estimate/quantities.hpp"
#include "estimate/validation.hpp"
#include "integrate/integrator.hpp"
#include "model/prior.hpp"
#include "start/start.hpp"

namespace salvo::estimate {
namespace {

constexpr int default_iterations = 200;
constexpr int default_scalar_iterations = 500;
constexpr double rough = 1e-5;

// What the user says explicitly is obeyed to the letter. A drawn guess is repaired but not matched, or many starts
// would become one; and the paper's method begins where the paper does.
start::Improvement allowed_improvement(const Options& options, const model::Settings& settings, model::Method method) {
  const bool single = std::holds_alternative<model::SingleInterval>(options.nodes.value_or(settings.nodes));
  const GuessFrom from = options.guess.empty() ? GuessFrom::file : options.guess_from;
  if (single || from == GuessFrom::user) return start::Improvement::none;
  if (from == GuessFrom::draw || method == model::Method::scalar) return start::Improvement::repair;
  return start::Improvement::match;
}

// A constraint of states holds at nodes: these stay where the user can expect them, at the measured times.
bool holds_nodes(const compile::CompiledModel& compiled) {
  return std::any_of(compiled.constraints.begin(), compiled.constraints.end(),
                     [](const compile::ConstraintKernel& constraint) { return constraint.at_nodes; });
}

}  // namespace

bool has_corner(const model::Problem& problem) {
  const auto prior_has = [](const model::Estimated& estimated) {
    return estimated.prior && model::has_corner(estimated.prior->law);
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
                 std::shared_ptr<const compile::CompiledModel> compiled, std::shared_ptr<shooting::Buffers> buffers,
                 const StopFlag* stop) {
  Setup setup;
  if (!options.guess.empty()) {
    auto guessed = std::make_unique<model::Problem>(problem);
    set_guesses(*guessed, options.guess);
    setup.guessed = std::move(guessed);
  }
  setup.problem = setup.guessed ? setup.guessed.get() : &problem;
  setup.remarks = problem.remarks;
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
  setup.iterations_are_stated = options.max_iterations.has_value();
  setup.solve.max_iterations = options.max_iterations.value_or(
      setup.method == model::Method::scalar ? default_scalar_iterations : default_iterations);
  setup.solve.tolerance = options.tolerance;

  const model::Integrator integrator = options.integrator.value_or(settings.integrator);
  // Only the method that can tell when trajectories are joined knows when to be precise.
  if (setup.method == model::Method::gauss_newton && integrate::steps_saved(integrator, rough) > 1)
    setup.search_rtol = rough;
  const shooting::ShootingOptions shooting_options{
      .integrator = integrator,
      .derivatives = options.derivatives.value_or(model::Derivatives::automatic),
      .engine = {.threads = options.threads,
                 .memory = options.memory.value_or(0),
                 .expected_reuse = options.alike,
                 .buffers = std::move(buffers),
                 .stop = stop}};
  const model::StartValues choice = options.start.value_or(settings.start);
  const start::Improvement improvement = allowed_improvement(options, settings, setup.method);
  setup.adapts_nodes = std::holds_alternative<model::AutoNodes>(nodes) && setup.method == model::Method::gauss_newton &&
                       !holds_nodes(*compiled);
  start::Start start;
  if (setup.adapts_nodes) {
    AdaptedStart adapted =
        adapted_start(*setup.problem, compiled, shooting_options, choice, improvement, setup.search_rtol);
    setup.shooting = std::move(adapted.shooting);
    setup.nodes_reason = std::move(adapted.reason);
    start = std::move(adapted.start);
    setup.at_start = std::move(adapted.at_start);
    setup.solve.request.stiff = adapted.is_stiff;
  } else {
    setup.shooting = std::make_unique<shooting::ShootingProblem>(
        *setup.problem, compiled, shooting::make_grids(*setup.problem, nodes), shooting_options);
    start = start::start_point(*setup.shooting, choice, improvement, {.accuracy = setup.search_rtol});
  }
  setup.compiled = std::move(compiled);
  if (is_judged(*setup.shooting, setup.method))
    setup.solve.judge = [shooting = setup.shooting.get()](const nlp::Point& q) {
      return judge_by_validation(*shooting, q);
    };
  setup.start = std::move(start.q);
  setup.start_choice = std::move(start.choice);
  if (!start.remark.empty()) setup.remarks.push_back(std::move(start.remark));
  return setup;
}

const shooting::ShootingProblem& start_problem(const Setup& setup) {
  return setup.before ? *setup.before : *setup.shooting;
}

shooting::WorkCount work_of(const Setup& setup) { return setup.shooting->work(); }

double operations_of(const Setup& setup) {
  return static_cast<double>(work_of(setup).rhs) * setup.shooting->model().rhs.instruction_count();
}

Choices choices_of(const Setup& setup) {
  Choices choices;
  choices.method = setup.method;
  // The other methods need gradients of scalars, and those are always made by adjoints.
  const auto derivatives =
      setup.method == model::Method::gauss_newton ? setup.shooting->derivatives_in_use() : model::Derivatives::adjoint;
  choices.derivatives = derivatives;
  const model::Integrator& integrator = setup.shooting->options().integrator;
  choices.integrator =
      std::string(integrate::name_in_use(setup.solve.request.stiff ? integrate::for_stiff(integrator) : integrator));
  choices.nodes = count_nodes(setup.shooting->grids());
  return choices;
}

}  // namespace salvo::estimate
