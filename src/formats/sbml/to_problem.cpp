#include "formats/sbml/to_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/words.hpp"
#include "expression/differentiate.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "formats/sbml/algebraic.hpp"
#include "formats/sbml/delays.hpp"
#include "formats/sbml/events.hpp"
#include "formats/sbml/staircases.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::no_node;

class ProblemMaker {
 public:
  ProblemMaker(Model& model, const std::vector<Condition>& conditions, model::Problem& problem, Resolver& resolver)
      : model_(model), conditions_(conditions), problem_(problem), resolver_(resolver) {}

  std::string make() {
    if (conditions_.empty()) return "there is no condition under which it is measured";
    Equations equations = make_equations(model_, jumping());
    if (const std::string trouble = begin_rates(equations); !trouble.empty()) return trouble;
    for (std::size_t i = 0; i < problem_.parameters.size(); ++i) parameters_.emplace(problem_.parameters[i].id, i);
    for (const Condition& condition : conditions_) {
      std::vector<Setting> set = condition.lasting;
      set.insert(set.end(), condition.set.begin(), condition.set.end());
      starts_.push_back(initial_values(model_, equations, set, condition.start));
      rests_.push_back(condition.rest ? initial_values(model_, equations, *condition.rest, 0) : starts_.back());
      for (const InitialValues& values : {starts_.back(), rests_.back()})
        if (!values.trouble.empty()) return values.trouble;
      add_experiment(equations, condition);
    }
    for (const int index : equations.standing) place_constant(index);
    for (const Formula& formula : equations.formulas) resolver_.define(formula.symbol, formula.node);
    problem_.time = model_.time;
    for (const ModelState& state : equations.states) {
      const NodeId derivative = resolver_.resolve(state.derivative);
      if (derivative == no_node) return cycle();
      problem_.states.push_back(
          {.id = state.id, .symbol = state.symbol, .derivative = derivative, .is_algebraic = state.is_algebraic});
    }
    add_algebraic(equations);
    for (const Formula& formula : equations.formulas) {
      const NodeId node = resolver_.resolve(formula.symbol);
      if (node == no_node) return cycle();
      add_definition(formula.symbol, node);
    }
    if (const std::string trouble = add_histories(equations); !trouble.empty()) return trouble;
    if (problem_.states.empty()) add_a_state();
    for (std::size_t e = 0; e < conditions_.size(); ++e)
      for (const Change& change : conditions_[e].changes) add_change(equations, change, static_cast<int>(e));
    for (const Event& event : model_.events) add_event(equations, event);
    return {};
  }

 private:
  // delay() sees rates of before the start, when nothing changed but what an initial assignment moved.
  std::string begin_rates(Equations& equations) {
    if (model_.rates_of.empty() || !uses_delays(model_.graph)) return {};
    const double start = conditions_.front().start;
    for (const Condition& condition : conditions_)
      if (condition.start != start) return "rateOf() beside delay() has conditions that start at different times";
    const InitialValues before = initial_values(model_, equations, conditions_.front().lasting, std::nullopt);
    if (!before.trouble.empty()) return before.trouble;
    expression::Graph& graph = model_.graph;
    const NodeId has_begun = graph.make(expression::Op::less_equal, graph.constant(start), model_.time);
    for (Formula& formula : equations.formulas)
      for (const auto& [symbol, of] : model_.rates_of) {
        if (formula.symbol != symbol) continue;
        NodeId value = of;
        for (std::size_t i = 0; i < model_.quantities.size(); ++i)
          if (model_.quantities[i].symbol == of) value = before.quantities[i];
        const NodeId one = graph.constant(1);
        const NodeId earlier = expression::forward(graph, {&value, 1}, {&model_.time, 1}, {&one, 1}).front();
        formula.node = graph.make(expression::Op::select, has_begun, formula.node, earlier);
      }
    return {};
  }

