#include "model/cells/near_cell.hpp"

#include <algorithm>

namespace salvo::model::cells {

// --- fields around a cell --------------------------------------------------------------------------------------------

NodeId NearCell::value(int field, int offset) {
  const Field& its = fields_.fields[field];
  const auto [low, high] = sides();
  if (!is_periodic() && offset < -to(low)) return beyond_wall(field, low, -to(low) - offset);
  if (!is_periodic() && offset > to(high)) return beyond_wall(field, high, offset - to(high));
  std::array<int, 2> apart{};
  apart[static_cast<std::size_t>(direction_)] = offset;
  std::string name = its.id + " at cell " + std::to_string(apart[0]);
  if (fields_.directions() > 1) name += "," + std::to_string(apart[1]);
  const NodeId symbol = algebra_.graph.symbol(name);
  const auto known = [&](const Symbol& each) { return each.symbol == symbol; };
  if (std::none_of(neighbours_.begin(), neighbours_.end(), known)) neighbours_.push_back({symbol, field, apart});
  return symbol;
}

// The mirror image of what lies inside: with the slope that holds at the wall, or about the value there.
NodeId NearCell::beyond_wall(int field, Side side, int distance) {
  const int inward = is_low(side) ? 1 : -1;
  const NodeId image = value(field, beside(side) + inward * (distance - 1));
  const NodeId wall = at_wall(field, side);
  if (has_value_at(fields_.fields[field], side)) return algebra_.difference(algebra_.times(2, wall), image);
  const NodeId rise = algebra_.difference(wall, value(field, beside(side)));  // over half a cell, outwards
  return algebra_.sum(image, algebra_.times(2.0 * (2 * distance - 1), rise));
}

NodeId NearCell::at_wall(int field, Side side) {
  const NodeId inside = value(field, beside(side));
  if (is_low(side) && grid().has_centre()) return inside;
  const Boundary& boundary = fields_.fields[field].at(side);
  const auto term = [&](int i) {
    return boundary.terms[i] == expression::no_node ? algebra_.number(0) : formula_at(boundary.terms[i], beside(side));
  };
  const double outwards = is_low(side) ? -1 : 1;
  switch (boundary.kind) {
    case BoundaryKind::value: return term(0);
    case BoundaryKind::gradient: return algebra_.sum(inside, algebra_.times(outwards * width() / 2, term(0)));
    case BoundaryKind::robin: {  // a w + b (w - u)/(dx/2) = c
      const NodeId b = algebra_.times(2 / width(), term(1));
      return algebra_.quotient(algebra_.sum(term(2), algebra_.product(b, inside)), algebra_.sum(term(0), b));
    }
    case BoundaryKind::flux: return wall_by_flux(field, side);
    case BoundaryKind::periodic: break;
  }
  return inside;
}

// -K (w - u)/(dx/2) - h(u) = flux to the right end of a cell; K and h as they are in the cell.
NodeId NearCell::wall_by_flux(int field, Side side) {
  const NodeId inside = value(field, beside(side));
  const FieldEquation& equation = fields_.equations[field];
  NodeId missing = flux_condition(field, side);
  NodeId conductance = algebra_.number(0);
  for (std::size_t k = 0; k < equation.transports.size(); ++k) {
    if (equation.transports[k].direction != direction_) continue;
    const NodeId factor = formula_at(equation.transports[k].factor, beside(side));
    for (const FluxParts::Gradient& gradient : equation.parts[k].gradients)
      if (gradient.of == fields_.fields[field].symbol)
        conductance =
            algebra_.sum(conductance, algebra_.product(factor, formula_at(gradient.conductance, beside(side))));
    missing = algebra_.sum(missing, algebra_.product(factor, formula_at(equation.parts[k].carried, beside(side))));
  }
  if (algebra_.is_zero(missing) || algebra_.is_zero(conductance)) return inside;
  NodeId rise = algebra_.quotient(algebra_.times(width() / 2, missing), conductance);
  // Where a layer lets nothing through, no slope at the wall makes up for what is missing.
  if (algebra_.speaks_of(conductance, position()) || algebra_.speaks_of(conductance, position(1))) {
    const NodeId square = algebra_.sum(algebra_.product(conductance, conductance), algebra_.number(Algebra::vanishing));
    rise = algebra_.quotient(algebra_.product(algebra_.times(width() / 2, missing), conductance), square);
  }
  return is_low(side) ? algebra_.sum(inside, rise) : algebra_.difference(inside, rise);
}

// `along` for the coordinate that is looked at, the middle of the cell for the other one.
void NearCell::put_positions(NodeId along, std::vector<NodeId>& from, std::vector<NodeId>& to) const {
  for (int d = 0; d < fields_.directions(); ++d) {
    from.push_back(fields_.problem.space[static_cast<std::size_t>(d)].symbol);
    to.push_back(d == direction_ ? along : position(d));
  }
}

NodeId NearCell::with_fields(NodeId formula, std::span<const NodeId> values, NodeId along) {
  std::vector<NodeId> from, to;
  put_positions(along, from, to);
  for (std::size_t f = 0; f < values.size(); ++f) {
    from.push_back(fields_.fields[f].symbol);
    to.push_back(values[f]);
  }
  return algebra_.put(formula, from, to);
}

NodeId NearCell::formula_at(NodeId formula, int offset) {
  std::vector<NodeId> values;
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    const NodeId symbol = fields_.fields[f].symbol;
    values.push_back(algebra_.speaks_of(formula, symbol) ? value(static_cast<int>(f), offset) : symbol);
  }
  return with_fields(formula, values, algebra_.sum(position(direction_), algebra_.number(offset * width())));
}

