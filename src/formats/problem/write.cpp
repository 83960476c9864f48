#include "formats/problem/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"
#include "formats/fresh_names.hpp"
#include "formats/problem/plain_events.hpp"
#include "formats/problem/write_estimated.hpp"
#include "formats/yaml/write.hpp"

namespace salvo::formats {
namespace {

using expression::no_node;
using expression::NodeId;
using model::Experiment;
using yaml::Value;

bool is_allowed(const std::string& name) {
  return expression::is_name(name) && !expression::is_reserved(name) && name != "t" && name != "time";
}

// Where events stand in the file; those of one time act in its order.
enum class EventsPlace { after_experiments, within_experiments };

class ProblemWriter {
 public:
  ProblemWriter(const model::Problem& problem, const std::string& stem)
      : problem_(problem), graph_(problem_.graph), stem_(stem) {
    make_events_plain(problem_, lost_);
    for (const Experiment& experiment : problem_.experiments)
      if (experiment.initial_of >= 0)
        lost_.push_back(
            fmt::format("{} is the steady state that is reached from initial values, not from where '{}' begins",
                        experiment.id, problem_.experiments[static_cast<std::size_t>(experiment.initial_of)].id));
    find_used();
    name_all();
    place_events();
  }

  Written write() {
    Value root = Value::map();
    root.add("title", Value::of(problem_.title));
    if (shared_start_) root.add("start", Value::of(number_text(problem_.experiments[0].start)));
    root.add("equations", equations());
    if (Value section = equations_of(true); !section.is_empty()) root.add("algebraic", std::move(section));
    root.add("initial", initial());
    if (Value section = history(); !section.is_empty()) root.add("history", std::move(section));
    root.add("parameters", parameters());
    if (Value section = definitions(); !section.is_empty()) root.add("definitions", std::move(section));
    root.add("observables", observables());
    root.add("data", Value::of(data_name()));
    if (has_experiments()) root.add("experiments", experiments());
    if (Value section = events({}); events_place_ == EventsPlace::after_experiments && !section.is_empty())
      root.add("events", std::move(section));
    if (!problem_.petab) explain(root);
    const std::string head =
        fmt::format("# The {} {} as a problem file of Salvo.\n\n", problem_.petab ? "PEtab problem" : "SBML model",
                    std::filesystem::path(problem_.file).filename().string());
    return {.files = {{stem_ + ".yaml", head + yaml::write(root)}, {data_name(), data()}}, .lost = std::move(lost_)};
  }

 private:
  std::string data_name() const { return stem_ + ".csv"; }
  bool has_experiments() const {
    return problem_.experiments.size() > 1 || problem_.experiments[0].id != model::default_experiment ||
           problem_.experiments[0].equilibrate || !problem_.experiments[0].overrides.empty();
  }

  // A model alone says neither what is to be estimated nor what was measured: its reader does.
  static void explain(Value& root) {
    for (auto& [key, section] : root.entries) {
      if (key == "initial") section.remark = "a number or a formula is known; {guess: 1} is estimated from there";
      if (key == "parameters")
        section.remark = "to estimate one, write {guess: 0.1, scale: log} in place of its number";
      if (key == "observables") section.remark = "keep what was measured; noise is one standard deviation";
      if (key == "data") section.remark = "put your measurements there, in place of what the model says itself";
    }
  }

  // --- names -------------------------------------------------------------------------------------------------------

