#include "model/cells/take_apart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/field_operators.hpp"
#include "expression/print.hpp"
#include "model/cells/sign.hpp"

namespace salvo::model::cells {
namespace {

constexpr int looked_at = 9;  // positions

bool is_first_derivative(Op op) { return op == Op::derivative_x || op == Op::derivative_y; }
bool is_second_derivative(Op op) { return op == Op::second_derivative_x || op == Op::second_derivative_y; }
bool is_transport(Op op) { return op == Op::divergence || is_first_derivative(op) || is_second_derivative(op); }
int direction_of(Op op) { return op == Op::derivative_y || op == Op::second_derivative_y ? 1 : 0; }

class Dissection {
 public:
  Dissection(const Problem& problem, Algebra& algebra, std::vector<std::string>& faults)
      : problem_(problem), algebra_(algebra), faults_(faults) {}

  FieldEquation take_apart(int field) {
    FieldEquation out{.reaction = problem_.fields[field].derivative};
    const std::vector<NodeId> operations = algebra_.outermost_operations(out.reaction);
    std::vector<NodeId> symbols;
    for (std::size_t k = 0; k < operations.size(); ++k)
      symbols.push_back(algebra_.graph.symbol("operation " + std::to_string(k)));
    const NodeId whole = algebra_.put(out.reaction, operations, symbols);
    std::vector<NodeId> gone(symbols.size(), algebra_.number(0));
    for (std::size_t k = 0; k < operations.size(); ++k) {
      const expression::Node node = algebra_.graph[operations[k]];
      if (node.op == Op::integral || node.op == Op::mean || node.op == Op::at) {
        gone[k] = operations[k];
        continue;
      }
      if (!is_transport(node.op)) {
        fault(operations[k], "it has no meaning here: write div(D*grad(u)), dx(u) or dxx(u)");
        continue;
      }
      const NodeId factor = algebra_.slope(whole, symbols[k]);
      const bool is_linear =
          std::none_of(symbols.begin(), symbols.end(), [&](NodeId other) { return algebra_.speaks_of(factor, other); });
      if (!is_linear && is_first_derivative(node.op) && algebra_.outermost_operations(node.arguments[0]).empty()) {
        gone[k] = symbols[k];
        out.slopes.push_back({symbols[k], operations[k]});
        continue;
      }
      if (!is_linear) fault(operations[k], "it must stand in a sum, times a factor without derivatives");
      const bool is_along_all = node.op == Op::divergence && problem_.space.size() > 1;
      for (int direction = is_along_all ? 0 : direction_of(node.op);
           direction <= (is_along_all ? 1 : direction_of(node.op)); ++direction) {
        out.transports.push_back(
            {.operation = node.op, .direction = direction, .of = node.arguments[0], .factor = factor});
        out.parts.push_back(parts_of(out.transports.back()));
        if (is_along_all && !algebra_.is_zero(out.parts.back().carried)) {
          fault(operations[k], "on a rectangle div is for gradients; write what is carried along with dx and dy");
          break;
        }
      }
    }
    out.reaction = algebra_.put(whole, symbols, gone);
    refuse_curvature_twice(out);
    return out;
  }

 private:
  // Where dxx(u) is the whole Laplace operator, 2 D/x dx(u) beside it is there already.
  void refuse_curvature_twice(const FieldEquation& equation) {
    const Space& space = problem_.space[0];
    if (space.geometry == Geometry::line) return;
    const auto is_second = [](const Transport& each) { return each.operation == Op::second_derivative_x; };
    if (std::none_of(equation.transports.begin(), equation.transports.end(), is_second)) return;
    for (const Transport& each : equation.transports)
      if (each.operation == Op::derivative_x && algebra_.speaks_of(each.factor, space.symbol))
        faults_.push_back(
            fmt::format("in this geometry dxx(u) is div(grad(u)), with what 1/{0} stands for: leave out the "
                        "derivative dx(u) times a function of {0}, or take the geometry line",
                        space.id));
  }

  void fault(NodeId operation, const std::string& why) {
    faults_.push_back(fmt::format("'{}': {}", expression::print(algebra_.graph, operation), why));
  }