  // An initial assignment that uses time says what was before the start, too.
  std::string add_histories(const Equations& equations) {
    if (!uses_delays(model_.graph)) return {};
    for (const Condition& condition : conditions_) {
      std::vector<Setting> set = condition.lasting;
      set.insert(set.end(), condition.set.begin(), condition.set.end());
      const InitialValues before = initial_values(model_, equations, set, std::nullopt);
      for (std::size_t i = 0; i < before.states.size(); ++i) {
        const std::vector<NodeId> symbols = expression::symbols_of(model_.graph, {&before.states[i], 1});
        const bool uses_time = std::binary_search(symbols.begin(), symbols.end(), model_.time);
        const NodeId history = uses_time ? before.states[i] : no_node;
        if (&condition == &conditions_.front()) problem_.states[i].history = history;
        if (problem_.states[i].history != history)
          return fmt::format("what '{}' was before the start differs between conditions", problem_.states[i].id);
      }
    }
    return {};
  }

  std::string cycle() const {
    return fmt::format("the rule of '{}' depends on itself", model_.graph.symbol_name(resolver_.cycle()));
  }

  void add_algebraic(const Equations& equations) {
    for (const AlgebraicRule& rule : model_.algebraic) {
      const Quantity& quantity = model_.quantities[rule.quantity];
      model::AlgebraicEquation equation{.variable = quantity.id,
                                        .text = expression::print(model_.graph, rule.math),
                                        .divisor = rule.divisor == no_node ? no_node : resolver_.resolve(rule.divisor)};
      for (std::size_t i = 0; i < equations.states.size(); ++i)
        if (equations.states[i].is_algebraic && equations.states[i].quantity == rule.quantity)
          equation.state = static_cast<int>(i);
      problem_.algebraic.push_back(std::move(equation));
    }
  }

  // What a condition sets later on.
  std::vector<int> jumping() const {
    std::vector<int> all;
    for (const Condition& condition : conditions_)
      for (const Change& change : condition.changes)
        for (const Setting& setting : change.set) all.push_back(setting.quantity);
    return all;
  }

  std::vector<model::Assignment> assignments(const Equations& equations, const std::vector<Setting>& set, Keep keep) {
    std::vector<model::Assignment> out;
    for (const auto& [state, value] : jump(model_, equations, set, keep))
      out.push_back({.state = state, .value = resolver_.resolve(value)});
    return out;
  }

  void add_change(const Equations& equations, const Change& change, int experiment) {
    model::Event event{.trigger = model::AtTimes{{model_.graph.constant(change.time)}},
                       .assignments = assignments(equations, change.set, Keep::concentrations),
                       .experiments = {experiment},
                       .text = "at " + number_text(change.time)};
    if (!event.assignments.empty()) problem_.events.push_back(std::move(event));
  }

  void add_event(const Equations& equations, const Event& event) {
    problem_.events.push_back({.trigger = model::When{.condition = resolver_.resolve(event.trigger),
                                                      .false_before_start = !event.true_before,
                                                      .is_persistent = event.persistent},
                               .assignments = assignments(equations, event.set, Keep::amounts),
                               .text = event.id.empty() ? "an event of the model" : "event " + event.id,
                               .priority = event.priority == no_node ? no_node : resolver_.resolve(event.priority)});
  }

  // Where nothing changes there is still a trajectory to follow: that of something which stands still.
  void add_a_state() {
    const NodeId zero = model_.graph.constant(0);
    problem_.states.push_back({.id = "nothing", .symbol = model_.graph.symbol("nothing"), .derivative = zero});
    for (model::Experiment& experiment : problem_.experiments) experiment.initial.push_back(zero);
  }

