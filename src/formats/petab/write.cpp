#include "formats/petab/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"
#include "formats/fresh_names.hpp"
#include "formats/petab/losses.hpp"
#include "formats/petab/write_runs.hpp"
#include "formats/prior_law.hpp"
#include "formats/sbml/write.hpp"
#include "formats/yaml/write.hpp"

namespace salvo::formats::petab {
namespace {

using expression::no_node;
using expression::NodeNames;
using yaml::Value;

// Words of formulas are reserved in any case.
bool is_allowed(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return expression::is_name(name) && !expression::is_reserved(lower) && lower != "time";
}

std::string row(const std::vector<std::string>& cells) { return fmt::format("{}\n", fmt::join(cells, "\t")); }

class PetabWriter {
 public:
  PetabWriter(const model::Problem& problem, const std::string& stem)
      : problem_(problem), stem_(stem), runs_(make_runs(problem_)) {
    name_all();
  }

  Result<Written> write() {
    Result<std::string> model = sbml::write_model(this->model());
    if (!model) return model.issues();
    Written out{.lost = left_out_in_petab(problem_)};
    out.files = {{stem_ + ".yaml", yaml()},
                 {file("model.xml"), *std::move(model)},
                 {file("parameters.tsv"), parameters()},
                 {file("observables.tsv"), observables()},
                 {file("measurements.tsv"), measurements()},
                 {file("conditions.tsv"), conditions_},
                 {file("experiments.tsv"), experiments_}};
    return out;
  }

 private:
  std::string file(const std::string& what) const { return stem_ + "_" + what; }

  // --- names ---------------------------------------------------------------------------------------------------------

  // An estimated parameter that some experiment sets has a name in the table and another one in the model, which
  // conditions give its value.
  bool is_set_somewhere(NodeId symbol) const {
    for (const auto& periods : runs_.experiments)
      for (const WrittenPeriod& period : periods)
        for (const auto& [target, value] : period.set)
          if (target == symbol) return true;
    return false;
  }

  void name_all() {
    const std::string time = "time";
    in_model_[problem_.time] = in_table_[problem_.time] = time;
    for (const model::State& state : problem_.states)
      in_model_[state.symbol] = in_table_[state.symbol] = names_.make(state.id);
    for (const auto* list : {&problem_.parameters, &runs_.start_values})
      for (const model::Parameter& parameter : *list) {
        in_model_[parameter.symbol] = in_table_[parameter.symbol] = names_.make(parameter.id);
        if (parameter.is_estimated() && is_set_somewhere(parameter.symbol))
          in_model_[parameter.symbol] = names_.make(parameter.id + "_in_experiment");
      }
    for (const model::Definition& definition : problem_.definitions) {
      const expression::Graph& graph = problem_.graph;
      if (graph.is_constant(definition.formula) || graph.is_symbol(definition.formula)) continue;
      if (in_model_.emplace(definition.formula, names_.make(definition.id)).second)
        definitions_.push_back(definition.formula);
    }
    for (const model::Observable& observable : problem_.observables) {
      observable_names_.push_back(names_.make(observable.id));
      name_earlier_values(observable);
      own_noise_names_.emplace_back();
    }
    for (const model::Measurement& measurement : problem_.measurements) {
      std::string& name = own_noise_names_[static_cast<std::size_t>(measurement.observable)];
      const model::Observable& its = problem_.observables[static_cast<std::size_t>(measurement.observable)];
      if (!measurement.sigma || !name.empty()) continue;
      // Where every measurement has its own noise, the observable needs no other name.
      name = its.noise ? names_.make(its.id + "_with_own_noise")
                       : observable_names_[static_cast<std::size_t>(measurement.observable)];
    }
    for (const model::Experiment& experiment : problem_.experiments)
      experiment_names_.push_back(names_.make(experiment.id));
  }

  // Formulas of PEtab have no delay; those of the model do.
  void name_earlier_values(const model::Observable& observable) {
    const auto all = expression::reached_from(problem_.graph, {&observable.formula, 1},
                                              [&](NodeId id) { return in_model_.contains(id); });
    const bool looks_back = std::any_of(all.begin(), all.end(), [&](NodeId id) {
      return !in_model_.contains(id) && problem_.graph[id].op == expression::Op::delay;
    });
    if (!looks_back) return;
    in_model_.emplace(observable.formula, names_.make(observable.id + "_in_model"));
    definitions_.push_back(observable.formula);
  }

