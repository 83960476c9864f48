#pragma once

#include <functional>
#include <vector>

#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

struct SearchResult {
  std::vector<solve::SolveResult> ends{};  // of the descents that were followed to full accuracy; at least one
  int points = 0;                          // that were looked at
};

// For the best unbroken trajectory, from setup.start on; `draw` gives a further point of the region to search.
// It begins with no further descent once its look is spent.
SearchResult search_from(const Setup& setup, const std::function<nlp::Point()>& draw, const Share& look,
                         const RunContext& context);

}  // namespace salvo::estimate
