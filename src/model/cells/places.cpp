#include "model/cells/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/field_operators.hpp"
#include "expression/print.hpp"

namespace salvo::model::cells {

std::vector<double> lagrange(const std::vector<double>& nodes, double x, bool is_slope) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double value = 1;
    double slope = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (i == j) continue;
      const double over = 1 / (nodes[i] - nodes[j]);
      slope = slope * (x - nodes[j]) * over + value * over;
      value *= (x - nodes[j]) * over;
    }
    weights.push_back(is_slope ? slope : value);
  }
  return weights;
}

void Places::fault(NodeId operation, const std::string& why) {
  faults_.push_back(fmt::format("'{}': {}", expression::print(algebra_.graph, operation), why));
}

NodeId Places::functional(int field, int cell, std::vector<double> weights) {
  auto& all = fields_.problem.cells.functionals;
  const int step = static_cast<int>(fields_.fields.size());
  const int state = first_ + cell * step + field;
  for (const Functional& known : all)
    if (known.state == state && known.step == step && known.weights == weights) return known.symbol;
  const NodeId symbol = algebra_.graph.symbol("sum of cells " + std::to_string(all.size()));
  all.push_back({symbol, state, step, std::move(weights)});
  return symbol;
}

// The polynomial through the four nearest of the cells' centres and of the walls where a value is given.
NodeId Places::value(int field, double position, bool is_slope) {
  constexpr int most_nodes = 4;
  const Grid& grid = fields_.grid;
  const bool left = !grid.has_centre() && NearCell::has_value_at(fields_.fields[field], Side::left);
  const bool right = NearCell::has_value_at(fields_.fields[field], Side::right);
  std::vector<double> nodes;
  if (left) nodes.push_back(grid.from);
  const int before = static_cast<int>(nodes.size());
  for (int i = 0; i < grid.cells; ++i) nodes.push_back(grid.centre(i));
  if (right) nodes.push_back(grid.to());
  const int count = static_cast<int>(nodes.size());
  const int above = static_cast<int>(std::upper_bound(nodes.begin(), nodes.end(), position) - nodes.begin());
  const int used = std::min(most_nodes, count);
  const int first = std::clamp(above - used / 2, 0, count - used);
  const std::vector<double> weights =
      lagrange({nodes.begin() + first, nodes.begin() + first + used}, position, is_slope);

  NodeId sum = algebra_.number(0);
  std::vector<double> of_cells;
  int first_cell = 0;
  for (int n = 0; n < used; ++n) {
    const int cell = first + n - before;
    const bool at_wall = cell < 0 || cell >= grid.cells;
    if (at_wall) {
      const Side side = cell < 0 ? Side::left : Side::right;
      sum = algebra_.sum(sum, algebra_.times(weights[n], fields_.fields[field].at(side).terms[0]));
      continue;
    }
    if (of_cells.empty()) first_cell = cell;
    of_cells.push_back(weights[n]);
  }
  return algebra_.sum(functional(field, first_cell, std::move(of_cells)), sum);
}

NodeId Places::at(NodeId formula, double position) {
  const NodeId whole = lowered(formula);
  std::vector<NodeId> from{fields_.problem.space[0].symbol};
  std::vector<NodeId> to{algebra_.number(position)};
  for (const NodeId operation : algebra_.outermost_operations(whole)) {
    const expression::Node node = algebra_.graph[operation];
    const auto field = std::find_if(fields_.fields.begin(), fields_.fields.end(),
                                    [&](const Field& each) { return each.symbol == node.arguments[0]; });
    if (node.op != Op::derivative_x || field == fields_.fields.end()) {
      fault(operation, "of derivatives, formulas outside of equations know dx of a field alone");
      continue;
    }
    from.push_back(operation);
    to.push_back(value(static_cast<int>(field - fields_.fields.begin()), position, true));
  }
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    if (!algebra_.speaks_of(whole, fields_.fields[f].symbol)) continue;
    from.push_back(fields_.fields[f].symbol);
    to.push_back(value(static_cast<int>(f), position, false));
  }
  return algebra_.put(whole, from, to);
}

double Places::constant(NodeId formula, NodeId operation) {
  std::vector<NodeId> from, to;
  for (const Parameter& parameter : fields_.problem.parameters) {
    if (parameter.is_estimated()) continue;
    from.push_back(parameter.symbol);
    to.push_back(algebra_.number(std::get<double>(parameter.value)));
  }
  const NodeId node = algebra_.put(formula, from, to);
  if (algebra_.graph.is_constant(node)) return algebra_.graph[node].value;
  fault(operation, "places are numbers, not formulas of what is estimated");
  return fields_.grid.from;
}