  std::string text(NodeId node, const NodeNames& names) const { return expression::print(problem_.graph, node, names); }

  // --- the model -----------------------------------------------------------------------------------------------------

  sbml::Model model() {
    sbml::Model model{.id = "model", .graph = problem_.graph, .time = problem_.time};
    for (std::size_t i = 0; i < problem_.states.size(); ++i) add_state(model, i);
    for (const model::Parameter& parameter : problem_.parameters) {
      const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
      const double value = estimated != nullptr ? estimated->guess.value_or(1) : std::get<double>(parameter.value);
      model.quantities.push_back({.id = in_model_.at(parameter.symbol), .symbol = parameter.symbol, .value = value});
    }
    for (const model::Parameter& parameter : runs_.start_values)
      model.quantities.push_back({.id = in_model_.at(parameter.symbol),
                                  .symbol = parameter.symbol,
                                  .value = std::get<model::Estimated>(parameter.value).guess.value_or(1)});
    for (const NodeId node : definitions_)
      model.quantities.push_back({.id = in_model_.at(node), .symbol = node, .constant = false, .assignment = node});
    add_events(model);
    write_experiments();
    return model;
  }

  void add_state(sbml::Model& model, std::size_t index) {
    const model::State& state = problem_.states[index];
    sbml::Quantity quantity{.id = in_model_.at(state.symbol), .symbol = state.symbol, .value = 0, .constant = false};
    (state.is_algebraic ? quantity.algebraic : quantity.rate) = state.derivative;
    const NodeId initial = state.history != no_node ? state.history : runs_.initial[index];
    if (initial != no_node && problem_.graph.is_constant(initial))
      quantity.value = problem_.graph[initial].value;
    else
      quantity.initial_assignment = initial;
    model.quantities.push_back(std::move(quantity));
  }

  // An event that acts in some experiments has a switch, which their conditions set.
  void add_events(sbml::Model& model) {
    expression::Graph& graph = model.graph;
    for (const int index : runs_.events) {
      const model::Event& its = problem_.events[static_cast<std::size_t>(index)];
      const std::string id = names_.make(fmt::format("event_{}", index + 1));
      NodeId acts = no_node;
      if (!its.experiments.empty()) {
        const std::string name = names_.make(id + "_acts");
        acts = graph.symbol(name);
        model.quantities.push_back({.id = name, .symbol = acts, .value = 0});
        for (const int e : its.experiments) switched_on_[e].push_back(name);
      }
      const auto add = [&](const std::string& event_id, NodeId trigger, bool true_before) {
        if (acts != no_node)
          trigger = graph.make(expression::Op::logical_and, trigger,
                               graph.make(expression::Op::less, graph.constant(0), acts));
        sbml::Event event{.id = event_id, .trigger = trigger, .true_before = true_before};
        for (const model::Assignment& assignment : its.assignments)
          event.set.push_back({assignment.state, assignment.value});
        model.events.push_back(std::move(event));
      };
      if (const auto* when = std::get_if<model::When>(&its.trigger)) add(id, when->condition, true);
      if (const auto* at = std::get_if<model::AtTimes>(&its.trigger))
        for (std::size_t i = 0; i < at->times.size(); ++i)
          add(names_.make(fmt::format("{}_at_{}", id, i + 1)),
              graph.make(expression::Op::less_equal, at->times[i], problem_.time), false);
    }
  }

  // --- tables --------------------------------------------------------------------------------------------------------

  void write_experiments() {
    conditions_ = row({"conditionId", "targetId", "targetValue"});
    experiments_ = row({"experimentId", "time", "conditionId"});
    for (std::size_t e = 0; e < runs_.experiments.size(); ++e) {
      bool is_first = true;
      for (const WrittenPeriod& period : runs_.experiments[e]) {
        std::vector<std::pair<std::string, std::string>> set;
        for (const auto& [target, value] : period.set)
          set.emplace_back(in_model_.at(target), text(value, period.by_table ? in_table_ : in_model_));
        if (is_first)
          for (const std::string& name : switched_on_[static_cast<int>(e)]) set.emplace_back(name, "1");
        is_first = false;
        const std::string condition = set.empty() ? "" : condition_name(e, period.time);
        for (const auto& [target, value] : set) conditions_ += row({condition, target, value});
        experiments_ += row({experiment_names_[e], number_text(period.time), condition});
      }
    }
  }