NodeId NearCell::formula_at_wall(NodeId formula, Side side) {
  std::vector<NodeId> values;
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    const NodeId symbol = fields_.fields[f].symbol;
    values.push_back(algebra_.speaks_of(formula, symbol) ? at_wall(static_cast<int>(f), side) : symbol);
  }
  return with_fields(formula, values, algebra_.number(wall_position(side)));
}

// --- fluxes at faces -------------------------------------------------------------------------------------------------

// de/dx at the face between the cells `left` and `left` + 1.
NodeId NearCell::difference(NodeId of, int left) {
  const NodeId inner = algebra_.difference(formula_at(of, left + 1), formula_at(of, left));
  if (fields_.problem.scheme.order < 4) return algebra_.times(1 / width(), inner);
  const NodeId outer = algebra_.difference(formula_at(of, left + 2), formula_at(of, left - 1));
  return algebra_.times(1 / (12 * width()), algebra_.difference(algebra_.times(15, inner), outer));
}

// a b (a + b)/(a^2 + b^2 + eps), after van Albada: smooth, and second order where the field is.
NodeId NearCell::limited_slope(NodeId ahead, NodeId behind, double size) const {
  constexpr double negligible = 1e-4;  // part of the field's size
  const double eps = negligible * size * (negligible * size);
  const NodeId squares = algebra_.sum(algebra_.product(ahead, ahead), algebra_.product(behind, behind));
  return algebra_.quotient(algebra_.product(algebra_.product(ahead, behind), algebra_.sum(ahead, behind)),
                           algebra_.sum(squares, algebra_.number(eps)));
}

