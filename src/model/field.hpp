#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "expression/graph.hpp"
#include "model/axis.hpp"
#include "model/choices.hpp"

// Fields: unknowns that live in space and follow partial differential equations, as plain data.
namespace salvo::model {

using expression::NodeId;

// One coordinate and how it is divided into cells of equal length. A second one makes a rectangle.
struct Space {
  std::string id{};  // "x" or "y"
  NodeId symbol = expression::no_node;
  double from = 0;
  double to = 1;
  int cells = 0;
  Geometry geometry = Geometry::line;  // cylinder and sphere: the coordinate is the radius
  Axis axis{};

  double width() const { return (to - from) / cells; }                     // of a cell
  double centre(int cell) const { return from + (cell + 0.5) * width(); }  // of a cell, from 0
};

// What holds at one end of a coordinate; formulas of time and parameters.
//   value:    u = terms[0]
//   flux:     v u - D du/dx = terms[0], along the coordinate: in at the left end and out at the right one if positive
//   gradient: du/dx = terms[0], along the coordinate
//   robin:    terms[0] u + terms[1] du/dn = terms[2], n pointing outwards
//   periodic: what leaves at one end enters at the other
struct Boundary {
  BoundaryKind kind = BoundaryKind::flux;
  std::array<NodeId, 3> terms{expression::no_node, expression::no_node, expression::no_node};
};
enum class Side { left, right, bottom, top };
inline constexpr int terms_of(BoundaryKind kind) {
  return kind == BoundaryKind::robin ? 3 : kind == BoundaryKind::periodic ? 0 : 1;
}

struct Field {
  std::string id{};
  NodeId symbol = expression::no_node;
  NodeId derivative = expression::no_node;  // du/dt, with operations on fields in it; definitions already put in
  std::array<Boundary, 4> boundary{};       // by Side; the centre of a cylinder or a sphere needs none
  Axis axis{};

  const Boundary& at(Side side) const { return boundary[static_cast<std::size_t>(side)]; }
  Boundary& at(Side side) { return boundary[static_cast<std::size_t>(side)]; }
};

// How space is discretised.
struct Scheme {
  Advection advection = Advection::limited;
  int order = 2;  // or 4, inside the domain
};

// A field as it was measured: linear between the rows, constant beyond their ends.
class PositionTable {
 public:
  PositionTable(std::vector<double> position, std::vector<double> value);  // at least one row; positions increase

  double at(double position) const;
  // The mean over a stretch of space, exactly: what a cell of that stretch begins with.
  double mean(double from, double to) const;
  const std::vector<double>& position() const { return position_; }
  const std::vector<double>& value() const { return value_; }

 private:
  double integral(double to) const;  // from the first row

  std::vector<double> position_{};
  std::vector<double> value_{};
  std::vector<double> integral_{};  // up to each row
};

// Where a field begins: a formula of the coordinates and of parameters, or a table.
using InitialField = std::variant<NodeId, std::shared_ptr<const PositionTable>>;

// Bounds for the number of cells, all of them together.
inline constexpr int fewest_cells = 4;  // in one coordinate
inline constexpr int most_cells = 1'000'000;
inline constexpr int most_cells_of_a_rectangle = 65'536;

}  // namespace salvo::model