  std::string condition_name(std::size_t e, double time) {
    const std::string& experiment = problem_.experiments[e].id;
    if (std::isinf(time)) return names_.make(experiment + "_at_rest");
    const bool is_start = time == problem_.experiments[e].start;
    return names_.make(is_start ? experiment + "_start" : fmt::format("{}_at_{}", experiment, number_text(time)));
  }

  std::string parameters() const {
    std::string table = row({"parameterId", "lowerBound", "upperBound", "nominalValue", "estimate", "priorDistribution",
                             "priorParameters"});
    for (const auto* list : {&problem_.parameters, &runs_.start_values})
      for (const model::Parameter& parameter : *list) {
        const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
        if (estimated == nullptr) continue;
        const double lower = estimated->scale == model::Scale::lin ? estimated->lower : std::max(0.0, estimated->lower);
        std::vector<std::string> cells{in_table_.at(parameter.symbol),
                                       number_text(lower),
                                       number_text(estimated->upper),
                                       number_text(estimated->guess.value_or(1)),
                                       "true",
                                       "",
                                       ""};
        if (estimated->prior && is_prior_of_petab(*estimated)) {
          const model::Prior& prior = *estimated->prior;
          cells[5] = model::to_string(prior.law);
          cells[6] = number_text(prior.spread);
          if (count_of_numbers(prior.law) == 2) cells[6] = number_text(prior.location) + ";" + cells[6];
        }
        table += row(cells);
      }
    return table;
  }

  std::string observables() const {
    std::string table = row({"observableId", "observableName", "observableFormula", "noiseFormula", "noiseDistribution",
                             "noisePlaceholders"});
    for (std::size_t i = 0; i < problem_.observables.size(); ++i) {
      const model::Observable& observable = problem_.observables[i];
      const std::string formula = text(observable.formula, in_model_);
      const std::string law(model::to_string(observable.distribution));
      const std::string& own = own_noise_names_[i];
      if (observable.noise)
        table +=
            row({observable_names_[i], observable.axis.label, formula, text(*observable.noise, in_model_), law, ""});
      if (!own.empty()) table += row({own, observable.axis.label, formula, "noise_of_" + own, law, "noise_of_" + own});
    }
    return table;
  }

  std::string measurements() const {
    std::string table = row({"observableId", "experimentId", "time", "measurement", "noiseParameters"});
    for (const model::Measurement& m : problem_.measurements) {
      const auto observable = static_cast<std::size_t>(m.observable);
      table += row({m.sigma ? own_noise_names_[observable] : observable_names_[observable],
                    experiment_names_[static_cast<std::size_t>(m.experiment)], number_text(m.time),
                    number_text(m.value), m.sigma ? number_text(*m.sigma) : ""});
    }
    return table;
  }

  std::string yaml() const {
    Value root = Value::map();
    root.add("format_version", Value::of("2.0.0"));
    for (const char* what : {"parameter", "observable", "measurement", "condition", "experiment"}) {
      Value& files = root.add(fmt::format("{}_files", what), Value::list());
      files.items.push_back(Value::of(file(fmt::format("{}s.tsv", what))));
    }
    Value& model = root.add("model_files", Value::map()).add("model", Value::map());
    model.add("location", Value::of(file("model.xml")));
    model.add("language", Value::of("sbml"));
    const std::string head = problem_.title.empty() ? "" : "# " + problem_.title + "\n";
    return head + yaml::write(root);
  }

  model::Problem problem_;
  const std::string& stem_;
  WrittenRuns runs_;
  FreshNames names_{is_allowed};
  NodeNames in_model_;  // what stands for what in the model and in observables ...
  NodeNames in_table_;  // ... and in conditions at the start
  std::vector<NodeId> definitions_;
  std::vector<std::string> observable_names_, own_noise_names_, experiment_names_;
  std::map<int, std::vector<std::string>> switched_on_;  // by experiment
  std::string conditions_, experiments_;
};

}  // namespace

Result<Written> write_problem(const model::Problem& problem, const std::string& stem) {
  if (Issues issues = not_in_petab(problem); !issues.empty()) return issues;
  return PetabWriter(problem, stem).write();
}

}  // namespace salvo::formats::petab
