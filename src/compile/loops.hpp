#pragma once

#include <vector>

#include "compile/kernel.hpp"

namespace salvo::compile {

// Where a body finds a number among those of the model, or puts one: at first + stride * cell + row_stride * row. With
// weights it is a sum over places that stand `step` apart; what is put there is shared out by the same weights. Only
// loops of one cell have weights.
struct Reach {
  int first = 0;
  int stride = 0;
  int row_stride = 0;
  int step = 0;
  std::vector<double> weights{};
};

// One body that runs over cells, `side_by_side` of them in the lanes of its kernel, or one after the other where
// trajectories are the lanes.
struct Loop {
  static constexpr int side_by_side = 8;

  Kernel body{};  // its outputs: those of the model, then what is added up over all cells
  int cells = 1;  // of a row
  int rows = 1;
  std::vector<Reach> states{};                 // the state as the body sees it ...
  std::vector<std::vector<double>> numbers{};  // ... and behind it what each cell has for itself
  std::vector<Reach> seeds{};
  std::vector<int> parameters{};  // of the model
  bool takes_kept = false;        // one number that all cells share
  std::vector<Reach> outputs{};
  std::vector<int> sums{};  // where in the sums of the kernel they belong
};

struct Loops {
  std::vector<Loop> loops{};
  int outputs = 0;
  int sums = 0;
  bool adds = false;  // several cells put numbers in the same place, which are added
};

}  // namespace salvo::compile
