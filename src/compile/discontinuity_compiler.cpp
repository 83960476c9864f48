#include "compile/discontinuity_compiler.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "compile/lower.hpp"
#include "expression/print.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::NodeId;
using Nodes = std::vector<NodeId>;

class DiscontinuityCompiler {
 public:
  explicit DiscontinuityCompiler(const SwitchedModel& model) : model_(model), graph_(model.graph) {}

  Discontinuities compile(std::span<const Freezer::Switch> switches, std::span<const EventFormulas> events,
                          std::span<const DrivingInput> inputs) {
    out_.truths = static_cast<int>(switches.size());
    out_.first = model_.first_truth;
    out_.frozen = model_.frozen;
    out_.begins_at_rest = model_.begins_at_rest;
    Nodes written;
    for (const auto& [truth, z, relation] : switches) {
      if (is_raised(model_.stop)) return {};
      const Nodes in_words = expression::substitute(graph_, Nodes{relation}, model_.pieces, model_.inputs);
      add_function(z, expression::print(graph_, in_words.front()), -1);
      written.push_back(relation);
    }
    for (const auto& [function, equation] : model_.divided) out_.functions[function].equation = equation;
    out_.as_written = kernel(written);
    Nodes conditions;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (is_raised(model_.stop)) return {};
      const EventFormulas& event = events[e];
      for (const NodeId time : event.times) add_function(graph_.subtract(model_.time, time), event.text, e);
      out_.events.push_back(compile_event(event));
      if (event.condition == expression::no_node) continue;
      out_.events.back().condition = static_cast<int>(conditions.size());
      out_.conditional.push_back(e);
      conditions.push_back(event.condition);
    }
    out_.conditions = kernel(conditions);
    compile_priorities(events);
    find_first_events(switches, conditions);
    for (const DrivingInput& input : inputs) {
      add_function(input.time, "the input " + input.name, -1);
      out_.functions.back().input = input.index;
    }
    out_.motion = motion();
    out_.f_t = model_.f_t.output_count() > 0 ? model_.f_t : kernel(by_time(model_.f));
    return std::move(out_);
  }

 private:
  void compile_priorities(std::span<const EventFormulas> events) {
    Nodes all;
    for (const EventFormulas& event : events) {
      const bool has_one = event.priority != expression::no_node;
      out_.has_priorities |= has_one;
      all.push_back(has_one ? event.priority : graph_.constant(-std::numeric_limits<double>::infinity()));
    }
    if (out_.has_priorities) out_.priorities = kernel(all);
  }

  void find_first_events(std::span<const Freezer::Switch> switches, const Nodes& conditions) {
    std::unordered_map<NodeId, int> first_with;  // by truth value
    for (std::size_t n = 0; n < conditions.size(); ++n)
      for (const NodeId symbol : expression::symbols_of(graph_, Nodes{conditions[n]}))
        first_with.try_emplace(symbol, out_.conditional[n]);
    for (std::size_t i = 0; i < out_.functions.size(); ++i) {
      SwitchingFunction& function = out_.functions[i];
      function.first_event = function.event;
      if (function.event >= 0) continue;
      const auto first = first_with.find(switches[i].truth);
      function.first_event = first != first_with.end() ? first->second : static_cast<int>(out_.events.size());
    }
  }

  Kernel kernel(const Nodes& outputs) { return {graph_, lower_powers(graph_, outputs), model_.signature}; }

  Nodes by_time(std::span<const NodeId> of) {
    return expression::forward(graph_, of, Nodes{model_.time}, Nodes{graph_.constant(1)});
  }

  bool depends(NodeId node, const auto& is_among) {
    for (const NodeId symbol : expression::symbols_of(graph_, Nodes{node}))
      if (is_among(symbol)) return true;
    return false;
  }

  void add_function(NodeId z, std::string text, int event) {
    SwitchingFunction function{.text = std::move(text), .event = event};
    const NodeId z_t = by_time({&z, 1}).front();
    const auto moves = [&](NodeId symbol) {
      const auto [bank, index] = model_.signature.find(symbol)->second;
      if (bank == Bank::state)  // cells of fields always do
        return index >= static_cast<int>(model_.f.size()) || !graph_.is_constant(model_.f[index], 0);
      return bank != Bank::parameter || index >= model_.first_truth;
    };
    const NodeId at_zero =
        expression::substitute(graph_, Nodes{z}, Nodes{model_.time}, Nodes{graph_.constant(0)}).front();
    function.is_timed = !depends(at_zero, moves) && !depends(z_t, moves);
    if (function.is_timed) function.time = kernel({at_zero, z_t});
    Nodes outputs;
    for (const auto& entry : expression::jacobian(graph_, Nodes{z}, model_.states)) {
      function.by_state.push_back(entry.column);
      outputs.push_back(entry.node);
    }
    for (const auto& entry : expression::jacobian(graph_, Nodes{z}, model_.active)) {
      function.by_parameter.push_back(entry.column);
      outputs.push_back(entry.node);
    }
    for (const auto& entry : expression::jacobian(graph_, Nodes{z}, model_.delayed)) {
      function.by_delayed.push_back(entry.column);
      outputs.push_back(entry.node);
    }
    outputs.push_back(z_t);
    function.derivative = kernel(outputs);
    if (function.is_timed && !function.by_state.empty()) out_.moved.push_back(static_cast<int>(out_.functions.size()));
    if (!function.is_timed) {
      out_.watched.push_back(static_cast<int>(out_.functions.size()));
      watched_.push_back(z);
    }
    out_.functions.push_back(std::move(function));
  }

  EventKernel compile_event(const EventFormulas& event) {
    EventKernel out{.text = event.text,
                    .experiments = event.experiments,
                    .false_before_start = event.false_before_start,
                    .is_persistent = event.is_persistent,
                    .states = event.states};
    out.value = kernel(event.values);
    Nodes outputs;
    const auto append = [&](const auto& variables, Pattern& pattern) {
      for (const auto& entry : expression::jacobian(graph_, event.values, variables)) {
        pattern.row.push_back(entry.row);
        pattern.column.push_back(entry.column);
        outputs.push_back(entry.node);
      }
    };
    append(model_.states, out.by_state);
    append(model_.active, out.by_parameter);
    const Nodes slopes = by_time(event.values);
    for (std::size_t row = 0; row < slopes.size(); ++row) {
      if (graph_.is_constant(slopes[row], 0)) continue;
      out.by_time.push_back(static_cast<int>(row));
      outputs.push_back(slopes[row]);
    }
    append(model_.delayed, out.by_delayed);
    out.derivative = kernel(outputs);
    return out;
  }

  // dz/dt = z_x f + z_t, with f as the seed; behind it, how fast delayed values change.
  Kernel motion() {
    Signature signature = model_.signature;
    Nodes variables = model_.states.nodes;
    Nodes directions;
    for (std::size_t i = 0; i < model_.states.nodes.size(); ++i) {
      directions.push_back(graph_.symbol("f " + std::to_string(i)));
      signature[directions.back()] = {Bank::seed, static_cast<std::int32_t>(i)};
    }
    for (std::size_t k = 0; k < model_.delayed.size(); ++k) {
      variables.push_back(model_.delayed[k]);
      directions.push_back(graph_.symbol("speed of delayed value " + std::to_string(k)));
      signature[directions.back()] = {Bank::seed, static_cast<std::int32_t>(model_.states.nodes.size() + k)};
    }
    variables.push_back(model_.time);
    directions.push_back(graph_.constant(1));
    Nodes outputs = watched_;
    const Nodes speeds = expression::forward(graph_, watched_, variables, directions);
    outputs.insert(outputs.end(), speeds.begin(), speeds.end());
    return {graph_, lower_powers(graph_, outputs), signature};
  }

  const SwitchedModel& model_;
  Graph& graph_;
  Discontinuities out_;
  Nodes watched_;  // z of the functions whose zeros must be looked for
};

}  // namespace

std::shared_ptr<const Discontinuities> compile_discontinuities(const SwitchedModel& model,
                                                               std::span<const Freezer::Switch> switches,
                                                               std::span<const EventFormulas> events,
                                                               std::span<const DrivingInput> inputs) {
  return std::make_shared<Discontinuities>(DiscontinuityCompiler(model).compile(switches, events, inputs));
}

}  // namespace salvo::compile
