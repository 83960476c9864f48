#include "formats/sbml/staircases.hpp"

#include <cmath>

#include "formats/sbml/resolver.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::Graph;
using expression::no_node;
using expression::Op;

constexpr double most_jumps = 1000;  // of all staircases of a model

// slope * time + offset
struct Slant {
  double slope = 0;
  double offset = 0;

  double at(double time) const { return slope * time + offset; }
  Slant scaled(double by) const { return {slope * by, offset * by}; }
};

std::optional<Slant> combined(Op op, const std::optional<Slant>& a, const std::optional<Slant>& b) {
  if (!a || (op != Op::negate && !b)) return std::nullopt;
  switch (op) {
    case Op::negate: return a->scaled(-1);
    case Op::add: return Slant{a->slope + b->slope, a->offset + b->offset};
    case Op::subtract: return Slant{a->slope - b->slope, a->offset - b->offset};
    case Op::multiply:
      if (b->slope == 0) return a->scaled(b->offset);
      return a->slope == 0 ? std::optional(b->scaled(a->offset)) : std::nullopt;
    case Op::divide:
      return b->slope == 0 ? std::optional(Slant{a->slope / b->offset, a->offset / b->offset}) : std::nullopt;
    default: return std::nullopt;
  }
}

// Nodes that change evenly with time, of a graph that grows. Arguments come before the nodes that use them.
class Slants {
 public:
  Slants(const Graph& graph, NodeId time) : graph_(graph), time_(time) {}

  std::optional<Slant> of(NodeId wanted) {
    for (auto id = static_cast<NodeId>(known_.size()); id <= wanted; ++id) known_.push_back(found(id));
    return known_[static_cast<std::size_t>(wanted)];
  }

 private:
  std::optional<Slant> found(NodeId id) const {
    const expression::Node& node = graph_[id];
    if (node.op == Op::constant) return Slant{0, node.value};
    if (id == time_) return Slant{1, 0};
    if (node.op == Op::symbol) return std::nullopt;
    const auto& [first, second, third] = node.arguments;
    return combined(node.op, known_[first], second == no_node ? std::nullopt : known_[second]);
  }

  const Graph& graph_;
  NodeId time_;
  std::vector<std::optional<Slant>> known_;
};

// What stands for a number or a formula at all times: rules, and values that nothing changes.
Resolver known_values(Model& model) {
  Resolver resolver(model.graph);
  std::vector<bool> jumps(model.quantities.size(), false);
  for (const Event& event : model.events)
    for (const Setting& setting : event.set) jumps[setting.quantity] = true;
  for (std::size_t i = 0; i < model.quantities.size(); ++i) {
    const Quantity& quantity = model.quantities[i];
    if (quantity.assignment != no_node)
      resolver.define(quantity.symbol, quantity.assignment);
    else if (quantity.kind != Quantity::Kind::species && quantity.rate == no_node && !jumps[i] && quantity.value &&
             quantity.initial_assignment == no_node)
      resolver.define(quantity.symbol, model.graph.constant(*quantity.value));
  }
  return resolver;
}

class Mason {
 public:
  Mason(Graph& graph, NodeId time, const TimeSpan& span) : graph_(graph), time_(time), span_(span) {}

  // None if there are too many jumps.
  NodeId lay(Staircase::Function function, const Slant& of, double by) {
    using enum Staircase::Function;
    const double jumps = std::abs((of.at(span_.end) - of.at(span_.start)) / by);
    if (!(jumps <= jumps_left_)) return no_node;
    jumps_left_ -= jumps;
    switch (function) {
      case floor: return floor_of(of, by);
      case ceiling: return ceiling_of(of, by);
      case quotient: return truncated(of, by);
      case rem: return graph_.subtract(formula(of), graph_.multiply(graph_.constant(by), truncated(of, by)));
    }
    return no_node;
  }

 private:
  NodeId formula(const Slant& line) {
    return graph_.add(graph_.multiply(graph_.constant(line.slope), time_), graph_.constant(line.offset));
  }

  // floor(line / by): where it rises it has jumped at the time itself, where it falls only after it.
  NodeId floor_of(const Slant& line, double by) {
    const double first = std::floor(line.at(span_.start) / by);
    const double last = std::floor(line.at(span_.end) / by);
    const auto time_of = [&](double level) {
      return graph_.constant((level * by - line.offset) / line.slope + 0.0);  // a zero without a sign
    };
    NodeId sum = graph_.constant(first);
    for (double level = first + 1; level <= last; ++level)
      sum = graph_.add(sum, graph_.make(Op::less_equal, time_of(level), time_));
    for (double level = first; level > last; --level)
      sum = graph_.subtract(sum, graph_.make(Op::less, time_of(level), time_));
    return sum;
  }
  NodeId ceiling_of(const Slant& line, double by) { return graph_.negate(floor_of(line.scaled(-1), by)); }
  NodeId truncated(const Slant& line, double by) {
    const double first = line.at(span_.start) / by;
    const double last = line.at(span_.end) / by;
    if (first >= 0 && last >= 0) return floor_of(line, by);
    if (first <= 0 && last <= 0) return ceiling_of(line, by);
    const NodeId is_positive =
        graph_.make(Op::less_equal, graph_.constant(0), graph_.divide(formula(line), graph_.constant(by)));
    return graph_.make(Op::select, is_positive, floor_of(line, by), ceiling_of(line, by));
  }

  Graph& graph_;
  NodeId time_;
  TimeSpan span_;
  double jumps_left_ = most_jumps;
};

}  // namespace

std::string to_string(Staircase::Function function) {
  using enum Staircase::Function;
  switch (function) {
    case floor: return "floor";
    case ceiling: return "ceiling";
    case quotient: return "quotient";
    case rem: return "rem";
  }
  return "";
}

void lay_staircases(Model& model, const std::optional<TimeSpan>& span) {
  if (!span || model.staircases.empty()) return;
  Resolver resolver = known_values(model);
  Slants slants(model.graph, model.time);
  Mason mason(model.graph, model.time, *span);
  for (Staircase& staircase : model.staircases) {
    const NodeId of = resolver.resolve(staircase.of);
    const NodeId by = resolver.resolve(staircase.by);
    if (of == no_node || by == no_node || !model.graph.is_constant(by)) continue;
    const std::optional<Slant> line = slants.of(of);
    if (!line) continue;
    staircase.value = mason.lay(staircase.function, *line, model.graph[by].value);
    if (staircase.value != no_node) resolver.define(staircase.symbol, staircase.value);
  }
}

}  // namespace salvo::formats::sbml
