#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

//  1 title: Wound
//  2 space:
//  3   x: {from: 0, to: 10, cells: 50, unit: mm}
//  4 fields:
//  5   u: D*dxx(u) + r*u*(1 - u)
//  6 boundary:
//  7   u: {left: {value: 1}, right: {flux: 0}}
//  8 equations:
//  9   T: "-r*T + u(at: 10)"
// 10 initial:
// 11   u: exp(-x)
// 12   T: 0
// 13 parameters:
// 14   D: {guess: 0.5, bounds: [0, 10]}
// 15   r: {guess: 0.5}
// 16 observables:
// 17   density: {formula: u, noise: 0.05}
// 18   total: {formula: "integral(u, x)", noise: 0.05}
// 19 data: data.csv
std::string good_fields() {
  return "title: Wound\nspace:\n  x: {from: 0, to: 10, cells: 50, unit: mm}\nfields:\n  u: D*dxx(u) + r*u*(1 - u)\n"
         "boundary:\n  u: {left: {value: 1}, right: {flux: 0}}\nequations:\n  T: \"-r*T + u(at: 10)\"\ninitial:\n"
         "  u: exp(-x)\n  T: 0\nparameters:\n  D: {guess: 0.5, bounds: [0, 10]}\n  r: {guess: 0.5}\nobservables:\n"
         "  density: {formula: u, noise: 0.05}\n  total: {formula: \"integral(u, x)\", noise: 0.05}\ndata: data.csv\n";
}
const std::string good_rows = "time,x,density,total\n0,0.5,1,\n2,5,0.3,\n2,10,,4\n";

WrongInput fields(std::string name, const std::string& what, const std::string& by, int line, int column,
                  std::string message, std::string hint = {}) {
  std::string problem = good_fields();
  problem.replace(problem.find(what), what.size(), by);
  WrongInput wrong = in_problem(std::move(name), std::move(problem), line, column, std::move(message), std::move(hint));
  wrong.files["data.csv"] = good_rows;
  return wrong;
}

