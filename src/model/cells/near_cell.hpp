#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/cells/algebra.hpp"
#include "model/cells/grid.hpp"
#include "model/problem.hpp"

namespace salvo::model::cells {

// What carries a field from cell to cell along one coordinate: c div(E), c dx(E) or c dxx(e) in its equation. On a
// rectangle c div(E) is one along each.
struct Transport {
  Op operation = Op::divergence;
  int direction = 0;
  NodeId of = expression::no_node;      // E or e ...
  NodeId factor = expression::no_node;  // ... and c, in the names of the user
};

// A flux E = sum_k conductance_k d(driven_k)/dx + carried.
struct FluxParts {
  struct Gradient {
    NodeId of = expression::no_node;
    NodeId conductance = expression::no_node;
  };
  std::vector<Gradient> gradients{};
  NodeId carried = expression::no_node;
};

// How a field is carried along at faces, decided once for all cells.
struct Carriage {
  Advection scheme = Advection::limited;  // what is asked for, or central where cells are small enough for that
  int sign = 0;                           // of its velocity; 0: not sure
  double size = 1;                        // of the field, for what is too small a slope to be limited
  double speed = 1;                       // of what carries it, at the guess
};

// One field's equation taken apart: transport, and the rest with symbols in the place of what is no flux.
struct FieldEquation {
  std::vector<Transport> transports{};
  std::vector<FluxParts> parts{};     // of each
  std::vector<Carriage> carriages{};  // of each
  NodeId reaction = expression::no_node;
  std::vector<std::pair<NodeId, NodeId>> slopes{};  // symbol, operation: derivatives that are no transport
};

struct DividedFields {
  Problem& problem;
  std::vector<Grid> grids{};    // of each coordinate
  std::vector<Field> fields{};  // with functionals in the place of integrals
  std::vector<FieldEquation> equations{};

  bool is_periodic(int direction) const {
    return fields[0].boundary[2 * static_cast<std::size_t>(direction)].kind == BoundaryKind::periodic;
  }
  int directions() const { return static_cast<int>(grids.size()); }
  int cells() const { return grids[0].cells * (directions() > 1 ? grids[1].cells : 1); }
};

// Formulas in and around one kind of cell. Fields are named by how many cells away they are. Fluxes along a coordinate
// are made of cells in a line along it, so that one coordinate is looked at at a time.
class NearCell {
 public:
  static constexpr int far = 1 << 20;
  // So many cells lie between this kind of cell and the walls, by Side.
  NearCell(DividedFields& fields, const std::array<int, 4>& to_wall)
      : fields_(fields), algebra_{fields.problem.graph}, to_wall_(to_wall) {}

  // du/dt of a field.
  NodeId derivative(int field);
  // The symbols that its formulas use.
  struct Symbol {
    NodeId symbol = expression::no_node;
    int field = 0;
    std::array<int, 2> offset{};
  };
  const std::vector<Symbol>& neighbours() const { return neighbours_; }
  NodeId position(int direction = 0) const {
    return algebra_.graph.symbol(direction == 0 ? "the middle of a cell" : "the middle of a cell along y");
  }
  NodeId left_share() const { return algebra_.graph.symbol("left face over cell"); }
  NodeId right_share() const { return algebra_.graph.symbol("right face over cell"); }
  static bool has_value_at(const Field& field, Side side) { return field.at(side).kind == BoundaryKind::value; }

 private:
  NodeId value(int field, int offset);
  NodeId at_wall(int field, Side side);  // the field there
  NodeId beyond_wall(int field, Side side, int distance);
  NodeId wall_by_flux(int field, Side side);
  NodeId formula_at(NodeId formula, int offset);
  NodeId formula_at_wall(NodeId formula, Side side);
  NodeId with_fields(NodeId formula, std::span<const NodeId> values, NodeId x);
  NodeId face(int field, std::size_t transport, int left);
  NodeId difference(NodeId of, int left);
  NodeId carried(int field, std::size_t transport, int left);
  NodeId upwind(int field, const Carriage& carriage, NodeId velocity, int left);
  NodeId limited_slope(NodeId ahead, NodeId behind, double size) const;
  NodeId wall_face(int field, std::size_t transport, Side side);
  NodeId contribution(int field, std::size_t transport);
  NodeId pointwise(NodeId operation);
  NodeId flux_condition(int field, Side side) const;
  bool has_flux_condition(int field, Side side) const;
  // Of the coordinate that is looked at.
  const Grid& grid() const { return fields_.grids[static_cast<std::size_t>(direction_)]; }
  double width() const { return grid().width; }
  bool is_periodic() const { return fields_.is_periodic(direction_); }
  std::array<Side, 2> sides() const {
    return direction_ == 0 ? std::array{Side::left, Side::right} : std::array{Side::bottom, Side::top};
  }
  static bool is_low(Side side) { return side == Side::left || side == Side::bottom; }
  int to(Side side) const { return to_wall_[static_cast<std::size_t>(side)]; }
  bool is_at_wall(Side side) const { return !is_periodic() && to(side) == 0; }
  // The first cell beside the wall, seen from here.
  int beside(Side side) const { return is_low(side) ? -to(side) : to(side); }
  double wall_position(Side side) const { return is_low(side) ? grid().from : grid().to(); }
  void put_positions(NodeId along, std::vector<NodeId>& from, std::vector<NodeId>& to) const;

  DividedFields& fields_;
  Algebra algebra_;
  std::array<int, 4> to_wall_;
  int direction_ = 0;
  std::vector<Symbol> neighbours_{};
};

}  // namespace salvo::model::cells
