#pragma once

#include "solve/result.hpp"

namespace salvo::estimate {

// One run of a solver on nodes that stay, as a part of a run that changes them.
struct RunPart {
  int changes = 0;                 // of the nodes before it
  double search_accuracy = 0;      // of trajectories while it searches
  bool stops_when_joined = false;  // to merge nodes
  bool was_stiff = false;          // as far as was known when it began
};

// A run that was told to stop, in its parts: with the nodes and the start of its answer all that it takes to go on with
// the same bits.
struct StoppedRun {
  solve::SolveResult before{};  // on nodes that it had left already
  solve::SolveResult last{};    // on those of the answer, with the state to go on from
  RunPart part{};               // what the last one was
  double scale = 1;             // of the objective, which the scalar method chose at its start
};

}  // namespace salvo::estimate