WrongInput rows(std::string name, const std::string& table, int line, int column, std::string message,
                std::string hint = {}) {
  return {.name = std::move(name),
          .files = {{"problem.yaml", good_fields()}, {"data.csv", table}},
          .in_file = "data.csv",
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

}  // namespace

std::vector<WrongInput> wrong_fields() {
  return {
      fields("NoCells", "cells: 50", "cells: 0", 3, 31, "x has 0 cells", "salvo check"),
      fields("TooManyCells", "cells: 50", "cells: 1000000000", 3, 31, "x has 1000000000 cells", "salvo check"),
      fields("PartOfACell", "cells: 50", "cells: 9.5", 3, 31, "a whole number from 4"),
      fields("UnknownGeometry", "unit: mm", "geometry: ball", 3, 45, "unknown geometry 'ball'", "sphere"),
      fields("NegativeRadius", "from: 0, to: 10, cells: 50, unit: mm", "from: -1, to: 10, geometry: sphere", 3, 35,
             "x is the radius of a sphere and begins at -1"),
      fields("ReversedSpace", "to: 10", "to: -3", 3, 20, "x begins at 0 and ends at -3"),
      fields("MissingBoundary", ", right: {flux: 0}", "", 7, 6, "the boundary condition of u at right is missing",
             "{flux: 0}"),
      fields("MissingBoundaries", "boundary:\n  u: {left: {value: 1}, right: {flux: 0}}\n", "", 5, 3,
             "the boundary conditions of u are missing", "write boundary"),
      fields("DoubledBoundary", "{value: 1}", "{value: 1, flux: 0}", 7, 24, "is stated twice: as value and as flux",
             "robin"),
      fields("DoubledSide", "right: {flux: 0}", "right: {flux: 0}, right: {flux: 1}", 7, 43, "'right' is given twice"),
      fields("UnknownSide", "right: {flux: 0}", "right: {flux: 0}, top: {flux: 0}", 7, 43,
             "'top' is no end of the space of u"),
      fields("UnknownCondition", "{value: 1}", "{volume: 1}", 7, 14, "unknown boundary condition 'volume'", "robin"),
      fields("PeriodicOnOneSide", "left: {value: 1}", "left: periodic", 7, 6, "u is periodic at left and not at right",
             "u: periodic"),
      fields("ValueAtTheCentre", "unit: mm", "geometry: sphere", 7, 13, "x = 0 is the centre of a sphere",
             "leave 'left' out"),
      fields("PeriodicSphere",
             "unit: mm}\nfields:\n  u: D*dxx(u) + r*u*(1 - u)\nboundary:\n  u: {left: {value: 1}, right: {flux: 0}}",
             "geometry: sphere}\nfields:\n  u: D*dxx(u) + r*u*(1 - u)\nboundary:\n  u: {right: periodic}", 7, 14,
             "does not end where"),
      fields("FieldInABoundary", "{value: 1}", "{value: u}", 7, 21, "is one number", "u(at: 3)"),
      fields("RobinOfTwo", "{value: 1}", "{robin: [1, 2]}", 7, 21, "needs three formulas", "a*u + b*du/dn = c"),
      fields("BoundaryOfAState", "  u: {left: {value: 1}", "  u: periodic\n  T: {left: {value: 1}", 8, 3,
             "'T' in 'boundary' is not a field", "u"),
      fields("DerivativeOfAState", "u(at: 10)", "dx(T)", 9, 14, "T has no place in space", "u"),
      fields("DerivativeOutsideFields", "u(at: 10)", "dxx(u)(at: 3)", 9, 14, "outside the section 'fields'",
             "u(at: 3)"),
      fields("FieldInAnOrdinaryEquation", "u(at: 10)", "u", 9, 7, "the equation of T is one number", "u(at: 3)"),
      fields("PlaceOutside", "u(at: 10)", "u(at: 11)", 9, 15, "outside the space of x, which reaches from 0 to 10"),
      fields("IntegralOverNoCoordinate", "integral(u, x)", "integral(u, D)", 18, 21, "D, which is not a coordinate"),
      fields("ReversedIntegral", "integral(u, x)", "integral(u, x, 5, 1)", 18, 21, "ends where it begins"),
      fields("SecondCoordinate", "dxx(u)", "dyy(u)", 5, 8, "needs a second coordinate"),
      fields("TwoFieldsWithOneName", "boundary:\n", "  u: D*dxx(u)\nboundary:\n", 6, 3, "'u' is given twice"),
      fields("NoInitialField", "  u: exp(-x)\n", "", 5, 3, "nothing says where the field u begins", "knots"),
      fields("InitialFieldOfAField", "exp(-x)", "u", 11, 6, "the field 'u' cannot be used in the initial field u"),
      fields("CoordinateInAnInitialValue", "T: 0", "T: x", 12, 6, "the coordinate 'x' cannot be used"),
      fields("TooFewKnots", "exp(-x)", "{knots: 1}", 11, 14, "the initial field u has 1 knots", "from 2 to 50"),
      fields("MapWithoutMeaning", "exp(-x)", "{guess: 1}", 11, 6, "a map without 'data' and 'knots'"),
      fields("UnknownScheme", "data: data.csv", "scheme: {advection: weno}\ndata: data.csv", 19, 21,
             "unknown advection 'weno'", "limited"),
      fields("UnknownOrder", "data: data.csv", "scheme: {order: 3}\ndata: data.csv", 19, 17, "order 2 or 4, not 3"),
      rows("NoColumnOfPositions", "time,density\n0,1\n2,0.3\n", 1, 1, "the column 'x' is missing", "mean(u, x)"),
      rows("NoPosition", "time,x,density,total\n0,0.5,1,\n2,,0.3,\n2,10,,4\n", 3, 3, "the position x"),
      rows("PositionOutside", "time,x,density,total\n0,0.5,1,\n2,12,0.3,\n2,10,,4\n", 3, 3,
           "x = 12 is outside the space of the problem, which reaches from 0 to 10", "widen x"),
  };
}

}  // namespace salvo::formats
