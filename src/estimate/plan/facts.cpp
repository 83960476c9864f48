#include "estimate/plan/facts.hpp"

#include <algorithm>
#include <cmath>

#include "estimate/plan/method_choice.hpp"
#include "model/delays.hpp"

namespace salvo::estimate {
namespace {

// Whether the data show at least one state of every experiment, so that nodes can be laid on them: an observable of one
// state alone, measured several times.
bool reveals_states(const model::Problem& problem, const compile::CompiledModel& compiled, int several) {
  std::vector<int> shown(problem.experiments.size(), 0);
  std::vector<bool> measured(problem.experiments.size(), false);
  std::vector<bool> shows(compiled.observables.size(), false);
  for (std::size_t o = 0; o < shows.size(); ++o)
    shows[o] =
        std::count(compiled.observables[o].by_state.row.begin(), compiled.observables[o].by_state.row.end(), 0) == 1;
  for (const model::Measurement& m : problem.measurements) {
    measured[m.experiment] = true;
    shown[m.experiment] += shows[m.observable] ? 1 : 0;
  }
  for (std::size_t e = 0; e < shown.size(); ++e)
    if (measured[e] && shown[e] < several) return false;
  return true;
}

// Whether every state that formulas look back at is shown by data of every experiment.
bool reveals_past(const model::Problem& problem, const compile::CompiledModel& compiled, int several) {
  const std::vector<int> states = model::delayed_states(problem);
  std::vector<bool> measured(problem.experiments.size(), false);
  std::vector<std::vector<int>> shown(states.size(), std::vector<int>(problem.experiments.size(), 0));
  for (const model::Measurement& m : problem.measurements) {
    const compile::Pattern& by_state = compiled.observables[m.observable].by_state;
    measured[m.experiment] = true;
    if (std::count(by_state.row.begin(), by_state.row.end(), 0) != 1 || std::isinf(m.time)) continue;
    const auto at = std::find(by_state.row.begin(), by_state.row.end(), 0) - by_state.row.begin();
    for (std::size_t k = 0; k < states.size(); ++k) shown[k][m.experiment] += by_state.column[at] == states[k] ? 1 : 0;
  }
  for (std::size_t k = 0; k < states.size(); ++k)
    for (std::size_t e = 0; e < measured.size(); ++e)
      if (measured[e] && shown[k][e] < several) return false;
  return true;
}

bool is_everything_known(const model::Problem& problem) {
  const shooting::UnknownNames names = shooting::unknown_names(problem);
  return names.thetas() == 0 && std::all_of(names.initial.begin(), names.initial.end(),
                                            [](const std::vector<int>& states) { return states.empty(); });
}

}  // namespace

std::string_view to_string(Fact fact) {
  switch (fact) {
    case Fact::network: return "networks";
    case Fact::other_method: return "scalar or lagrangian asked for, or too many parameters for others";
    case Fact::constraints: return "constraints";
    case Fact::single: return "one interval asked for";
    case Fact::nodes_or_start: return "nodes or their values asked for";
    case Fact::nothing_estimated: return "nothing to estimate";
    case Fact::fields: return "fields";
    case Fact::delays: return "earlier values in formulas";
    case Fact::past_shown: return "data show the states that formulas look back at";
    case Fact::guess: return "a guess stated";
    case Fact::draw: return "a guess drawn";
    case Fact::shown: return "data show a state of every experiment";
    case Fact::moving: return "discontinuities move";
    case Fact::many_nodes: return "very many nodes";
  }
  return {};
}

std::vector<Fact> facts_of(const Workspace& workspace) {
  const model::Problem& problem = workspace.problem();
  const Options& options = workspace.options();
  const model::Method method = options.method.value_or(problem.settings.method);
  const model::Nodes wanted = options.nodes.value_or(problem.settings.nodes);
  const bool has_guess = !options.guess.empty();
  std::vector<Fact> facts;
  const auto add = [&](Fact fact, bool holds) {
    if (holds) facts.push_back(fact);
  };
  add(Fact::network, !problem.networks.empty());
  const bool is_dense = method == model::Method::gauss_newton || !problem.constraints.empty() ||
                        can_be_dense(problem, workspace.model(), workspace.rules().account);
  add(Fact::other_method, method != model::Method::automatic ? method != model::Method::gauss_newton : !is_dense);
  add(Fact::constraints, !problem.constraints.empty());
  add(Fact::single, std::holds_alternative<model::SingleInterval>(wanted));
  add(Fact::nodes_or_start, !std::holds_alternative<model::AutoNodes>(wanted) ||
                                options.start.value_or(problem.settings.start) != model::StartValues::automatic);
  add(Fact::nothing_estimated, is_everything_known(problem));
  add(Fact::fields, !problem.fields.empty());
  const bool looks_back = workspace.model().looks_back();
  add(Fact::delays, looks_back);
  add(Fact::past_shown, looks_back && reveals_past(problem, workspace.model(), workspace.rules().nodes.shown));
  add(Fact::guess, has_guess && options.guess_from == GuessFrom::user);
  add(Fact::draw, has_guess && options.guess_from == GuessFrom::draw);
  add(Fact::shown, reveals_states(problem, workspace.model(), workspace.rules().nodes.shown));
  const bool moving = moves_discontinuities(workspace.model());
  add(Fact::moving, moving);
  // These join nodes slowly, and a lag time is seen by few of them, while one trajectory for each experiment has few
  // unknowns.
  add(Fact::many_nodes, moving && method == model::Method::automatic &&
                            choose_method(workspace, wanted).method == model::Method::lagrangian);
  return facts;
}

bool moves_discontinuities(const compile::CompiledModel& model) {
  if (!model.discontinuities) return false;
  const auto& functions = model.discontinuities->functions;
  return std::any_of(functions.begin(), functions.end(),
                     [](const auto& function) { return !function.is_fixed() && function.equation.empty(); });
}

}  // namespace salvo::estimate