  FluxParts parts_of(const Transport& transport) {
    if (is_second_derivative(transport.operation)) {
      if (!algebra_.outermost_operations(transport.of).empty())
        fault(transport.of, "a second derivative is taken of values alone");
      return {.gradients = {{.of = transport.of, .conductance = algebra_.number(1)}}, .carried = algebra_.number(0)};
    }
    FluxParts out;
    const std::vector<NodeId> driving = algebra_.outermost_operations(transport.of);
    std::vector<NodeId> symbols;
    for (std::size_t k = 0; k < driving.size(); ++k)
      symbols.push_back(algebra_.graph.symbol("gradient " + std::to_string(k)));
    const NodeId whole = algebra_.put(transport.of, driving, symbols);
    for (std::size_t k = 0; k < driving.size(); ++k) {
      const expression::Node node = algebra_.graph[driving[k]];
      const bool is_along = is_first_derivative(node.op) && direction_of(node.op) == transport.direction &&
                            (transport.operation != Op::divergence || problem_.space.size() == 1);
      const bool is_gradient = node.op == Op::gradient || is_along;
      if (!is_gradient || !algebra_.outermost_operations(node.arguments[0]).empty()) {
        fault(driving[k], "what flows is driven by gradients of values, as in div(D*grad(u))");
        continue;
      }
      const NodeId conductance = algebra_.slope(whole, symbols[k]);
      for (const NodeId other : symbols)
        if (algebra_.speaks_of(conductance, other)) fault(driving[k], "a flux is linear in what drives it");
      out.gradients.push_back({.of = node.arguments[0], .conductance = conductance});
    }
    out.carried = algebra_.put(whole, symbols, std::vector<NodeId>(symbols.size(), algebra_.number(0)));
    if (is_nothing(out.carried)) out.carried = algebra_.number(0);
    return out;
  }

  // D*u*0 is zero wherever it is finite; a graph keeps it, because it is not where it is not.
  bool is_nothing(NodeId formula) {
    if (!algebra_.outermost_operations(formula).empty()) return false;
    for (const double begin : {0.37, 1.21}) {
      std::vector<NodeId> numbers;
      const std::vector<NodeId> symbols = expression::symbols_of(algebra_.graph, {&formula, 1});
      for (std::size_t i = 0; i < symbols.size(); ++i)
        numbers.push_back(algebra_.number(begin + 0.113 * static_cast<double>(i)));
      if (!algebra_.is_zero(algebra_.put(formula, symbols, numbers))) return false;
    }
    return true;
  }

  const Problem& problem_;
  Algebra& algebra_;
  std::vector<std::string>& faults_;
};

// The velocity that carries the field: -c dh/du.
NodeId velocity_of(Algebra& algebra, const FieldEquation& equation, NodeId own, std::size_t transport) {
  return algebra.product(algebra.number(-1), algebra.product(equation.transports[transport].factor,
                                                             algebra.slope(equation.parts[transport].carried, own)));
}

double position_at(const Space& space, int i) { return space.from + (space.to - space.from) * (i + 0.5) / looked_at; }

// Some places in every experiment; those that set nothing of their own are like the first.
template <class Look>
void each_situation(const Problem& problem, const Look& look) {
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e) {
    const Experiment& experiment = problem.experiments[e];
    if (e > 0 && experiment.overrides.empty() && problem.inputs.empty() &&
        experiment.initial_fields == problem.experiments[0].initial_fields)
      continue;
    for (int i = 0; i < looked_at; ++i) {
      if (problem.space.size() == 1) look(Position{position_at(problem.space[0], i), 0}, e);
      for (int j = 0; j < looked_at && problem.space.size() > 1; ++j)
        look(Position{position_at(problem.space[0], i), position_at(problem.space[1], j)}, e);
    }
  }
}

}  // namespace

FieldEquation take_apart(const Problem& problem, Algebra& algebra, int field, std::vector<std::string>& faults) {
  return Dissection(problem, algebra, faults).take_apart(field);
}

