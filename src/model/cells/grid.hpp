#pragma once

#include <cmath>
#include <numbers>

#include "model/field.hpp"

namespace salvo::model::cells {

// Cells of one coordinate: where they are, how large they and their faces are. Face i lies between cells i - 1 and i.
struct Grid {
  double from = 0;
  double width = 1;
  int cells = 1;
  Geometry geometry = Geometry::line;

  explicit Grid(const Space& space)
      : from(space.from), width(space.width()), cells(space.cells), geometry(space.geometry) {}

  double to() const { return face(cells); }
  double centre(int cell) const { return from + (cell + 0.5) * width; }
  double face(int i) const { return from + i * width; }
  bool has_centre() const { return geometry != Geometry::line && from == 0; }  // no condition is needed there

  double area(int face_index) const {
    const double r = face(face_index);
    return geometry == Geometry::line ? 1.0 : geometry == Geometry::cylinder ? r : r * r;
  }
  // Of what lies between two positions.
  double volume(double a, double b) const {
    switch (geometry) {
      case Geometry::line: return b - a;
      case Geometry::cylinder: return (b * b - a * a) / 2;
      case Geometry::sphere: return (b * b * b - a * a * a) / 3;
    }
    return 0;
  }
  // A whole circle or sphere has this much more.
  double around() const {
    return geometry == Geometry::line ? 1.0 : (geometry == Geometry::cylinder ? 2 : 4) * std::numbers::pi;
  }
  double volume(int cell) const { return volume(face(cell), face(cell + 1)); }
};

}  // namespace salvo::model::cells