  std::vector<NodeId> formulas() const {
    std::vector<NodeId> all;
    for (const model::State& state : problem_.states) {
      all.push_back(state.derivative);
      if (state.history != no_node) all.push_back(state.history);
    }
    for (const model::Observable& observable : problem_.observables) {
      all.push_back(observable.formula);
      if (observable.noise) all.push_back(*observable.noise);
    }
    for (const Experiment& experiment : problem_.experiments) {
      for (const model::Initial& value : experiment.initial)
        if (const auto* known = std::get_if<NodeId>(&value)) all.push_back(*known);
      for (const auto& [index, value] : experiment.overrides) all.push_back(value);
      if (!experiment.equilibrate) continue;
      for (const auto& [index, value] : experiment.equilibrate->overrides) all.push_back(value);
      for (const auto& [index, value] : experiment.equilibrate->initial) all.push_back(value);
    }
    for (const model::Event& event : problem_.events) {
      if (const auto* when = std::get_if<model::When>(&event.trigger)) all.push_back(when->condition);
      if (const auto* at = std::get_if<model::AtTimes>(&event.trigger))
        all.insert(all.end(), at->times.begin(), at->times.end());
      for (const model::Assignment& assignment : event.assignments) all.push_back(assignment.value);
    }
    return all;
  }

  // Constants and definitions that nothing uses are left out.
  void find_used() {
    const std::vector<NodeId> all = formulas();
    for (const NodeId id : expression::reached_from(graph_, all, [](NodeId) { return false; })) used_.insert(id);
  }

  void name_all() {
    FreshNames names(is_allowed);
    names_[problem_.time] = "t";
    for (const model::State& state : problem_.states) {
      const std::string& name = names_[state.symbol] = names.make(state.id);
      if (state.initial != no_node) names_[state.initial] = "initial(" + name + ")";
    }
    for (const model::Parameter& parameter : problem_.parameters) names_[parameter.symbol] = names.make(parameter.id);
    for (const model::Definition& definition : problem_.definitions) {
      const bool is_formula = !graph_.is_constant(definition.formula) && !graph_.is_symbol(definition.formula);
      if (!is_formula || !used_.contains(definition.formula) || names_.contains(definition.formula)) continue;
      names_[definition.formula] = names.make(definition.id);
      definitions_.push_back(definition.formula);
    }
    for (const model::Observable& observable : problem_.observables)
      observable_names_.push_back(names.make(observable.id));
    FreshNames experiment_names([](const std::string&) { return true; });
    for (const Experiment& experiment : problem_.experiments)
      experiment_names_.push_back(experiment_names.make(experiment.id));
    shared_start_ = std::all_of(problem_.experiments.begin(), problem_.experiments.end(),
                                [&](const Experiment& its) { return its.start == problem_.experiments[0].start; });
  }

  Value formula(NodeId node) const { return Value::of(expression::print(graph_, node, names_)); }

  // --- sections ----------------------------------------------------------------------------------------------------

  Value equations() const { return equations_of(false); }
  Value equations_of(bool algebraic) const {
    Value section = Value::map();
    for (const model::State& state : problem_.states)
      if (state.is_algebraic == algebraic) section.add(names_.at(state.symbol), formula(state.derivative));
    return section;
  }

  // Where an experiment is before its start: at rest or, where it does not rest, at its start.
  const model::Initial begin(const Experiment& experiment, int state) const {
    if (experiment.equilibrate)
      for (const auto& [index, value] : experiment.equilibrate->initial)
        if (index == state) return value;
    return experiment.initial[static_cast<std::size_t>(state)];
  }
  Value initial_value(const model::Initial& value) const {
    if (const auto* known = std::get_if<NodeId>(&value)) return formula(*known);
    return write_estimated(std::get<model::Estimated>(value));
  }
  static bool is_same(const model::Initial& a, const model::Initial& b) {
    const auto* first = std::get_if<NodeId>(&a);
    const auto* second = std::get_if<NodeId>(&b);
    return first != nullptr && second != nullptr && *first == *second;
  }

  // As in the first experiment; the others say what differs.
  Value initial() const {
    Value section = Value::map();
    for (std::size_t i = 0; i < problem_.states.size(); ++i)
      section.add(names_.at(problem_.states[i].symbol),
                  initial_value(begin(problem_.experiments[0], static_cast<int>(i))));
    return section;
  }

  Value history() const {
    Value section = Value::map();
    for (const model::State& state : problem_.states)
      if (state.history != no_node) section.add(names_.at(state.symbol), formula(state.history));
    return section;
  }

