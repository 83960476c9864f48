#include "model/cells/sign.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "expression/reach.hpp"

namespace salvo::model::cells {
namespace {

using expression::Op;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Range {
  double low = -infinity;
  double high = infinity;
};

Range product(const Range& a, const Range& b) {
  Range out{infinity, -infinity};
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      const double value = x == 0 || y == 0 ? 0 : x * y;
      out = {std::min(out.low, value), std::max(out.high, value)};
    }
  }
  return out;
}
Range inverse(const Range& a) {
  if (a.low <= 0 && a.high >= 0) return a.low == 0 ? Range{0, infinity} : a.high == 0 ? Range{-infinity, 0} : Range{};
  return {1 / a.high, 1 / a.low};
}

Range range_of(Op op, const Range& a, const Range& b) {
  switch (op) {
    case Op::add: return {a.low + b.low, a.high + b.high};
    case Op::subtract: return {a.low - b.high, a.high - b.low};
    case Op::negate: return {-a.high, -a.low};
    case Op::multiply: return product(a, b);
    case Op::divide: return product(a, inverse(b));
    case Op::exp: return {std::exp(a.low), std::exp(a.high)};
    case Op::sqrt:
    case Op::abs: return {0, infinity};
    case Op::power:
      if (a.low >= 0) return {0, infinity};
      if (b.low == b.high && std::fmod(b.low, 2) == 0) return {0, infinity};
      return {};
    default: return {};
  }
}

std::unordered_map<NodeId, Range> known_ranges(const Problem& problem) {
  std::unordered_map<NodeId, Range> ranges;
  for (const Parameter& parameter : problem.parameters) {
    if (const auto* value = std::get_if<double>(&parameter.value)) {
      ranges[parameter.symbol] = {*value, *value};
    } else {
      const auto& estimated = std::get<Estimated>(parameter.value);
      const double least = estimated.scale == Scale::lin ? -infinity : 0.0;
      ranges[parameter.symbol] = {std::max(estimated.lower, least), estimated.upper};
    }
  }
  // What an experiment sets may be anything.
  for (const Experiment& experiment : problem.experiments)
    for (const auto& [parameter, value] : experiment.overrides) ranges.erase(problem.parameters[parameter].symbol);
  for (const Space& space : problem.space) ranges[space.symbol] = {space.from, space.to};
  return ranges;
}

}  // namespace

int sure_sign(const Problem& problem, const expression::Graph& graph, NodeId formula) {
  std::unordered_map<NodeId, Range> ranges = known_ranges(problem);
  for (const NodeId id : expression::reached_from(graph, {&formula, 1}, [](NodeId) { return false; })) {
    if (ranges.contains(id)) continue;
    const expression::Node& node = graph[id];
    if (node.op == Op::constant) {
      ranges[id] = {node.value, node.value};
      continue;
    }
    const int count = expression::argument_count(node.op);
    const Range a = count > 0 ? ranges[node.arguments[0]] : Range{};
    ranges[id] = count > 0 ? range_of(node.op, a, count > 1 ? ranges[node.arguments[1]] : Range{}) : Range{};
  }
  const Range& range = ranges[formula];
  if (range.low >= 0) return 1;
  return range.high <= 0 ? -1 : 0;
}

}  // namespace salvo::model::cells
