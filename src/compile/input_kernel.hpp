#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "model/input.hpp"

namespace salvo::compile {

// An input as kernels see it: the numbers of the piece that holds, among the parameters.
struct InputKernel {
  std::string name{};
  int first = 0;    // place of its numbers among the parameters
  int delay = -1;   // it is read so much earlier (Delays); -1: now
  int numbers = 1;  // 1 where it is constant in pieces, 3 where linear, 5 where cubic
  std::vector<std::shared_ptr<const model::InputCurve>> of_experiment{};

  // Numbers of a lane stand `stride` apart.
  void set_piece(int experiment, int piece, double* p, int stride) const;
  void set_time(int experiment, double t, double* p, int stride) const;
  // How many pieces begin after `begin` and not after `end`; of an earlier input, may begin there.
  int knots_between(int experiment, double begin, double end) const;
};

// The formula of its pieces, by the symbols of their numbers.
expression::NodeId piece_formula(expression::Graph& graph, expression::NodeId time,
                                 const std::vector<expression::NodeId>& numbers);
int piece_numbers(model::Interpolation interpolation);

}  // namespace salvo::compile