  std::string name_in_table(const std::string& id) const {
    if (!problem_.petab) return {};
    const model::TextTable& table = problem_.petab->parameters;
    const int ids = table.column("parameterId");
    const int texts = table.column("parameterName");
    for (const auto& row : table.rows)
      if (ids >= 0 && texts >= 0 && row[ids] == id && row[texts] != id) return row[texts];
    return {};
  }

  Value parameters() {
    Value section = Value::map();
    for (const model::Parameter& parameter : problem_.parameters) {
      if (!parameter.is_estimated() && !used_.contains(parameter.symbol) && problem_.parameters.size() > 1) continue;
      Value& value = section.add(names_.at(parameter.symbol), parameter_value(parameter));
      if (value.remark.empty()) value.remark = name_in_table(parameter.id);
    }
    return section;
  }

  Value parameter_value(const model::Parameter& parameter) {
    if (const auto* number = std::get_if<double>(&parameter.value)) {
      if (std::isfinite(*number)) return Value::of(number_text(*number));
      Value value = Value::of("1");
      value.remark = "each experiment sets it";
      return value;
    }
    model::Estimated estimated = std::get<model::Estimated>(parameter.value);
    if (estimated.guess && (*estimated.guess < estimated.lower || *estimated.guess > estimated.upper)) {
      lost_.push_back(fmt::format("the nominal value of {}, {}, is outside its bounds: they are widened to it",
                                  parameter.id, number_text(*estimated.guess)));
      estimated.lower = std::min(estimated.lower, *estimated.guess);
      estimated.upper = std::max(estimated.upper, *estimated.guess);
    }
    return write_estimated(estimated);
  }

  Value definitions() {
    Value section = Value::map();
    for (const NodeId node : definitions_) {
      const std::string name = names_.at(node);
      names_.erase(node);
      section.add(name, formula(node));
      names_[node] = name;
    }
    return section;
  }

  Value observables() const {
    Value section = Value::map();
    for (std::size_t i = 0; i < problem_.observables.size(); ++i) {
      const model::Observable& observable = problem_.observables[i];
      Value& value = section.add(observable_names_[i], Value::map());
      value.add("formula", formula(observable.formula));
      if (observable.noise) value.add("noise", formula(*observable.noise));
      if (observable.distribution != model::Distribution::normal)
        value.add("distribution", Value::of(std::string(model::to_string(observable.distribution))));
      if (observable.noise_unit != 1) value.remark = "noise of decadic logarithms, in natural ones";
    }
    return section;
  }

  Value overrides(const std::vector<std::pair<int, NodeId>>& set) const {
    Value map = Value::map();
    for (const auto& [index, value] : set) {
      const model::Parameter& parameter = problem_.parameters[static_cast<std::size_t>(index)];
      if (used_.contains(parameter.symbol)) map.add(names_.at(parameter.symbol), formula(value));
    }
    return map;
  }

  Value experiments() const {
    Value section = Value::map();
    for (std::size_t e = 0; e < problem_.experiments.size(); ++e)
      section.add(experiment_names_[e], experiment(static_cast<int>(e)));
    return section;
  }

  Value experiment(int index) const {
    const Experiment& its = problem_.experiments[static_cast<std::size_t>(index)];
    Value map = Value::map();
    if (!shared_start_) map.add("start", Value::of(number_text(its.start)));
    if (Value set = overrides(its.overrides); !set.is_empty()) map.add("set", std::move(set));
    Value at_start = Value::map();
    Value at_rest = Value::map();
    for (int i = 0; i < static_cast<int>(problem_.states.size()); ++i) {
      const std::string& name = names_.at(problem_.states[static_cast<std::size_t>(i)].symbol);
      const model::Initial first = begin(its, i);
      if (!is_same(first, begin(problem_.experiments[0], i)))
        (its.equilibrate ? at_rest : at_start).add(name, initial_value(first));
      if (its.equilibrate && its.is_set_at_start(i))
        at_start.add(name, initial_value(its.initial[static_cast<std::size_t>(i)]));
    }
    if (!at_start.is_empty()) map.add("initial", std::move(at_start));
    if (its.equilibrate) {
      Value& rest = map.add("equilibrate", Value::map());
      if (Value set = overrides(its.equilibrate->overrides); !set.is_empty()) rest.add("set", std::move(set));
      if (!at_rest.is_empty()) rest.add("initial", std::move(at_rest));
    }
    if (Value own = events(index); !own.is_empty()) map.add("events", std::move(own));
    return map;
  }