NodeId NearCell::upwind(int field, const Carriage& carriage, NodeId velocity, int left) {
  const NodeId u = value(field, left);
  const NodeId next = value(field, left + 1);
  if (carriage.scheme == Advection::central) {
    if (fields_.problem.scheme.order < 4) return algebra_.mean(u, next);
    const NodeId outer = algebra_.sum(value(field, left - 1), value(field, left + 2));
    return algebra_.times(1.0 / 12, algebra_.difference(algebra_.times(7, algebra_.sum(u, next)), outer));
  }
  NodeId from_left = u;
  NodeId from_right = next;
  const NodeId step = algebra_.difference(next, u);
  if (carriage.scheme == Advection::limited && carriage.sign >= 0) {
    const NodeId behind = algebra_.difference(u, value(field, left - 1));
    from_left = algebra_.sum(u, algebra_.times(0.5, limited_slope(step, behind, carriage.size)));
  }
  if (carriage.scheme == Advection::limited && carriage.sign <= 0) {
    const NodeId ahead = algebra_.difference(value(field, left + 2), next);
    from_right = algebra_.difference(next, algebra_.times(0.5, limited_slope(step, ahead, carriage.size)));
  }
  if (carriage.sign != 0) return carriage.sign > 0 ? from_left : from_right;
  // v/sqrt(v^2 + eps^2) in the place of the sign, which is no smooth function.
  const double slow = 1e-3 * carriage.speed;
  const NodeId size = algebra_.root(algebra_.sum(algebra_.product(velocity, velocity), algebra_.number(slow * slow)));
  const NodeId share = algebra_.times(0.5, algebra_.quotient(velocity, size));
  return algebra_.sum(algebra_.mean(from_left, from_right),
                      algebra_.product(share, algebra_.difference(from_left, from_right)));
}

// The part of a flux that no gradient drives. The field itself is taken from where it comes from.
NodeId NearCell::carried(int field, std::size_t transport, int left) {
  const FieldEquation& equation = fields_.equations[field];
  const NodeId formula = equation.parts[transport].carried;
  const NodeId x = algebra_.sum(position(direction_), algebra_.number((left + 0.5) * width()));
  std::vector<NodeId> values;
  for (std::size_t f = 0; f < fields_.fields.size(); ++f) {
    const NodeId symbol = fields_.fields[f].symbol;
    const int other = static_cast<int>(f);
    values.push_back(algebra_.speaks_of(formula, symbol) ? algebra_.mean(value(other, left), value(other, left + 1))
                                                         : symbol);
  }
  const NodeId own = fields_.fields[field].symbol;
  if (!algebra_.speaks_of(formula, own)) return with_fields(formula, values, x);
  const NodeId along = algebra_.product(
      algebra_.number(-1), algebra_.product(equation.transports[transport].factor, algebra_.slope(formula, own)));
  values[field] = upwind(field, equation.carriages[transport], with_fields(along, values, x), left);
  return with_fields(formula, values, x);
}

// E between the cells `left` and `left` + 1.
NodeId NearCell::face(int field, std::size_t transport, int left) {
  const FluxParts& parts = fields_.equations[field].parts[transport];
  NodeId sum = carried(field, transport, left);
  for (const FluxParts::Gradient& gradient : parts.gradients) {
    const NodeId a = formula_at(gradient.conductance, left);
    const NodeId b = formula_at(gradient.conductance, left + 1);
    const auto& space = fields_.problem.space;
    const bool in_layers = std::any_of(space.begin(), space.end(), [&](const Space& each) {
      return algebra_.speaks_of(gradient.conductance, each.symbol);
    });
    const NodeId between = in_layers ? algebra_.harmonic_mean(a, b) : algebra_.mean(a, b);
    sum = algebra_.sum(sum, algebra_.product(between, difference(gradient.of, left)));
  }
  return sum;
}

NodeId NearCell::wall_face(int field, std::size_t transport, Side side) {
  const FluxParts& parts = fields_.equations[field].parts[transport];
  const double outwards = is_low(side) ? -1 : 1;
  NodeId sum = formula_at_wall(parts.carried, side);
  for (const FluxParts::Gradient& gradient : parts.gradients) {
    const NodeId conductance =
        algebra_.mean(formula_at(gradient.conductance, beside(side)), formula_at_wall(gradient.conductance, side));
    const NodeId rise = algebra_.difference(formula_at_wall(gradient.of, side), formula_at(gradient.of, beside(side)));
    sum = algebra_.sum(sum, algebra_.product(conductance, algebra_.times(outwards * 2 / width(), rise)));
  }
  return sum;
}

