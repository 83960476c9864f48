#include "uncertainty/profiles/prediction_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "model/on_cells.hpp"

namespace salvo::uncertainty {
namespace {

using model::NodeId;

// What stands for each name: its own symbol, or what was defined.
std::map<std::string, NodeId> meanings(model::Problem& problem) {
  std::map<std::string, NodeId> known{{"pi", problem.graph.constant(std::numbers::pi)},
                                      {"e", problem.graph.constant(std::numbers::e)}};
  for (const model::Observable& observable : problem.observables) known[observable.id] = observable.formula;
  for (const model::Definition& definition : problem.definitions) known[definition.id] = definition.formula;
  for (const model::Input& input : problem.inputs) known[input.id] = input.symbol;
  for (const model::Parameter& parameter : problem.parameters) known[parameter.id] = parameter.symbol;
  for (const model::State& state : problem.states) known[state.id] = state.symbol;
  for (const model::Field& field : problem.fields) known[field.id] = field.symbol;
  for (const model::Space& space : problem.space) known[space.id] = space.symbol;
  for (const char* name : {"t", "time"}) known.emplace(name, problem.time);
  return known;
}

bool is_overridden(const model::Problem& problem, int parameter) {
  return std::any_of(problem.experiments.begin(), problem.experiments.end(), [&](const auto& experiment) {
    return std::any_of(experiment.overrides.begin(), experiment.overrides.end(),
                       [&](const auto& entry) { return entry.first == parameter; });
  });
}

// The parameters among the symbols of a formula.
std::vector<int> parameters_of(const model::Problem& problem, NodeId formula) {
  const std::vector<NodeId> symbols = expression::symbols_of(problem.graph, {&formula, 1});
  std::vector<int> parameters;
  for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k)
    if (std::find(symbols.begin(), symbols.end(), problem.parameters[k].symbol) != symbols.end())
      parameters.push_back(k);
  return parameters;
}

bool changes_with_time(const model::Problem& problem, NodeId formula) {
  const std::vector<NodeId> symbols = expression::symbols_of(problem.graph, {&formula, 1});
  const auto is_among = [&](NodeId symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  return is_among(problem.time) ||
         std::any_of(problem.states.begin(), problem.states.end(), [&](const auto& s) { return is_among(s.symbol); }) ||
         std::any_of(problem.fields.begin(), problem.fields.end(), [&](const auto& f) { return is_among(f.symbol); }) ||
         std::any_of(problem.inputs.begin(), problem.inputs.end(), [&](const auto& in) { return is_among(in.symbol); });
}

bool depends_on_estimates(const model::Problem& problem, NodeId formula) {
  const std::vector<NodeId> symbols = expression::symbols_of(problem.graph, {&formula, 1});
  const auto is_used = [&](const auto& each) {
    return std::find(symbols.begin(), symbols.end(), each.symbol) != symbols.end();
  };
  if (std::any_of(problem.states.begin(), problem.states.end(), is_used)) return true;
  if (std::any_of(problem.fields.begin(), problem.fields.end(), is_used)) return true;
  const std::vector<int> parameters = parameters_of(problem, formula);
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](int k) { return problem.parameters[k].is_estimated() || is_overridden(problem, k); });
}

// Do all experiments give it the same value?
bool is_same_everywhere(const model::Problem& problem, const PredictionFormula& formula) {
  const std::vector<int> parameters = parameters_of(problem, formula.node);
  return !formula.changes_with_time &&
         std::none_of(parameters.begin(), parameters.end(), [&](int k) { return is_overridden(problem, k); });
}

// An initial value that nothing tells: it is estimated there alone, and nothing was measured there.
const model::State* untold_state(const model::Problem& problem, int experiment) {
  if (std::any_of(problem.measurements.begin(), problem.measurements.end(),
                  [&](const auto& measurement) { return measurement.experiment == experiment; }))
    return nullptr;
  const auto& initial = problem.experiments[experiment].initial;
  for (std::size_t k = 0; k < initial.size(); ++k)
    if (std::holds_alternative<model::Estimated>(initial[k])) return &problem.states[k];
  return nullptr;
}