  // --- events ------------------------------------------------------------------------------------------------------

  // Events of all experiments have a section of their own where they come after those of single ones.
  void place_events() {
    bool shared_came = false;
    for (const model::Event& event : problem_.events) {
      if (shared_came && !event.experiments.empty()) events_place_ = EventsPlace::within_experiments;
      shared_came |= event.experiments.empty();
    }
  }

  // Those of one experiment, or the ones that have a section.
  Value events(std::optional<int> experiment) const {
    Value list = Value::list();
    for (const model::Event& its : problem_.events) {
      const bool has_section = its.experiments.empty() && events_place_ == EventsPlace::after_experiments;
      const bool belongs = experiment ? its.acts_in(*experiment) && !has_section : has_section;
      if (belongs) list.items.push_back(event(its));
    }
    return list;
  }

  Value event(const model::Event& its) const {
    Value map = Value::map();
    if (const auto* when = std::get_if<model::When>(&its.trigger)) map.add("when", formula(when->condition));
    if (const auto* at = std::get_if<model::AtTimes>(&its.trigger)) {
      Value times = Value::list();
      for (const NodeId time : at->times) times.items.push_back(formula(time));
      map.add("at", times.items.size() == 1 ? times.items[0] : times);
    }
    Value& set = map.add("set", Value::map());
    for (const model::Assignment& assignment : its.assignments)
      set.add(names_.at(problem_.states[static_cast<std::size_t>(assignment.state)].symbol), formula(assignment.value));
    return map;
  }

  // --- data --------------------------------------------------------------------------------------------------------

  std::string data() const {
    const auto& all = problem_.measurements;
    const bool has_noise = std::any_of(all.begin(), all.end(), [](const auto& m) { return m.sigma.has_value(); });
    const bool has_before = std::any_of(all.begin(), all.end(), [](const auto& m) { return m.before_events; });
    std::string text =
        problem_.petab ? ""
                       : "# These are not measurements, but what the model says itself: put yours in their place.\n";
    text += "time,observable,value";
    text += has_experiments() ? ",experiment" : "";
    text += has_noise ? ",noise" : "";
    text += has_before ? ",measured\n" : "\n";
    for (const model::Measurement& m : all) {
      text += fmt::format("{},{},{}", number_text(m.time), observable_names_[static_cast<std::size_t>(m.observable)],
                          number_text(m.value));
      if (has_experiments()) text += "," + experiment_names_[static_cast<std::size_t>(m.experiment)];
      if (has_noise) text += "," + (m.sigma ? number_text(*m.sigma) : std::string{});
      if (has_before) text += m.before_events ? ",before" : ",";
      text += '\n';
    }
    return text;
  }

  model::Problem problem_;
  const expression::Graph& graph_;
  const std::string& stem_;
  std::set<NodeId> used_;
  expression::NodeNames names_;
  std::vector<NodeId> definitions_;
  std::vector<std::string> observable_names_, experiment_names_;
  bool shared_start_ = true;
  EventsPlace events_place_ = EventsPlace::after_experiments;
  std::vector<std::string> lost_;
};

}  // namespace

Written write_problem(const model::Problem& problem, const std::string& stem) {
  return ProblemWriter(problem, stem).write();
}

}  // namespace salvo::formats
