#pragma once

#include <functional>

#include "base/random.hpp"
#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// How a search for the best unbroken trajectory spends its work.
struct SearchRules {
  int screened = 30;           // points that are looked at before a descent begins at the best of them
  int descents = 18;           // at most
  int agreeing = 5;            // that many of which found the best: it is believed, ...
  double cheap = 4e6;          // ... unless no more operations of right-hand sides were spent
  double dear = 2.5e8;         // operations after which no further descent begins
  double accuracy = 1e-3;      // of trajectories on the way
  int screening_steps = 1000;  // of a trajectory that is looked at
  int ratio_iterations = 40;
  int search_iterations = 60;
  double enough_ratio = 1e-2;  // a step that promises no more ends the fit of ratios
  double enough_search = 0.1;  // and the search
  double same = 0.3;           // difference of objectives that such accuracy does not tell apart
  int polished = 2;            // ends of descents that are followed to full accuracy
  double lagging = 3;          // behind the best so far, in log-likelihood: not worth finishing
};

struct SearchResult {
  solve::SolveResult best{};
  int points = 0;  // that were looked at
};

// From setup.start on; `draw` gives a further point of the region to search.
SearchResult search(const Setup& setup, const SearchRules& rules, const std::function<nlp::Point()>& draw,
                    const RunContext& context);

}  // namespace salvo::estimate
