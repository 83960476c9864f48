#include "formats/petab/write_runs.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "formats/problem/known_values.hpp"

namespace salvo::formats::petab {
namespace {

using expression::no_node;
using model::Experiment;
using Nodes = std::vector<NodeId>;
using Overrides = std::map<int, NodeId>;

class RunMaker {
 public:
  explicit RunMaker(model::Problem& problem) : problem_(problem), graph_(problem.graph) {}

  WrittenRuns make() {
    part_events();
    for (int e = 0; e < count(); ++e) begins_.push_back(begin_of(e));
    for (std::size_t i = 0; i < problem_.states.size(); ++i) out_.initial.push_back(shared_initial(i));
    for (int e = 0; e < count(); ++e) out_.experiments.push_back(periods_of(e));
    return std::move(out_);
  }

 private:
  int count() const { return static_cast<int>(problem_.experiments.size()); }
  const Experiment& experiment(int e) const { return problem_.experiments[static_cast<std::size_t>(e)]; }
  static Overrides as_map(const std::vector<std::pair<int, NodeId>>& set) { return {set.begin(), set.end()}; }

  // Overrides while the experiment comes to rest.
  Overrides at_rest(int e) const {
    Overrides all = as_map(experiment(e).equilibrate->overrides);
    all.insert(experiment(e).overrides.begin(), experiment(e).overrides.end());
    return all;
  }

  // --- formulas ------------------------------------------------------------------------------------------------------

  NodeId replaced(NodeId node, const Nodes& from, const Nodes& to) {
    return expression::substitute(graph_, {&node, 1}, from, to)[0];
  }

  // Whatever else is constant is made of parameters of the table and of numbers.
  NodeId with_numbers(NodeId node) {
    Nodes from;
    Nodes to;
    for (const model::Parameter& parameter : problem_.parameters)
      if (const auto* number = std::get_if<double>(&parameter.value)) {
        from.push_back(parameter.symbol);
        to.push_back(graph_.constant(*number));
      }
    return replaced(node, from, to);
  }

  NodeId under(const Overrides& overrides, NodeId node) {
    Nodes from;
    Nodes to;
    for (const auto& [parameter, value] : overrides) {
      from.push_back(problem_.parameters[static_cast<std::size_t>(parameter)].symbol);
      to.push_back(value);
    }
    return with_numbers(replaced(node, from, to));
  }

  Nodes state_symbols() const {
    Nodes symbols;
    for (const model::State& state : problem_.states) symbols.push_back(state.symbol);
    return symbols;
  }

  // --- initial values ------------------------------------------------------------------------------------------------

  // An estimated initial value is a parameter of its own.
  NodeId node_of(const model::Initial& initial, int e, std::size_t state) {
    if (const auto* known = std::get_if<NodeId>(&initial)) return *known;
    std::string id = "initial_" + problem_.states[state].id;
    if (count() > 1) id += "_" + experiment(e).id;
    while (graph_.find_symbol(id)) id += '_';
    const NodeId symbol = graph_.symbol(id);
    out_.start_values.push_back({.id = id, .symbol = symbol, .value = std::get<model::Estimated>(initial)});
    return symbol;
  }

  // initial(x) of other states is what they begin with.
  void put_in_initial_values(Nodes& values) {
    Nodes from;
    Nodes to;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (problem_.states[i].initial != no_node) {
        from.push_back(problem_.states[i].initial);
        to.push_back(values[i]);
      }
    for (std::size_t round = 0; round < from.size(); ++round) {
      values = expression::substitute(graph_, values, from, to);
      to = expression::substitute(graph_, to, from, to);
    }
  }

  // Where the states begin: to rest, where the experiment does.
  Nodes begin_of(int e) {
    Nodes values;
    for (std::size_t i = 0; i < problem_.states.size(); ++i) values.push_back(node_of(experiment(e).initial[i], e, i));
    set_values_.push_back(values);
    if (experiment(e).equilibrate)
      for (const auto& [state, value] : experiment(e).equilibrate->initial)
        values[static_cast<std::size_t>(state)] = value;
    put_in_initial_values(values);
    put_in_initial_values(set_values_.back());
    return values;
  }

  NodeId shared_initial(std::size_t state) const {
    const NodeId first = begins_[0][state];
    for (int e = 0; e < count(); ++e)
      if (begins_[static_cast<std::size_t>(e)][state] != first || changes_at_start(e)) return no_node;
    return first;
  }

  // --- events --------------------------------------------------------------------------------------------------------

  // An event is a change of conditions where all its times are known beforehand.
  void part_events() {
    known_times_.resize(static_cast<std::size_t>(count()));
    for (int index = 0; index < static_cast<int>(problem_.events.size()); ++index)
      if (!place_in_time(index)) out_.events.push_back(index);
  }

  bool place_in_time(int index) {
    const model::Event& event = problem_.events[static_cast<std::size_t>(index)];
    const auto* at = std::get_if<model::AtTimes>(&event.trigger);
    if (at == nullptr) return false;
    std::vector<std::pair<int, double>> placed;
    for (int e = 0; e < count(); ++e) {
      if (!event.acts_in(e)) continue;
      const KnownValues known(problem_, e, KnownValues::Estimates::unknown);
      for (const NodeId time : at->times) {
        const auto value = known.of(time);
        if (!value) return false;
        placed.emplace_back(e, *value);
      }
    }
    for (const auto& [e, time] : placed) known_times_[static_cast<std::size_t>(e)][time].push_back(index);
    return true;
  }