double number_at_guess(const Problem& problem, Algebra& algebra, NodeId formula, const Position& position,
                       int experiment) {
  std::vector<NodeId> from, to;
  const auto put = [&](NodeId symbol, double value) {
    from.push_back(symbol);
    to.push_back(algebra.number(value));
  };
  const Experiment& its = problem.experiments[experiment];
  for (const Parameter& parameter : problem.parameters) {
    if (const auto* value = std::get_if<double>(&parameter.value))
      put(parameter.symbol, *value);
    else
      put(parameter.symbol, std::get<Estimated>(parameter.value).guess.value_or(1));
  }
  put(problem.time, its.start);
  for (const Input& input : problem.inputs)
    if (experiment < std::ssize(input.of_experiment)) put(input.symbol, input.of_experiment[experiment]->at(its.start));
  for (std::size_t d = 0; d < problem.space.size(); ++d) put(problem.space[d].symbol, position[d]);
  const auto number = [&](NodeId node) {
    return algebra.graph.is_constant(node) ? algebra.graph[node].value : std::numeric_limits<double>::quiet_NaN();
  };
  // Fields where they begin, formulas of the parameters and the position.
  std::vector<NodeId> fields, values;
  for (std::size_t f = 0; f < problem.fields.size() && f < its.initial_fields.size(); ++f) {
    fields.push_back(problem.fields[f].symbol);
    if (const auto* node = std::get_if<NodeId>(&its.initial_fields[f]))
      values.push_back(*node);
    else
      values.push_back(algebra.number(std::get<1>(its.initial_fields[f])->at(position[0])));
  }
  std::vector<NodeId> set, set_to;  // by the experiment
  for (const auto& [parameter, value] : its.overrides) {
    set.push_back(problem.parameters[parameter].symbol);
    set_to.push_back(value);
  }
  return number(algebra.put(algebra.put(algebra.put(formula, fields, values), set, set_to), from, to));
}

double peclet(const Problem& problem, Algebra& algebra, const FieldEquation& equation, int field,
              std::size_t transport) {
  const NodeId own = problem.fields[field].symbol;
  const NodeId velocity = velocity_of(algebra, equation, own, transport);
  if (algebra.is_zero(velocity)) return 0;
  NodeId conductance = algebra.number(0);
  const int direction = equation.transports[transport].direction;
  for (std::size_t k = 0; k < equation.transports.size(); ++k)
    for (const FluxParts::Gradient& gradient : equation.parts[k].gradients)
      if (equation.transports[k].direction == direction && algebra.speaks_of(gradient.of, own))
        conductance = algebra.sum(
            conductance, algebra.product(equation.transports[k].factor,
                                         algebra.product(gradient.conductance, algebra.slope(gradient.of, own))));
  double largest = 0;
  each_situation(problem, [&](const Position& position, int experiment) {
    const double v = number_at_guess(problem, algebra, velocity, position, experiment);
    const double d = number_at_guess(problem, algebra, conductance, position, experiment);
    const double here = std::abs(v) * problem.space[static_cast<std::size_t>(direction)].width() / std::abs(d);
    if (v != 0) largest = std::isfinite(here) ? std::max(largest, here) : std::numeric_limits<double>::infinity();
  });
  return largest;
}

Carriage carriage_of(const Problem& problem, Algebra& algebra, const FieldEquation& equation, int field,
                     std::size_t transport) {
  const NodeId velocity = velocity_of(algebra, equation, problem.fields[field].symbol, transport);
  Carriage out{
      .scheme = problem.scheme.advection, .sign = sure_sign(problem, algebra.graph, velocity), .size = 0, .speed = 0};
  if (out.scheme == Advection::limited && peclet(problem, algebra, equation, field, transport) < small_enough)
    out.scheme = Advection::central;
  const auto grow = [](double& to, double value) {
    if (std::isfinite(value)) to = std::max(to, std::abs(value));
  };
  each_situation(problem, [&](const Position& position, int experiment) {
    grow(out.speed, number_at_guess(problem, algebra, velocity, position, experiment));
    grow(out.size, number_at_guess(problem, algebra, problem.fields[field].symbol, position, experiment));
    for (const Boundary& boundary : problem.fields[field].boundary)
      if (boundary.kind == BoundaryKind::value && boundary.terms[0] != expression::no_node)
        grow(out.size, number_at_guess(problem, algebra, boundary.terms[0], position, experiment));
  });
  if (out.size == 0) out.size = 1;
  if (out.speed == 0) out.speed = 1;
  return out;
}

}  // namespace salvo::model::cells
