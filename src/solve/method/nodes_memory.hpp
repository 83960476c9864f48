#pragma once

#include "base/pool.hpp"
#include "nlp/problem.hpp"
#include "solve/elimination/elimination.hpp"

namespace salvo::solve {

// Memory that runs on nodes use one after the other. Its numbers mean nothing to the next.
struct NodesMemory {
  nlp::Blocks blocks{};
  nlp::Blocks trial_blocks{};
  Elimination elimination{};

  // In the place of blocks that a run has given away with its result.
  void take(nlp::Blocks left) {
    if (blocks.chains.empty()) blocks = std::move(left);
  }
};
using NodesMemories = Pool<NodesMemory>;

}  // namespace salvo::solve
