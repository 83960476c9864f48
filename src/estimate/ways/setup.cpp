#include "estimate/ways/setup.hpp"

#include <algorithm>
#include <utility>

#include "estimate/validation.hpp"
#include "estimate/ways/adapt_nodes.hpp"
#include "estimate/ways/way.hpp"
#include "integrate/integrator.hpp"
#include "model/prior.hpp"
#include "start/start.hpp"

namespace salvo::estimate {

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

solve::SolveOptions solve_options(const Workspace& workspace) {
  const Options& options = workspace.options();
  return {.rules = workspace.rules().solve,
          .max_iterations = options.max_iterations.value_or(workspace.rules().account.iterations),
          .tolerance = options.tolerance,
          .memories = workspace.memories()};
}

Setup make_setup(const Workspace& workspace, const Discretisation& laid) {
  Setup setup{.workspace = &workspace, .laid = laid};
  setup.solve = solve_options(workspace);
  setup.solve.max_iterations = laid.iterations;
  start::Start start;
  if (laid.adapts_nodes) {
    AdaptedStart adapted = adapted_start(workspace, laid);
    setup.shooting = std::move(adapted.shooting);
    setup.nodes_reason = std::move(adapted.reason);
    start = std::move(adapted.start);
    setup.at_start = std::move(adapted.at_start);
    setup.solve.request.stiff = adapted.is_stiff;
  } else {
    setup.shooting = workspace.on(shooting::make_grids(workspace.problem(), laid.nodes));
    start = start::start_point(*setup.shooting, laid.start, laid.improvement, {.accuracy = laid.search_accuracy}, false,
                               workspace.rules().start);
  }
  if (is_judged(*setup.shooting, laid.method))
    setup.solve.judge = [shooting = setup.shooting.get()](const nlp::Point& q) {
      return judge_by_validation(*shooting, q);
    };
  setup.start = std::move(start.q);
  setup.start_choice = std::move(start.choice);
  if (!start.remark.empty()) setup.remarks.push_back(std::move(start.remark));
  setup.beginning = {setup.shooting->grids(), setup.start};
  return setup;
}

Setup make_setup(const Workspace& workspace) { return make_setup(workspace, discretisation_for(nodes, workspace)); }

Setup on_same_nodes(const Setup& setup) {
  Setup other{.workspace = setup.workspace,
              .laid = setup.laid,
              .shooting = setup.shooting->on(setup.shooting->grids()),
              .start = setup.start,
              .beginning = setup.beginning};
  other.solve = setup.solve;
  return other;
}

Choices choices_of(const Setup& setup) {
  // The other methods need gradients of scalars, and those are always made by adjoints.
  const bool by_blocks = setup.laid.method == model::Method::gauss_newton;
  const model::Integrator& integrator = setup.shooting->options().integrator;
  const bool is_stiff = setup.solve.request.stiff || !setup.shooting->problem().fields.empty();
  return {.method = setup.laid.method,
          .derivatives = by_blocks ? setup.shooting->derivatives_in_use() : model::Derivatives::adjoint,
          .integrator = std::string(integrate::name_in_use(is_stiff ? integrate::for_stiff(integrator) : integrator)),
          .nodes = count_nodes(setup.shooting->grids())};
}

}  // namespace salvo::estimate