bool NearCell::has_flux_condition(int field, Side side) const {
  return is_at_wall(side) && fields_.fields[field].at(side).kind == BoundaryKind::flux &&
         !(is_low(side) && grid().has_centre());
}

NodeId NearCell::flux_condition(int field, Side side) const {
  const NodeId given = fields_.fields[field].at(side).terms[0];
  return given == expression::no_node ? algebra_.number(0) : given;
}

// --- equations -------------------------------------------------------------------------------------------------------

// c (A E at the right face - A E at the left one)/V; dx(E) has no areas. Where the flux is given it is put in once, for
// all transport.
NodeId NearCell::contribution(int field, std::size_t transport) {
  const Transport& its = fields_.equations[field].transports[transport];
  const NodeId plain = algebra_.number(1 / width());
  const bool is_plain = its.operation == Op::derivative_x || grid().geometry == Geometry::line;
  NodeId sum = algebra_.number(0);
  for (const Side side : sides()) {
    if (has_flux_condition(field, side)) continue;
    if (is_low(side) && is_at_wall(side) && grid().has_centre() && !is_plain) continue;
    const NodeId share = is_plain ? plain : is_low(side) ? left_share() : right_share();
    const NodeId flux =
        is_at_wall(side) ? wall_face(field, transport, side) : face(field, transport, is_low(side) ? -1 : 0);
    const NodeId part = algebra_.product(share, flux);
    sum = is_low(side) ? algebra_.difference(sum, part) : algebra_.sum(sum, part);
  }
  return algebra_.product(formula_at(its.factor, 0), sum);
}

// A derivative that stands in a formula other than as transport: of a face's values.
NodeId NearCell::pointwise(NodeId operation) {
  const expression::Node node = algebra_.graph[operation];
  direction_ = node.op == Op::derivative_y ? 1 : 0;
  const NodeId of = node.arguments[0];
  const auto at_face = [&](Side side) {
    const int left = is_low(side) ? -1 : 0;
    if (is_at_wall(side)) return formula_at_wall(of, side);
    return algebra_.mean(formula_at(of, left), formula_at(of, left + 1));
  };
  const auto [low, high] = sides();
  const NodeId rise = algebra_.difference(at_face(high), at_face(low));
  return algebra_.times(1 / width(), rise);
}

NodeId NearCell::derivative(int field) {
  const FieldEquation& equation = fields_.equations[field];
  std::vector<NodeId> symbols, slopes;
  for (const auto& [symbol, operation] : equation.slopes) {
    symbols.push_back(symbol);
    slopes.push_back(pointwise(operation));
  }
  NodeId sum = algebra_.put(formula_at(equation.reaction, 0), symbols, slopes);
  for (std::size_t k = 0; k < equation.transports.size(); ++k) {
    direction_ = equation.transports[k].direction;
    sum = algebra_.sum(sum, contribution(field, k));
  }
  for (direction_ = 0; direction_ < fields_.directions(); ++direction_) {
    const bool is_line = grid().geometry == Geometry::line;
    const bool is_carried = std::any_of(equation.transports.begin(), equation.transports.end(),
                                        [&](const Transport& transport) { return transport.direction == direction_; });
    for (const Side side : sides()) {
      if (!has_flux_condition(field, side) || !is_carried) continue;
      const NodeId share = is_line ? algebra_.number(1 / width()) : is_low(side) ? left_share() : right_share();
      const NodeId part = algebra_.product(share, formula_at(flux_condition(field, side), 0));
      sum = is_low(side) ? algebra_.sum(sum, part) : algebra_.difference(sum, part);
    }
  }
  direction_ = 0;
  return sum;
}

}  // namespace salvo::model::cells
