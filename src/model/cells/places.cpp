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
Places::Line Places::line_through(int field, int direction, double position, bool is_slope) const {
  constexpr int most_nodes = 4;
  const Grid& grid = fields_.grids[static_cast<std::size_t>(direction)];
  const Side low = direction == 0 ? Side::left : Side::bottom;
  const Side high = direction == 0 ? Side::right : Side::top;
  const bool left = !grid.has_centre() && NearCell::has_value_at(fields_.fields[field], low);
  const bool right = NearCell::has_value_at(fields_.fields[field], high);
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
  Line out;
  for (int n = 0; n < used; ++n) {
    const int cell = first + n - before;
    if (cell < 0 || cell >= grid.cells) {
      out.of_wall[cell < 0 ? 0 : 1] = weights[n];
      continue;
    }
    if (out.weights.empty()) out.first = cell;
    out.weights.push_back(weights[n]);
  }
  return out;
}

NodeId Places::value(int field, const std::array<double, 2>& position, int slope_along) {
  NodeId sum = algebra_.number(0);
  const auto add_wall = [&](Side side, double weight) {
    if (weight != 0) sum = algebra_.sum(sum, algebra_.times(weight, fields_.fields[field].at(side).terms[0]));
  };
  const Line x = line_through(field, 0, position[0], slope_along == 0);
  if (fields_.directions() == 1) {
    add_wall(Side::left, x.of_wall[0]);
    add_wall(Side::right, x.of_wall[1]);
    return algebra_.sum(functional(field, x.first, x.weights), sum);
  }
  const Line y = line_through(field, 1, position[1], slope_along == 1);
  const double whole = slope_along == 0 ? 0 : 1;  // of the weights of a line at a wall
  add_wall(Side::bottom, y.of_wall[0] * whole);
  add_wall(Side::top, y.of_wall[1] * whole);
  for (std::size_t j = 0; j < y.weights.size(); ++j) {
    add_wall(Side::left, y.weights[j] * x.of_wall[0]);
    add_wall(Side::right, y.weights[j] * x.of_wall[1]);
    std::vector<double> weights = x.weights;
    for (double& weight : weights) weight *= y.weights[j];
    const int row = y.first + static_cast<int>(j);
    sum = algebra_.sum(sum, functional(field, row * fields_.grids[0].cells + x.first, std::move(weights)));
  }
  return sum;
}

NodeId Places::at(NodeId formula, const std::array<double, 2>& position) {
  const NodeId whole = lowered(formula);
  std::vector<NodeId> from, to;
  for (std::size_t d = 0; d < fields_.grids.size(); ++d) {
    from.push_back(fields_.problem.space[d].symbol);
    to.push_back(algebra_.number(position[d]));
  }
  for (const NodeId operation : algebra_.outermost_operations(whole)) {
    const expression::Node node = algebra_.graph[operation];
    const auto field = std::find_if(fields_.fields.begin(), fields_.fields.end(),
                                    [&](const Field& each) { return each.symbol == node.arguments[0]; });
    const bool is_slope = node.op == Op::derivative_x || node.op == Op::derivative_y;
    if (!is_slope || field == fields_.fields.end()) {
      fault(operation, "of derivatives, formulas outside of equations know dx of a field alone");
      continue;
    }
    from.push_back(operation);
    to.push_back(
        value(static_cast<int>(field - fields_.fields.begin()), position, node.op == Op::derivative_x ? 0 : 1));
  }
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    if (!algebra_.speaks_of(whole, fields_.fields[f].symbol)) continue;
    from.push_back(fields_.fields[f].symbol);
    to.push_back(value(static_cast<int>(f), position, -1));
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
  return fields_.grids[0].from;
}

double Places::volume(const Box& box) const {
  double volume = 1;
  for (std::size_t d = 0; d < fields_.grids.size(); ++d)
    volume *= fields_.grids[d].around() * fields_.grids[d].volume(box.from[d], box.to[d]);
  return volume;
}

// How much of each cell of a line lies inside.
static std::vector<double> inside(const Grid& grid, double from, double to, int& first) {
  first = std::clamp(static_cast<int>(std::floor((from - grid.from) / grid.width)), 0, grid.cells - 1);
  std::vector<double> weights;
  for (int i = first; i < grid.cells && grid.face(i) < to; ++i)
    weights.push_back(grid.around() * grid.volume(std::max(from, grid.face(i)), std::min(to, grid.face(i + 1))));
  return weights;
}

