#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/cells/near_cell.hpp"

namespace salvo::model::cells {

// Fields between cells and over stretches of space, as functionals of the cells.
class Places {
 public:
  Places(DividedFields& fields, int first_cell) : fields_(fields), algebra_{fields.problem.graph}, first_(first_cell) {}

  // Formulas for what the operations in a formula stand for, outside of which nothing speaks of fields.
  void lower_operations(NodeId formula);
  // A formula at a place.
  NodeId at(NodeId formula, const std::array<double, 2>& position);

  const std::vector<std::string>& faults() const { return faults_; }

 private:
  // A number that is made of cells in a line and of the walls at its ends.
  struct Line {
    int first = 0;                  // cell
    std::vector<double> weights{};  // of cells from there on
    std::array<double, 2> of_wall{};
  };
  Line line_through(int field, int direction, double position, bool is_slope) const;
  // `slope_along` a coordinate, or of the field itself.
  NodeId value(int field, const std::array<double, 2>& position, int slope_along);
  NodeId functional(int field, int cell, std::vector<double> weights);
  NodeId over_stretch(NodeId operation);
  struct Box {
    std::array<double, 2> from{}, to{};
  };
  NodeId integral(NodeId formula, const Box& box);
  double volume(const Box& box) const;
  bool add_stretch(NodeId operation, Box& box, std::array<bool, 2>& is_set);
  NodeId lowered(NodeId formula);
  double constant(NodeId formula, NodeId operation);
  void fault(NodeId operation, const std::string& why);

  DividedFields& fields_;
  Algebra algebra_;
  int first_;
  std::vector<std::string> faults_{};
};

// Weights with which the values at the nodes make the value at x, or its slope there, by the polynomial through them.
std::vector<double> lagrange(const std::vector<double>& nodes, double x, bool is_slope);

}  // namespace salvo::model::cells