// Each field times what stands before it: cells that are cut count by the part of them that lies inside.
NodeId Places::integral(NodeId formula, double from, double to) {
  const Grid& grid = fields_.grid;
  NodeId rest = formula;
  NodeId sum = algebra_.number(0);
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    const NodeId symbol = fields_.fields[f].symbol;
    if (!algebra_.speaks_of(formula, symbol)) continue;
    const NodeId factor = algebra_.slope(formula, symbol);
    bool varies = algebra_.speaks_of(factor, fields_.problem.space[0].symbol);
    for (const Field& each : fields_.fields) varies = varies || algebra_.speaks_of(factor, each.symbol);
    if (varies) fault(formula, "integrals and means are of sums of fields, times factors that do not vary in space");
    const int first = std::clamp(static_cast<int>(std::floor((from - grid.from) / grid.width)), 0, grid.cells - 1);
    std::vector<double> weights;
    for (int i = first; i < grid.cells && grid.face(i) < to; ++i)
      weights.push_back(grid.around() * grid.volume(std::max(from, grid.face(i)), std::min(to, grid.face(i + 1))));
    if (weights.empty()) continue;
    sum = algebra_.sum(sum, algebra_.product(factor, functional(static_cast<int>(f), first, std::move(weights))));
    rest = algebra_.put(rest, std::vector{symbol}, std::vector{algebra_.number(0)});
  }
  if (algebra_.is_zero(rest)) return sum;
  if (algebra_.speaks_of(rest, fields_.problem.space[0].symbol))
    fault(formula, "integrals and means are of sums of fields, times factors that do not vary in space");
  return algebra_.sum(sum, algebra_.times(grid.around() * grid.volume(from, to), rest));
}

NodeId Places::over_stretch(NodeId operation) {
  const Grid& grid = fields_.grid;
  const expression::Node node = algebra_.graph[operation];
  double from = grid.from;
  double to = grid.to();
  if (const expression::Node over = algebra_.graph[node.arguments[1]]; over.op == Op::stretch) {
    from = constant(over.arguments[1], operation);
    to = constant(over.arguments[2], operation);
  }
  const double rounding = 1e-12 * (grid.to() - grid.from);
  if (!(from < to) || from < grid.from - rounding || to > grid.to() + rounding) {
    fault(operation,
          fmt::format("it reaches from {:g} to {:g}, and space from {:g} to {:g}", from, to, grid.from, grid.to()));
    return algebra_.number(0);
  }
  const NodeId of = lowered(node.arguments[0]);
  if (!algebra_.outermost_operations(of).empty()) fault(operation, "it is of values, not of derivatives");
  const NodeId whole = integral(of, from, to);
  if (node.op == Op::integral) return whole;
  return algebra_.quotient(whole, algebra_.number(grid.around() * grid.volume(from, to)));
}

// With what stands for integrals, means and places inside it.
NodeId Places::lowered(NodeId formula) {
  lower_operations(formula);
  std::vector<NodeId> from, to;
  for (const auto& [operation, stands_for] : fields_.problem.cells.in_place_of) {
    from.push_back(operation);
    to.push_back(stands_for);
  }
  return algebra_.put(formula, from, to);
}

void Places::lower_operations(NodeId formula) {
  auto& known = fields_.problem.cells.in_place_of;
  const std::size_t faults_before = faults_.size();
  for (const NodeId operation : algebra_.outermost_operations(formula)) {
    const expression::Node node = algebra_.graph[operation];
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const auto& pair) { return pair.first == operation; });
    if (is_known || faults_.size() > faults_before) continue;
    if (node.op == Op::integral || node.op == Op::mean) {
      const NodeId stands_for = over_stretch(operation);
      known.push_back({operation, stands_for});
    } else if (node.op == Op::at) {
      const double position = constant(node.arguments[1], operation);
      const Grid& grid = fields_.grid;
      if (position < grid.from || position > grid.to())
        fault(operation, fmt::format("space reaches from {:g} to {:g}", grid.from, grid.to()));
      else
        known.push_back({operation, at(node.arguments[0], position)});
    } else if (node.op == Op::derivative_x) {
      lower_operations(node.arguments[0]);
    }
  }
}

}  // namespace salvo::model::cells
