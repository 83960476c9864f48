#include "model/range.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <unordered_map>

#include "expression/reach.hpp"

namespace salvo::model {
namespace {

using expression::Op;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr Range anything{-unbounded, unbounded};

Range hull(std::initializer_list<double> values) {
  for (const double value : values)
    if (std::isnan(value)) return anything;
  return {std::min(values), std::max(values)};
}

// 0 times a bound that is infinite is 0: no parameter is infinite.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Range product(Range a, Range b) {
  return hull(
      {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower), product(a.upper, b.upper)});
}

Range combined(Op op, Range a, Range b) {
  const auto rising = [&](double least) {
    return a.lower >= least ? hull({apply(op, a.lower), apply(op, a.upper)}) : anything;
  };
  switch (op) {
    case Op::add: return hull({a.lower + b.lower, a.upper + b.upper});
    case Op::subtract: return hull({a.lower - b.upper, a.upper - b.lower});
    case Op::negate: return {-a.upper, -a.lower};
    case Op::multiply: return product(a, b);
    case Op::divide: return b.lower > 0 || b.upper < 0 ? product(a, {1 / b.upper, 1 / b.lower}) : anything;
    case Op::power:
      if (a.lower < 0) return anything;
      return hull({std::pow(a.lower, b.lower), std::pow(a.lower, b.upper), std::pow(a.upper, b.lower),
                   std::pow(a.upper, b.upper)});
    case Op::minimum: return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
    case Op::maximum: return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    case Op::exp: return rising(-unbounded);
    case Op::log:
    case Op::log2:
    case Op::log10:
    case Op::sqrt: return rising(0);
    default: return anything;
  }
}

Range range_of_parameter(const Parameter& parameter) {
  if (const auto* number = std::get_if<double>(&parameter.value)) return {*number, *number};
  const auto& estimated = std::get<Estimated>(parameter.value);
  const double least = estimated.scale == Scale::lin ? -unbounded : 0;
  return {std::max(estimated.lower, least), estimated.upper};
}

using Ranges = std::unordered_map<NodeId, Range>;

// Whatever is known of no symbol may be anything.
Range range_from(Ranges known, const expression::Graph& graph, NodeId root) {
  for (const NodeId id : expression::reached_from(graph, {&root, 1}, [](NodeId) { return false; })) {
    const expression::Node& node = graph[id];
    const int count = expression::argument_count(node.op);
    const auto argument = [&](int i) { return i < count ? known.at(node.arguments[i]) : Range{}; };
    if (graph.is_constant(id))
      known.emplace(id, Range{node.value, node.value});
    else
      known.emplace(id, count > 0 ? combined(node.op, argument(0), argument(1)) : anything);
  }
  return known.at(root);
}

}  // namespace

Range range_of(const Problem& problem, const Experiment& experiment, NodeId formula) {
  Ranges shared;
  for (const Parameter& parameter : problem.parameters) shared.emplace(parameter.symbol, range_of_parameter(parameter));
  Ranges here = shared;
  for (const auto& [parameter, value] : experiment.overrides)
    here[problem.parameters[static_cast<std::size_t>(parameter)].symbol] = range_from(shared, problem.graph, value);
  return range_from(std::move(here), problem.graph, formula);
}

}  // namespace salvo::model