// Each field times what stands before it: cells that are cut count by the part of them that lies inside.
NodeId Places::integral(NodeId formula, const Box& box) {
  const auto varies = [&](NodeId node) {
    const auto is_used = [&](const auto& each) { return algebra_.speaks_of(node, each.symbol); };
    const auto& space = fields_.problem.space;
    return std::any_of(space.begin(), space.end(), is_used) ||
           std::any_of(fields_.fields.begin(), fields_.fields.end(), is_used);
  };
  NodeId rest = formula;
  NodeId sum = algebra_.number(0);
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    const NodeId symbol = fields_.fields[f].symbol;
    if (!algebra_.speaks_of(formula, symbol)) continue;
    const NodeId factor = algebra_.slope(formula, symbol);
    if (varies(factor))
      fault(formula, "integrals and means are of sums of fields, times factors that do not vary in space");
    int first = 0;
    int first_row = 0;
    const std::vector<double> row = inside(fields_.grids[0], box.from[0], box.to[0], first);
    std::vector<double> rows{1};
    if (fields_.directions() > 1) rows = inside(fields_.grids[1], box.from[1], box.to[1], first_row);
    std::vector<double> weights;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      weights.resize(j * static_cast<std::size_t>(fields_.grids[0].cells));  // the rest of the row before
      for (const double weight : row) weights.push_back(rows[j] * weight);
    }
    if (weights.empty()) continue;
    const int cell = first_row * fields_.grids[0].cells + first;
    sum = algebra_.sum(sum, algebra_.product(factor, functional(static_cast<int>(f), cell, std::move(weights))));
    rest = algebra_.put(rest, std::vector{symbol}, std::vector{algebra_.number(0)});
  }
  if (algebra_.is_zero(rest)) return sum;
  if (varies(rest))
    fault(formula, "integrals and means are of sums of fields, times factors that do not vary in space");
  return algebra_.sum(sum, algebra_.times(volume(box), rest));
}

// Over which coordinate an integral or a mean goes, and how far.
bool Places::add_stretch(NodeId operation, Box& box, std::array<bool, 2>& is_set) {
  const NodeId range = algebra_.graph[operation].arguments[1];
  const expression::Node over = algebra_.graph[range];
  const NodeId coordinate = over.op == Op::stretch ? over.arguments[0] : range;
  std::size_t d = 0;
  while (d + 1 < fields_.grids.size() && fields_.problem.space[d].symbol != coordinate) ++d;
  const Grid& grid = fields_.grids[d];
  double from = grid.from;
  double to = grid.to();
  if (over.op == Op::stretch) {
    from = constant(over.arguments[1], operation);
    to = constant(over.arguments[2], operation);
  }
  const double rounding = 1e-12 * (grid.to() - grid.from);
  if (is_set[d] || !(from < to) || from < grid.from - rounding || to > grid.to() + rounding) {
    fault(operation,
          fmt::format("it reaches from {:g} to {:g}, and space from {:g} to {:g}", from, to, grid.from, grid.to()));
    return false;
  }
  is_set[d] = true;
  box.from[d] = from;
  box.to[d] = to;
  return true;
}

// On a rectangle an integral over one coordinate stands in one over the other.
NodeId Places::over_stretch(NodeId operation) {
  Box box;
  std::array<bool, 2> is_set{};
  double divided_by = 1;
  NodeId of = operation;
  for (int d = 0; d < fields_.directions(); ++d) {
    const expression::Node node = algebra_.graph[of];
    if (node.op != Op::integral && node.op != Op::mean) {
      fault(operation, "on a rectangle it goes over both coordinates, as integral(integral(u, x), y)");
      return algebra_.number(0);
    }
    const Box before = box;
    if (!add_stretch(of, box, is_set)) return algebra_.number(0);
    if (node.op == Op::mean)
      for (std::size_t k = 0; k < fields_.grids.size(); ++k)
        if (box.from[k] != before.from[k] || box.to[k] != before.to[k])
          divided_by *= fields_.grids[k].around() * fields_.grids[k].volume(box.from[k], box.to[k]);
    of = node.arguments[0];
  }
  of = lowered(of);
  if (!algebra_.outermost_operations(of).empty()) fault(operation, "it is of values, not of derivatives");
  const NodeId whole = integral(of, box);
  return divided_by == 1 ? whole : algebra_.quotient(whole, algebra_.number(divided_by));
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
      const expression::Node where = algebra_.graph[node.arguments[1]];
      std::array<double, 2> position{};
      bool is_inside = true;
      for (std::size_t d = 0; d < fields_.grids.size(); ++d) {
        const Grid& grid = fields_.grids[d];
        position[d] = constant(where.op == Op::pair ? where.arguments[d] : node.arguments[1], operation);
        if (position[d] >= grid.from && position[d] <= grid.to()) continue;
        fault(operation, fmt::format("space reaches from {:g} to {:g}", grid.from, grid.to()));
        is_inside = false;
      }
      if (is_inside) known.push_back({operation, at(node.arguments[0], position)});
    } else if (node.op == Op::derivative_x || node.op == Op::derivative_y) {
      lower_operations(node.arguments[0]);
    }
  }
}

}  // namespace salvo::model::cells