  bool changes_at_start(int e) const {
    return !experiment(e).equilibrate && known_times_[static_cast<std::size_t>(e)].contains(experiment(e).start);
  }

  // The values of all states after the events, one after the other.
  Nodes after(const std::vector<int>& events, Nodes values, double time) {
    const Nodes symbols = state_symbols();
    for (const int index : events) {
      const Nodes before = values;
      for (const model::Assignment& assignment : problem_.events[static_cast<std::size_t>(index)].assignments)
        values[static_cast<std::size_t>(assignment.state)] =
            replaced(replaced(assignment.value, {problem_.time}, {graph_.constant(time)}), symbols, before);
    }
    return values;
  }

  double last_measurement(int e) const {
    double last = experiment(e).start;
    for (const model::Measurement& measurement : problem_.measurements)
      if (measurement.experiment == e) last = std::max(last, measurement.time);
    return last;
  }

  // --- periods -------------------------------------------------------------------------------------------------------

  WrittenPeriod first_period(int e, double time, const Overrides& overrides, const Nodes& begin) {
    WrittenPeriod period{.time = time};
    for (const int parameter : overridden()) {
      const auto own = overrides.find(parameter);
      const model::Parameter& its = problem_.parameters[static_cast<std::size_t>(parameter)];
      if (own != overrides.end())
        period.set.emplace_back(its.symbol, with_numbers(own->second));
      else if (its.is_estimated() || experiment(e).equilibrate)
        period.set.emplace_back(its.symbol, with_numbers(its.symbol));
    }
    for (std::size_t i = 0; i < begin.size(); ++i)
      if (out_.initial[i] == no_node) period.set.emplace_back(problem_.states[i].symbol, under(overrides, begin[i]));
    return period;
  }

  // Parameters that some experiment sets.
  std::set<int> overridden() const {
    std::set<int> all;
    for (const Experiment& its : problem_.experiments) {
      for (const auto& [parameter, value] : its.overrides) all.insert(parameter);
      if (!its.equilibrate) continue;
      for (const auto& [parameter, value] : its.equilibrate->overrides) all.insert(parameter);
    }
    return all;
  }

  // After the rest: parameters as the experiment has them, states that it sets, and what events do at the start.
  WrittenPeriod period_after_rest(int e) {
    const Experiment& its = experiment(e);
    const Overrides overrides = as_map(its.overrides);
    WrittenPeriod period{.time = its.start};
    for (const auto& [parameter, rest] : its.equilibrate->overrides) {
      const auto own = overrides.find(parameter);
      const NodeId symbol = problem_.parameters[static_cast<std::size_t>(parameter)].symbol;
      period.set.emplace_back(symbol, with_numbers(own == overrides.end() ? symbol : own->second));
    }
    Nodes values = state_symbols();
    for (const auto& [state, rest] : its.equilibrate->initial)
      values[static_cast<std::size_t>(state)] =
          set_values_[static_cast<std::size_t>(e)][static_cast<std::size_t>(state)];
    const auto& times = known_times_[static_cast<std::size_t>(e)];
    if (const auto events = times.find(its.start); events != times.end())
      values = after(events->second, values, its.start);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != problem_.states[i].symbol)
        period.set.emplace_back(problem_.states[i].symbol, under(overrides, values[i]));
    return period;
  }

  std::vector<WrittenPeriod> periods_of(int e) {
    const Experiment& its = experiment(e);
    std::vector<WrittenPeriod> periods;
    Nodes begin = begins_[static_cast<std::size_t>(e)];
    const auto& times = known_times_[static_cast<std::size_t>(e)];
    if (its.equilibrate) {
      periods.push_back(first_period(e, -std::numeric_limits<double>::infinity(), at_rest(e), begin));
      periods.push_back(period_after_rest(e));
    } else {
      if (changes_at_start(e)) begin = after(times.at(its.start), begin, its.start);
      periods.push_back(first_period(e, its.start, as_map(its.overrides), begin));
    }
    const double last = last_measurement(e);
    for (const auto& [time, events] : times) {
      if (time <= its.start || time > last) continue;
      WrittenPeriod& period = periods.emplace_back(WrittenPeriod{.time = time, .by_table = false});
      const Nodes values = after(events, state_symbols(), time);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != problem_.states[i].symbol) period.set.emplace_back(problem_.states[i].symbol, values[i]);
    }
    return periods;
  }

  model::Problem& problem_;
  expression::Graph& graph_;
  std::vector<Nodes> begins_;                                    // by experiment and state
  std::vector<Nodes> set_values_;                                // the same after a rest, where it is set then
  std::vector<std::map<double, std::vector<int>>> known_times_;  // of each experiment: events by their time
  WrittenRuns out_;
};

}  // namespace

WrittenRuns make_runs(model::Problem& problem) { return RunMaker(problem).make(); }

}  // namespace salvo::formats::petab
