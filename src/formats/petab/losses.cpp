#include "formats/petab/losses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "formats/petab/parameters.hpp"
#include "model/rest.hpp"

namespace salvo::formats::petab {
namespace {

using model::Distribution;

// Parameters and initial values that are estimated, by name.
std::vector<std::pair<std::string, const model::Estimated*>> estimated_in(const model::Problem& problem) {
  std::vector<std::pair<std::string, const model::Estimated*>> all;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* its = std::get_if<model::Estimated>(&parameter.value)) all.emplace_back(parameter.id, its);
  for (const model::Experiment& experiment : problem.experiments)
    for (std::size_t i = 0; i < experiment.initial.size(); ++i)
      if (const auto* its = std::get_if<model::Estimated>(&experiment.initial[i]))
        all.emplace_back(problem.states[i].id, its);
  return all;
}

// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

bool knows_known_times_only(const model::Problem& problem) {
  return std::all_of(problem.events.begin(), problem.events.end(), [&](const model::Event& event) {
    const auto* at = std::get_if<model::AtTimes>(&event.trigger);
    return at != nullptr && std::all_of(at->times.begin(), at->times.end(),
                                        [&](expression::NodeId time) { return problem.graph.is_constant(time); });
  });
}

// An initial assignment that uses time is both: its value at the start, and the history.
bool begins_as_it_was(const model::Problem& problem, std::size_t state) {
  const expression::NodeId history = problem.states[state].history;
  if (history == expression::no_node) return true;
  expression::Graph graph = problem.graph;
  return std::all_of(problem.experiments.begin(), problem.experiments.end(), [&](const model::Experiment& experiment) {
    const auto* initial = std::get_if<expression::NodeId>(&experiment.initial[state]);
    const expression::NodeId start = graph.constant(experiment.start);
    return initial != nullptr &&
           expression::substitute(graph, {&history, 1}, {&problem.time, 1}, {&start, 1})[0] == *initial;
  });
}

}  // namespace

Issues not_in_petab(const model::Problem& problem) {
  Issues issues;
  const auto refuse = [&](std::string feature) {
    issues.push_back({.kind = Issue::Kind::unsupported, .file = problem.file, .message = std::move(feature)});
  };
  std::vector<std::string> fields;
  for (const model::Field& field : problem.fields) fields.push_back(field.id);
  if (!fields.empty()) refuse(fmt::format("PEtab has no fields, and this problem has {}", listed(fields)));
  for (const model::Observable& observable : problem.observables)
    if (observable.distribution == Distribution::student_t || model::is_count(observable.distribution))
      refuse(fmt::format("PEtab has no noise of the law {}, which {} has", model::to_string(observable.distribution),
                         observable.id));
  const auto censored = std::count_if(problem.measurements.begin(), problem.measurements.end(),
                                      [](const model::Measurement& m) { return m.censored != model::Censored::no; });
  if (censored > 0)
    refuse(fmt::format("PEtab has no values below or above a limit, of which there {} {}", censored == 1 ? "is" : "are",
                       censored));
  const auto before = std::count_if(problem.measurements.begin(), problem.measurements.end(),
                                    [](const model::Measurement& m) { return m.before_events; });
  if (before > 0)
    refuse(fmt::format("PEtab has no measurements before the events of the same time, of which there {} {}",
                       before == 1 ? "is" : "are", before));
  for (std::size_t i = 0; i < problem.states.size(); ++i)
    if (!begins_as_it_was(problem, i))
      refuse(fmt::format("SBML begins where the history ends, but {} begins with another value", problem.states[i].id));
  if (model::has_rest(problem) && !knows_known_times_only(problem))
    refuse(
        "PEtab lets events act while an experiment comes to rest (equilibrate); only events at given times can wait");
  return issues;
}

std::vector<std::string> left_out_in_petab(const model::Problem& problem) {
  std::vector<std::string> lost;
  for (const model::Constraint& constraint : problem.constraints)
    lost.push_back(fmt::format("the constraint {}", constraint.text));
  if (!problem.validation.empty())
    lost.push_back(counted(static_cast<long>(problem.validation.size()), "measurement") + " for validation");
  for (const model::Derived& derived : problem.derived)
    lost.push_back(fmt::format("the derived quantity {}", derived.id));
  if (std::any_of(problem.experiments.begin(), problem.experiments.end(),
                  [](const model::Experiment& experiment) { return !experiment.predicted_at.empty(); }))
    lost.push_back("the times at which something is to be predicted");
  if (problem.design) lost.push_back("what 'design' says");
  std::vector<std::string> scales, priors, starts;
  for (const auto& [id, estimated] : estimated_in(problem)) {
    if (estimated->scale != scale_between(estimated->lower, estimated->upper)) scales.push_back(id);
    if (!is_prior_of_petab(*estimated)) priors.push_back(id);
    if (estimated->start) starts.push_back(id);
  }
  if (!scales.empty()) lost.push_back(fmt::format("the scale of {} (PEtab 2 has none)", listed(scales)));
  if (!priors.empty())
    lost.push_back(
        fmt::format("the prior of {}, which is on a scale (PEtab 2 has priors of the value)", listed(priors)));
  if (!starts.empty()) lost.push_back(fmt::format("the laws from which starts of {} are drawn", listed(starts)));
  const model::Settings& settings = problem.settings;
  if (!std::holds_alternative<model::AutoNodes>(settings.nodes) || settings.start != model::StartValues::automatic)
    lost.push_back("what 'shooting' says");
  if (settings.method != model::Method::automatic) lost.push_back("the method");
  if (settings.integrator != model::Integrator(model::AutoIntegrator{})) lost.push_back("the integrator");
  const auto parameters = estimated_in(problem);
  const bool has_units = !problem.time_axis.unit.empty() ||
                         std::any_of(parameters.begin(), parameters.end(),
                                     [](const auto& named) { return !named.second->axis.unit.empty(); }) ||
                         std::any_of(problem.observables.begin(), problem.observables.end(),
                                     [](const model::Observable& observable) { return !observable.axis.unit.empty(); });
  if (has_units) lost.push_back("units");
  return lost;
}

bool is_prior_of_petab(const model::Estimated& estimated) {
  return !estimated.prior || !estimated.prior->on_scale || estimated.scale == model::Scale::lin;
}

}  // namespace salvo::formats::petab