Issues check_place(const model::Problem& problem, const PredictionWanted& wanted, const PredictionFormula& formula) {
  std::vector<std::string> ids;
  for (const model::Experiment& experiment : problem.experiments) ids.push_back(experiment.id);
  const bool is_named = std::find(ids.begin(), ids.end(), wanted.experiment) != ids.end();
  if (!wanted.experiment.empty() && !is_named)
    return {{.message = fmt::format("unknown experiment '{}'", wanted.experiment),
             .hint = hint_for_unknown(wanted.experiment, ids)}};
  if (!is_named && ids.size() > 1 && !is_same_everywhere(problem, formula))
    return {{.message = fmt::format("{}: the problem has several experiments", wanted.formula),
             .hint = "write experiment:observable@time"}};
  if (!wanted.time && formula.changes_with_time)
    return {{.message = fmt::format("{}: it changes with time, and no time is said", wanted.formula),
             .hint = fmt::format("as in {}@12,14", wanted.formula)}};
  const int experiment = experiment_of(problem, wanted);
  const double start = problem.experiments[experiment].start;
  if (wanted.time && *wanted.time < start)
    return {{.message = fmt::format("the time {:g} is before the start, {:g}", *wanted.time, start)}};
  if (const model::State* state = untold_state(problem, experiment); state != nullptr && is_named)
    return {{.message = fmt::format("nothing was measured in '{}' that would tell the initial value of {}",
                                    wanted.experiment, state->id),
             .hint = fmt::format("state it: initial: {{{}: ...}} in that experiment", state->id)}};
  return {};
}

}  // namespace

Result<PredictionFormula> read_prediction(model::Problem& problem, const std::string& text) {
  const auto parsed = expression::parse(problem.graph, text);
  if (const auto* error = std::get_if<expression::ParseError>(&parsed))
    return Issue{.message = fmt::format("{}: {}", text, error->message), .hint = error->hint};
  const auto& formula = std::get<expression::Formula>(parsed);
  const std::map<std::string, NodeId> known = meanings(problem);
  std::vector<std::string> names;
  for (const auto& entry : known)
    if (entry.first.find('[') == std::string::npos) names.push_back(entry.first);  // cells have names of their own
  Issues issues;
  std::vector<NodeId> from, to;
  for (const expression::NameUse& use : formula.names) {
    const auto meaning = known.find(use.name);
    if (meaning == known.end()) {
      issues.push_back(
          {.message = fmt::format("unknown name '{}'", use.name), .hint = hint_for_unknown(use.name, names)});
      continue;
    }
    from.push_back(problem.graph.symbol(use.name));
    to.push_back(meaning->second);
  }
  if (!issues.empty()) return issues;
  const NodeId node = expression::substitute(problem.graph, {&formula.node, 1}, from, to)[0];
  if (!depends_on_estimates(problem, node))
    return Issue{.message = fmt::format("{}: it depends on nothing that is estimated", text)};
  if (model::open_coordinates(problem, node) != 0)
    return Issue{.message = fmt::format("{}: it has another value at each place", text),
                 .hint = "write u(at: 3), mean(u, x) or integral(u, x)"};
  return PredictionFormula{.node = node, .changes_with_time = changes_with_time(problem, node)};
}

int experiment_of(const model::Problem& problem, const PredictionWanted& wanted) {
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
    if (problem.experiments[e].id == wanted.experiment) return e;
  // With data, so that asking adds nothing to what is estimated.
  return problem.measurements.empty() ? 0 : problem.measurements.front().experiment;
}

Issues check_prediction(const model::Problem& problem, const PredictionWanted& wanted) {
  model::Problem with_formula = problem;
  const Result<PredictionFormula> formula = read_prediction(with_formula, wanted.formula);
  if (!formula) return formula.issues();
  with_formula.observables.push_back({.id = wanted.formula, .formula = formula->node});
  if (const Issues issues = model::put_on_cells(with_formula); !issues.empty())
    return {{.message = issues.front().message}};
  return check_place(with_formula, wanted, *formula);
}

}  // namespace salvo::uncertainty
