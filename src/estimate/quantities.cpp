#include "estimate/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/words.hpp"
#include "estimate/options.hpp"
#include "model/faults.hpp"

namespace salvo::estimate {

std::string initial_id(const model::Problem& problem, int experiment, int state) {
  const std::string& id = problem.states[state].id;
  const auto others = std::count_if(problem.experiments.begin(), problem.experiments.end(),
                                    [](const model::Experiment& each) { return each.initial_of < 0; });
  return others > 1 ? problem.experiments[experiment].id + ":" + id : id;
}

std::vector<Quantity> quantities(const shooting::ShootingProblem& shooting) {
  const model::Problem& problem = shooting.problem();
  const shooting::UnknownNames& names = shooting.names();
  std::vector<Quantity> out;
  const auto add_initial = [&](int experiment, int state, int unknown) {
    out.push_back({.id = initial_id(problem, experiment, state),
                   .name = problem.states[state].id,
                   .experiment = problem.experiments[experiment].id,
                   .estimated = &std::get<model::Estimated>(problem.experiments[experiment].initial[state]),
                   .unknown = unknown,
                   .state = state});
  };
  out.reserve(shooting.layout().thetas + shooting.grids().size() * problem.states.size());
  for (int k = 0; k < static_cast<int>(names.parameter.size()); ++k) {
    const model::Parameter& parameter = problem.parameters[names.parameter[k]];
    out.push_back({.id = parameter.id,
                   .name = parameter.id,
                   .estimated = &std::get<model::Estimated>(parameter.value),
                   .unknown = k});
  }
  for (std::size_t k = 0; k < names.bounded_initial.size(); ++k)
    add_initial(names.bounded_initial[k].experiment, names.bounded_initial[k].state,
                static_cast<int>(names.parameter.size() + k));
  for (std::size_t c = 0; c < shooting.grids().size(); ++c) {
    const int experiment = shooting.grids()[c].experiment;
    const std::vector<int>& free = names.initial[experiment];
    for (std::size_t i = 0; i < free.size(); ++i)
      add_initial(experiment, free[i], shooting.layout().chains[c].offset[0] + static_cast<int>(i));
  }
  return out;
}

namespace {

// What each name of a problem stands for; made once for many lookups.
class NameIndex {
 public:
  explicit NameIndex(const model::Problem& problem) {
    for (std::size_t k = 0; k < problem.parameters.size(); ++k) parameters_.emplace(problem.parameters[k].id, k);
    for (std::size_t i = 0; i < problem.states.size(); ++i) states_.emplace(problem.states[i].id, i);
  }

  // Calls `use` for whatever the name stands for; false if it stands for nothing.
  bool visit(model::Problem& problem, const std::string& name,
             const std::function<void(model::Parameter&)>& use_parameter,
             const std::function<void(model::Initial&)>& use_initial) const {
    if (const auto found = parameters_.find(name); found != parameters_.end()) {
      use_parameter(problem.parameters[found->second]);
      return true;
    }
    const std::size_t colon = name.find(':');
    const std::string experiment = colon == std::string::npos ? "" : name.substr(0, colon);
    const auto state = states_.find(colon == std::string::npos ? name : name.substr(colon + 1));
    bool found = false;
    for (model::Experiment& e : problem.experiments) {
      const std::string& owner = e.initial_of >= 0 ? problem.experiments[e.initial_of].id : e.id;
      if (state == states_.end() || (!experiment.empty() && owner != experiment)) continue;
      use_initial(e.initial[state->second]);
      found = true;
    }
    return found;
  }

 private:
  std::unordered_map<std::string, std::size_t> parameters_;
  std::unordered_map<std::string, std::size_t> states_;
};

Issue unknown(const model::Problem& problem, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& parameter : problem.parameters) known.push_back(parameter.id);
  for (const auto& state : problem.states) known.push_back(state.id);
  return {.kind = Issue::Kind::unreadable,
          .file = problem.file,
          .message = fmt::format("the problem has no parameter or initial value '{}'", name),
          .hint = hint_for_unknown(name, known)};
}

}  // namespace

std::set<std::string> unknown_names(const model::Problem& problem, const std::map<std::string, double>& values) {
  std::set<std::string> out;
  const NameIndex names(problem);
  model::Problem& lookup = const_cast<model::Problem&>(problem);  // nothing is changed: both callbacks are empty
  for (const auto& [name, value] : values)
    if (!names.visit(
            lookup, name, [](auto&) {}, [](auto&) {}))
      out.insert(name);
  return out;
}

Issues check_names(const model::Problem& problem, const std::map<std::string, double>& values) {
  Issues issues;
  for (const std::string& name : unknown_names(problem, values)) issues.push_back(unknown(problem, name));
  return issues;
}

Issues fix_values(model::Problem& problem, const std::vector<std::pair<std::string, double>>& values) {
  Issues issues;
  const NameIndex names(problem);
  for (const auto& entry : values) {
    const double value = entry.second;
    const bool found = names.visit(
        problem, entry.first, [value](model::Parameter& parameter) { parameter.value = value; },
        [&problem, value](model::Initial& initial) { initial = problem.graph.constant(value); });
    if (!found) issues.push_back(unknown(problem, entry.first));
  }
  return issues;
}

std::string why_not(const model::Problem& problem, const std::map<std::string, double>& values) {
  Issues issues = model::faults(problem);
  if (issues.empty()) issues = check_names(problem, values);
  std::string text;
  for (const Issue& issue : issues) text += (text.empty() ? "" : "; ") + issue.message;
  return issues.empty() ? text : "Nothing can be computed from this problem: " + text + ".";
}

void set_guesses(model::Problem& problem, const std::map<std::string, double>& values) {
  if (values.empty()) return;
  const NameIndex names(problem);
  for (const auto& entry : values) {
    const double value = entry.second;
    const auto set = [value](auto& content) {
      if (auto* estimated = std::get_if<model::Estimated>(&content)) estimated->guess = value;
    };
    names.visit(
        problem, entry.first,
        [&](model::Parameter& parameter) {
          if (parameter.is_estimated())
            set(parameter.value);
          else
            parameter.value = value;
        },
        [&](model::Initial& initial) { set(initial); });
  }
}

}  // namespace salvo::estimate