  void add_experiment(const Equations& equations, const Condition& condition) {
    model::Experiment experiment{.id = condition.id, .start = condition.start};
    if (condition.rest) {
      experiment.equilibrate.emplace().is_final = condition.stays_at_rest;
      experiment.initial_of = condition.rest_of;
    }
    for (int i = 0; i < static_cast<int>(equations.states.size()); ++i) {
      const auto sets_it = [&](const Setting& setting) { return setting.quantity == equations.states[i].quantity; };
      const bool is_set = !condition.stays_at_rest && std::any_of(condition.set.begin(), condition.set.end(), sets_it);
      experiment.initial.push_back(is_set ? starts_.back().states[i] : rests_.back().states[i]);
      if (condition.rest && is_set) experiment.equilibrate->initial.push_back({i, rests_.back().states[i]});
    }
    problem_.experiments.push_back(std::move(experiment));
  }

  void place_constant(int index) {
    const Quantity& quantity = model_.quantities[index];
    const NodeId first = starts_.front().quantities[index];
    const auto is_first = [&](const InitialValues& values) { return values.quantities[index] == first; };
    const bool is_same =
        std::all_of(starts_.begin(), starts_.end(), is_first) && std::all_of(rests_.begin(), rests_.end(), is_first);
    if (is_same && parameters_.contains(quantity.id)) return;
    if (is_same && first != quantity.symbol && !model_.graph.is_constant(first)) {
      add_definition(quantity.symbol, first);
      return resolver_.define(quantity.symbol, first);
    }
    const int place = add_parameter(quantity, first);
    if (is_same) return;
    for (std::size_t e = 0; e < starts_.size(); ++e) {
      model::Experiment& experiment = problem_.experiments[e];
      experiment.overrides.push_back({place, starts_[e].quantities[index]});
      if (experiment.equilibrate) experiment.equilibrate->overrides.push_back({place, rests_[e].quantities[index]});
    }
  }

  // Symbols that stand for a rate of change have no name of their own.
  void add_definition(NodeId symbol, NodeId formula) {
    const std::string& id = model_.graph.symbol_name(symbol);
    if (expression::is_name(id)) problem_.definitions.push_back({.id = id, .formula = formula});
  }

  // With the value of the first condition, where that is a number.
  int add_parameter(const Quantity& quantity, NodeId value) {
    const auto known = parameters_.find(quantity.id);
    if (known != parameters_.end()) return static_cast<int>(known->second);
    const double number = model_.graph.is_constant(value) ? model_.graph[value].value : std::nan("");
    problem_.parameters.push_back({.id = quantity.id, .symbol = quantity.symbol, .value = number});
    return static_cast<int>(problem_.parameters.size()) - 1;
  }

  Model& model_;
  const std::vector<Condition>& conditions_;
  model::Problem& problem_;
  Resolver& resolver_;
  std::vector<InitialValues> starts_;  // of every condition
  std::vector<InitialValues> rests_;   // before it has come to rest
  std::unordered_map<std::string, std::size_t> parameters_;
};

}  // namespace

namespace {

// What formulas are once constants have their values, and states those of the start where that is asked for.
class Numbers {
 public:
  Numbers(const expression::Graph& graph, const model::Problem& problem, bool at_start) : scratch_(graph) {
    const auto put = [&](NodeId symbol, double value) {
      from_.push_back(symbol);
      to_.push_back(scratch_.constant(value));
    };
    for (const model::Parameter& parameter : problem.parameters)
      if (const auto* number = std::get_if<double>(&parameter.value)) put(parameter.symbol, *number);
    if (!at_start || problem.experiments.empty()) return;
    const model::Experiment& first = problem.experiments.front();
    put(problem.time, first.start);
    for (std::size_t i = 0; i < problem.states.size(); ++i)
      if (const auto* known = std::get_if<NodeId>(&first.initial[i]))
        if (const std::optional<double> number = value(*known)) put(problem.states[i].symbol, *number);
  }

  std::optional<double> value(NodeId formula) const {
    const NodeId out = expression::substitute(scratch_, {&formula, 1}, from_, to_)[0];
    return scratch_.is_constant(out) ? std::optional(scratch_[out].value) : std::nullopt;
  }

