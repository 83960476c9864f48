#pragma once

#include <array>
#include <utility>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::model {

// Equations that are the same in many cells of a field: written once, by symbols that stand for numbers in and around a
// cell. Cells are ordinary states that have no formula of their own; they stand behind those that have.
struct Stencil {
  // A state that a cell's equation reads; that of the next cell stands `stride` states further.
  struct Neighbour {
    expression::NodeId symbol = expression::no_node;
    int state = 0;
    int stride = 0;
    int row_stride = 0;
  };
  // A number that every cell has for itself: its position, areas of its faces over its volume.
  struct OfCell {
    expression::NodeId symbol = expression::no_node;
    std::vector<double> values{};  // as many as there are cells
  };

  int state = 0;   // of the first cell and the first equation; that of the next equation is the next state
  int stride = 1;  // from cell to cell
  int cells = 0;   // of a row
  int rows = 1;    // on a rectangle, one behind the other
  int row_stride = 0;
  std::vector<expression::NodeId> derivatives{};  // one for each field
  std::vector<Neighbour> neighbours{};
  std::vector<OfCell> numbers{};

  int count() const { return cells * rows; }
};

// A number that is a weighted sum of cells: an integral of a field, or what it is between them.
struct Functional {
  expression::NodeId symbol = expression::no_node;
  int state = 0;
  int step = 1;  // from one state to the next
  std::vector<double> weights{};
};

// An observable at a place where it is measured.
struct Reading {
  int observable = 0;
  std::array<double, 2> place{};
  expression::NodeId formula = expression::no_node;  // of functionals and states ...
  expression::NodeId noise = expression::no_node;    // ... and its noise, if it has one
};

// What fields have become once space is divided (on_cells.hpp): the last states of the problem, and what stands for
// operations on fields in its formulas. Empty before.
struct Cells {
  std::vector<Stencil> stencils{};
  std::vector<Functional> functionals{};
  std::vector<std::pair<expression::NodeId, expression::NodeId>>
      in_place_of{};  // an operation, a formula of functionals
  std::vector<Reading> readings{};
};

}  // namespace salvo::model