 private:
  mutable expression::Graph scratch_;
  std::vector<NodeId> from_{}, to_{};
};

// Does it matter to `event` whether `other` has acted before it?
bool is_touched_by(const model::Event& event, const std::vector<NodeId>& symbols, const model::Problem& problem,
                   const model::Event& other) {
  return std::any_of(other.assignments.begin(), other.assignments.end(), [&](const model::Assignment& theirs) {
    const bool sets_another_value = std::any_of(
        event.assignments.begin(), event.assignments.end(),
        [&](const model::Assignment& own) { return own.state == theirs.state && own.value != theirs.value; });
    return sets_another_value ||
           std::binary_search(symbols.begin(), symbols.end(), problem.states[theirs.state].symbol);
  });
}

// What the values of an event depend on, and its condition where that may call it off.
std::vector<NodeId> symbols_of(const expression::Graph& graph, const model::Event& event) {
  std::vector<NodeId> formulas;
  for (const model::Assignment& assignment : event.assignments) formulas.push_back(assignment.value);
  const auto* when = std::get_if<model::When>(&event.trigger);
  if (when != nullptr && !when->is_persistent) formulas.push_back(when->condition);
  return expression::symbols_of(graph, formulas);
}

// When a condition c < time or c <= time turns true, where c is a number once constants have their values.
std::optional<double> turning_time(const expression::Graph& graph, const Numbers& numbers, NodeId time,
                                   NodeId condition) {
  const expression::Node& node = graph[condition];
  if ((node.op != expression::Op::less && node.op != expression::Op::less_equal) || node.arguments[1] != time)
    return std::nullopt;
  return numbers.value(node.arguments[0]);
}

// Events that count as false before the start turn there together, if they are true.
bool turns_at_start(const Numbers& at_start, const model::When& when) {
  const std::optional<double> value = when.false_before_start ? at_start.value(when.condition) : std::nullopt;
  return value && *value != 0;
}

// SBML leaves it open in which order events act that happen together; where that makes a difference, so do we.
class Order {
 public:
  Order(const expression::Graph& graph, const model::Problem& problem) : problem_(problem) {
    const Numbers constants(graph, problem, false);
    const Numbers at_start(graph, problem, true);
    for (const model::Event& event : problem.events) {
      Moment moment{.when = std::get_if<model::When>(&event.trigger), .symbols = symbols_of(graph, event)};
      if (moment.when != nullptr) {
        moment.time = turning_time(graph, constants, problem.time, moment.when->condition);
        moment.turns_at_start = turns_at_start(at_start, *moment.when);
      }
      if (event.priority != no_node) moment.priority = constants.value(event.priority);
      moments_.push_back(std::move(moment));
    }
  }

  bool matters() const {
    for (std::size_t a = 0; a < moments_.size(); ++a)
      for (std::size_t b = 0; b < moments_.size(); ++b)
        if (a != b && happen_together(moments_[a], moments_[b]) && !is_stated(a, b) &&
            is_touched_by(problem_.events[a], moments_[a].symbols, problem_, problem_.events[b]))
          return true;
    return false;
  }

 private:
  struct Moment {
    const model::When* when = nullptr;
    std::vector<NodeId> symbols{};
    std::optional<double> time{};  // at which its condition turns, where that is a number
    bool turns_at_start = false;
    std::optional<double> priority{};  // where it is a number
  };

  static bool happen_together(const Moment& a, const Moment& b) {
    if (a.when == nullptr || b.when == nullptr) return false;
    return a.when->condition == b.when->condition || (a.time && a.time == b.time) ||
           (a.turns_at_start && b.turns_at_start);
  }
  // Which of the two acts first is stated, if both have priorities that are not the same, and where one of them was
  // made to act before all others.
  bool is_stated(std::size_t a, std::size_t b) const {
    constexpr double before_all = std::numeric_limits<double>::infinity();
    const NodeId of_a = problem_.events[a].priority;
    const NodeId of_b = problem_.events[b].priority;
    if (moments_[a].priority == before_all || moments_[b].priority == before_all) return true;
    if (of_a == no_node || of_b == no_node || of_a == of_b) return false;
    return !moments_[a].priority || moments_[a].priority != moments_[b].priority;
  }

  const model::Problem& problem_;
  std::vector<Moment> moments_;
};

// Initial values that are not stated, or stated by others that are not.
Issues missing_initial_values(const expression::Graph& graph, const std::string& file, const model::Problem& problem) {
  Issues issues;
  std::vector<NodeId> states;
  for (const model::State& state : problem.states) states.push_back(state.symbol);
  std::sort(states.begin(), states.end());
  const auto is_state = [&](NodeId symbol) { return std::binary_search(states.begin(), states.end(), symbol); };
  for (const model::Experiment& experiment : problem.experiments)
    for (std::size_t i = 0; i < experiment.initial.size(); ++i) {
      const NodeId value = std::get<NodeId>(experiment.initial[i]);
      const std::vector<NodeId> symbols = expression::symbols_of(graph, {&value, 1});
      const bool is_finite = !graph.is_constant(value) || std::isfinite(graph[value].value);
      if (is_finite && std::none_of(symbols.begin(), symbols.end(), is_state)) continue;
      issues.push_back(
          {.file = file,
           .message = fmt::format("'{}' has no finite value at the start of {}", problem.states[i].id, experiment.id),
           .hint = "give it an initial amount, an initial concentration or an initial assignment"});
    }
  return issues;
}

Issues refused_staircases(Model& model, const std::string& file, const std::vector<Condition>& conditions) {
  std::optional<TimeSpan> span;
  if (conditions.size() == 1 && conditions[0].end) span = {conditions[0].start, *conditions[0].end};
  lay_staircases(model, span);
  Issues refused;
  for (const Staircase& staircase : model.staircases)
    if (staircase.value == no_node)
      refused.push_back({.kind = Issue::Kind::unsupported,
                         .file = file,
                         .line = staircase.place.line,
                         .column = staircase.place.column,
                         .message = to_string(staircase.function) + "() of what is not a number",
                         .is_feature = true});
  return refused;
}

}  // namespace

namespace {

std::vector<int> quantities_set_by(const std::vector<Condition>& conditions) {
  std::vector<int> all;
  const auto add = [&](const std::vector<Setting>& set) {
    for (const Setting& setting : set) all.push_back(setting.quantity);
  };
  for (const Condition& condition : conditions) {
    add(condition.set);
    add(condition.lasting);
    if (condition.rest) add(*condition.rest);
    for (const Change& change : condition.changes) add(change.set);
  }
  return all;
}

}  // namespace

Issues put_into_problem(Model& model, const std::string& file, const std::vector<Condition>& conditions,
                        model::Problem& problem, Resolver& resolver) {
  const auto unsupported = [&](const std::string& feature) {
    return Issues{{.kind = Issue::Kind::unsupported, .file = file, .message = feature, .is_feature = true}};
  };
  std::optional<double> start = conditions.empty() ? std::nullopt : std::optional(conditions.front().start);
  for (const Condition& condition : conditions)
    if (condition.start != start) start.reset();
  if (Issues wrong = solve_algebraic_rules(model, file, quantities_set_by(conditions)); !wrong.empty()) return wrong;
  if (Issues refused = refused_staircases(model, file, conditions); !refused.empty()) return refused;
  if (const std::string refused = arrange_events(model, start); !refused.empty()) return unsupported(refused);
  const std::string trouble = ProblemMaker(model, conditions, problem, resolver).make();
  if (trouble.empty() && Order(model.graph, problem).matters())
    return unsupported("simultaneous events whose order matters");
  if (trouble.empty())
    if (const std::string refused = refused_delay(model, problem); !refused.empty()) return unsupported(refused);
  if (trouble.empty()) return missing_initial_values(model.graph, file, problem);
  return {{.file = file, .message = trouble, .hint = "formulas may not go round in a circle"}};
}

}  // namespace salvo::formats::sbml
